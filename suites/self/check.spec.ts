import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { SyntaxValidator } from 'fast-xml-validator';
import { beforeAll, describe, expect, test } from 'vitest';
import type { RunJson } from '../../contracts/run/run.ts';
import { dataOf } from '../../reports/html/html.testkit.ts';
import {
  assay,
  exchangesOf,
  listedRules,
  ROOT,
  runOf,
  scratch,
  verdictsOf,
  type Ended,
} from './command-line.ts';

const folder = scratch();

describe('a check of the embedded reference service', () => {
  const [first, second, other] = [folder(), folder(), folder()];
  let ended: Ended;
  let plain: Ended;
  let run: RunJson;

  beforeAll(async () => {
    ended = await assay(['check', '--embedded', '--seed', '7', '--out', first]);
    await assay(['check', '--embedded', '--seed', '7', '--out', second]);
    plain = await assay(['check', '--embedded', '--max-requests', '150', '--out', other]);
    run = runOf(first);
  });

  test('conforms, says so, and exits with 0', () => {
    expect(ended.code).toBe(0);
    expect(run).toMatchObject({ outcome: 'conforms', complete: true });
    // Whether the last requests reach a limit depends on how long those before them took.
    expect(run.notices.filter((notice) => !notice.includes('equal requests'))).toEqual([]);
    expect(ended.stdout).toMatch(/^✓ conforms: \d+ of \d+ rules pass$/m);
  });

  test('prints the seed that repeats it', () => {
    expect(ended.stdout).toMatch(/^ {2}.*, seed 7, /m);
    expect(run.seed).toBe(7);
  });

  test('has the seed 1 when none is given, and prints it', () => {
    expect(runOf(other).seed).toBe(1);
    expect(plain.stdout).toContain('seed 1, ');
  });

  test('writes a run.json that keeps its published schema', () => {
    const schema = JSON.parse(
      readFileSync(join(ROOT, 'reports', 'run.schema.json'), 'utf8'),
    ) as object;
    const ajv = new Ajv2020({ allErrors: true });
    addFormats.default(ajv);
    const validate = ajv.compile(schema);
    validate(run);
    expect(validate.errors ?? []).toEqual([]);
  });

  test('writes well-formed JUnit XML and no finding', () => {
    expect(SyntaxValidator.validate(readFileSync(join(first, 'junit.xml'), 'utf8'))).toBe(true);
    expect(readFileSync(join(first, 'findings.ndjson'), 'utf8')).toBe('');
  });

  test('ends with the page of the run, which holds its verdicts', () => {
    const [, page = ''] = /\nreport (\S+)\n$/.exec(ended.stdout) ?? [];
    expect(page).toMatch(/report\.html$/);
    const html = readFileSync(join(first, 'report.html'), 'utf8');
    const [shown] = dataOf(html).runs;
    expect(shown?.run).toEqual(run);
    expect(shown?.leftOut).toEqual([]);
    expect(dataOf(html).clauses.length).toBeGreaterThan(100);
  });

  test('is judged and recorded all the same if its page cannot be made', async () => {
    const again = folder();
    mkdirSync(join(again, 'report.html', 'in-the-way'), { recursive: true });
    const { code, stdout, stderr } = await assay(['judge', first, '--out', again]);
    expect(code).toBe(4);
    expect(stderr).toContain('the HTML report was not made');
    expect(stdout).toMatch(/\nrecord \S+\n$/);
    expect(runOf(again)).toEqual(run);
  });

  test('gives every rule of `assay rules` a verdict, and none a bad one', async () => {
    const verdicts = verdictsOf(run);
    // Those on limits judge what `assay limits` measures.
    const listed = (await listedRules()).filter((id) => !id.includes('.limits.'));
    expect(listed.length).toBeGreaterThan(40);
    expect(Object.keys(verdicts)).toEqual(listed);
    expect([...new Set(Object.values(verdicts))]).not.toContain('fail');
    expect([...new Set(Object.values(verdicts))]).not.toContain('warn');
  });

  test('leaves what is inside the machine out of what it prints', () => {
    expect(ended.said).not.toMatch(/vitest|RUN v|\.suite\.|node_modules| at \S+:\d+:\d+/i);
  });

  test('sends the same requests with the same seed, byte for byte', () => {
    const sent = (dir: string): unknown[] =>
      exchangesOf(dir)
        // How many of these there are depends on how near a limit is, which time decides. Nodes execute builds beside.
        .filter(
          ({ api, purpose }) =>
            api !== 'rpc' && (!('about' in purpose) || purpose.about !== 'equal requests at once'),
        )
        // Idempotency-Keys are those of their run.
        .map(({ request: { method, path, headers, body } }) => [
          ...[method, path, JSON.stringify(body)],
          headers.filter(([name]) => name !== 'Idempotency-Key'),
        ]);
    const executed = (dir: string): string[] =>
      exchangesOf(dir)
        .map(({ api, request: { body } }) => (api === 'rpc' ? (body?.text ?? '') : ''))
        .filter((text) => text.includes('eth_simulateV1'))
        // The time at which a node is to execute, and the number of its request, are those of their run.
        .map((text) => text.replaceAll(/\b(time|id)(\W+)(?:0x)?[\da-f]+/g, '$1$2now'))
        .sort();
    expect(executed(second)).toEqual(executed(first));
    expect(executed(first).length).toBeGreaterThan(10);
    expect(sent(first).length).toBeGreaterThan(100);
    expect(sent(second)).toEqual(sent(first));
    // Fewer requests are the first ones of as many.
    expect(sent(other).length).toBeGreaterThan(100);
    expect(sent(other)).not.toEqual(sent(first).slice(0, sent(other).length));
  });
});
