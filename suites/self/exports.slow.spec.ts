import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ROOT } from './command-line.ts';
import { newProject } from './packed-install.testkit.ts';

/** Programs of README that name their file in their first line. */
const EXAMPLES = [
  ...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms),
].map(([, name = '', text = '']) => ({ name, text }));

/** What the example of the reference service tests. */
const CLIENT = `
export async function chainNames(base: string, ask: typeof fetch): Promise<string[]> {
  const answer = await ask(\`\${base}/v1/config/chains\`);
  const { data } = (await answer.json()) as { data: Record<string, { name: string }> };
  return Object.values(data).map(({ name }) => name);
}
`;

/** Where nothing is known of a type, what is marked here is no error, and the mark is one. */
const SLIPS = `
import { defineConfig, judgeExchanges } from 'assay';
import { referenceFetch } from 'assay/reference';
import 'assay/vitest';
import { expect } from 'vitest';

// @ts-expect-error: a slip
export default defineConfig({ zapURL: 'http://zap.example' });
// @ts-expect-error: a slip
await judgeExchanges('every', []);
// @ts-expect-error: a slip
referenceFetch({ seeds: 1 });
// @ts-expect-error: a slip
await expect({}).toConform({ operatoin: 'zap.quote' });
`;

let home: string;

beforeAll(async () => {
  home = await newProject();
  for (const { name, text } of EXAMPLES) writeFileSync(join(home, name), text);
  writeFileSync(join(home, 'client.ts'), CLIENT);
});

/** Runs a program of Node where the package is installed; what it said, and whether it failed. */
function runNode(...args: readonly string[]): { failed: boolean; said: string } {
  const { PATH, HOME } = process.env;
  const options = { cwd: home, env: { PATH, HOME, NO_COLOR: '1' }, encoding: 'utf8' } as const;
  try {
    return { failed: false, said: execFileSync(process.execPath, args, options) };
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    return { failed: true, said: stdout + stderr };
  }
}

const VITEST = join('node_modules', 'vitest', 'vitest.mjs');

test('the tests of README pass where the package is installed', () => {
  const names = ['mocks', 'client', 'rule'];
  const { failed, said } = runNode(VITEST, 'run', ...names);
  expect(said).toMatch(/Tests +3 passed/);
  expect(failed).toBe(false);
});

test('the matcher of README fails with the finding as its message', () => {
  const right = EXAMPLES.find(({ name }) => name === 'mocks.test.ts')?.text ?? '';
  const wrong = right.replace("code: 'INVALID_REQUEST', ", '');
  expect(wrong).not.toBe(right);
  writeFileSync(join(home, 'wrong.test.ts'), wrong);
  const { failed, said } = runNode(VITEST, 'run', 'wrong');
  expect(failed).toBe(true);
  expect(said).toContain('expected the answer to zap.quote (POST /v1/quote) to conform');
  expect(said).toMatch(/^\s*at \/code$|at the answer as a whole/m);
});

test.each([
  ['bundler', ['--module', 'preserve', '--moduleResolution', 'bundler']],
  ['Node', ['--module', 'nodenext']],
])('their types are found as %s looks for them', (_, how) => {
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const strict = ['--noEmit', '--strict', '--target', 'es2023', '--lib', 'es2023,dom', ...how];
  const files = [...EXAMPLES.map(({ name }) => name), 'slips.ts'];
  writeFileSync(join(home, 'slips.ts'), SLIPS);
  expect(runNode(tsc, ...strict, '--skipLibCheck', ...files)).toEqual({ failed: false, said: '' });
});
