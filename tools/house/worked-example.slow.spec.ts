import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../../suites/self/command-line.ts';
import { editedCopy, editsOf, type Edit } from './worked-example.ts';

/** What the example says of itself. */
const RULE = 'zap.providers.id-is-a-name';
const FAULTS = ['provider-id-empty', 'provider-id-blank'];
const VARIANT = 'provider-id-without-name';
const CASE = 'zap.providers: a provider with an empty id';
/** What all three have in common, and nothing else. */
const ALL = 'provider-id-';

const EDITS: readonly Edit[] = editsOf(
  readFileSync(path.join(ROOT, 'docs/contributing/worked-example.md'), 'utf8'),
);
let copy: string | undefined;

beforeAll(() => {
  copy = editedCopy(ROOT, EDITS);
});
afterAll(() => {
  if (copy !== undefined) rmSync(copy, { recursive: true, force: true });
});

/** What a program of Node says in the copy; throws when it fails. */
function said(...args: readonly string[]): string {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, NO_COLOR: '1' };
  return execFileSync(process.execPath, args, { cwd: copy, env, encoding: 'utf8', stdio: 'pipe' });
}

const ASSAY = path.join('dist', 'cli', 'main.js');

describe('the worked example of a rule', () => {
  test('touches at most five files, each once', () => {
    const files = EDITS.map(({ file }) => file);
    expect(files.length).toBeGreaterThan(0);
    expect(files.length).toBeLessThanOrEqual(5);
    expect([...new Set(files)]).toEqual(files);
  });

  test('gives a rule that is explained by its clause, faults, variant and case', () => {
    const explained = said(ASSAY, 'rules', 'explain', RULE);
    for (const part of ['  §2.6  ', ...FAULTS, VARIANT, CASE]) expect(explained).toContain(part);
  });

  test('gives faults that are killed by their own rule, which the service and the variant reach and pass', () => {
    const result = path.join(String(copy), 'self-test.json');
    said(ASSAY, 'self-test', '--only', ALL, '--json', result);
    const { services, faults, falseAlarms, notReached } = JSON.parse(
      readFileSync(result, 'utf8'),
    ) as Record<string, unknown>;
    expect(faults).toEqual(
      FAULTS.map((id) => expect.objectContaining({ id, breaks: RULE, fate: 'killed' }) as unknown),
    );
    // The service as it is, the faults, and the variant.
    expect(services).toBe(1 + FAULTS.length + 1);
    expect({ falseAlarms, notReached }).toEqual({ falseAlarms: [], notReached: [] });
  });

  test('gives a case that is judged, and leaves the registry whole', () => {
    const vitest = path.join('node_modules', 'vitest', 'vitest.mjs');
    const specs = ['fixtures/service/cases/judged-cases', 'tools/house/registry-audit'];
    const run = said(vitest, 'run', '--reporter=verbose', ...specs);
    expect(run).toMatch(/✓.* a provider with an empty id /);
    expect(run).toMatch(/Test Files +2 passed/);
  });
});
