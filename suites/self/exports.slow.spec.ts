import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from './command-line.ts';
import { newProject } from './packed-install.testkit.ts';

/** Programs of README and guides that name their file in their first line. */
const EXAMPLES = ['README.md', 'docs/guide/library.md', 'docs/guide/own-rules.md'].flatMap((page) =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^```ts\n\/\/ (\S+)\n(.*?)^```$/gms)].map(
    ([, name = '', text = '']) => ({ name, text }),
  ),
);

/** What the example of the reference service tests. */
const CLIENT = `
export async function chainNames(base: string, ask: typeof fetch): Promise<string[]> {
  const answer = await ask(\`\${base}/v1/config/chains\`);
  const { data } = (await answer.json()) as { data: Record<string, { name: string }> };
  return Object.values(data).map(({ name }) => name);
}
`;

/** If nothing is known of a type, what is marked here is no error, and the mark is one. */
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
  home = await newProject('vitest@4.1.12');
  for (const { name, text } of EXAMPLES) writeFileSync(join(home, name), text);
  writeFileSync(join(home, 'client.ts'), CLIENT);
});

/** Runs a program of Node if the package is installed; what it said, and whether it failed. */
function runNode(...args: readonly string[]): { failed: boolean; said: string } {
  const { PATH, HOME } = process.env;
  const options = { cwd: home, env: { PATH, HOME, NO_COLOR: '1' }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  return { failed: status !== 0, said: status === 0 ? stdout : stdout + stderr };
}

const ASSAY = join('node_modules', 'assay', 'dist', 'cli', 'main.js');
/** Beside other work everything takes ten times as long. */
const PATIENT = '--testTimeout=60000';
const VITEST = join('node_modules', 'vitest', 'vitest.mjs');

test('the rule of the guide is listed, judged, and named if it is not at hand', () => {
  const said = (...args: string[]): string => runNode(ASSAY, ...args).said;
  expect(said('rules')).toMatch(
    /^own-rules\n {2}ours\.chains\.fit-in-memory +must +your own rule/m,
  );
  const only = ['--only', 'ours.*'];
  const checked = runNode(ASSAY, 'check', '--embedded', ...only, '--out', 'own', '--verbose');
  expect(checked.failed).toBe(false);
  expect(checked.said).toMatch(/^✓ conforms: 1 of 1 rule passes/m);
  const named = ['--config', 'assay.config.ts'];
  expect(said('judge', 'own', ...named)).toMatch(/^✓ conforms: 1 of 1 rule passes/m);
  // The folder may be one that somebody else made.
  const elsewhere = runNode(ASSAY, 'judge', 'own');
  expect(elsewhere.said).toContain('Not judged again: ours.chains.fit-in-memory.');
});

test('the examples of README and guides have ten lines at most, what they import apart', () => {
  for (const { name, text } of EXAMPLES) {
    const own = text.split('\n').filter((line) => line !== '' && !line.startsWith('import '));
    expect(own.length, name).toBeLessThanOrEqual(10);
  }
});

test('a rule that cannot be right is wrong use, without a stack trace', () => {
  const right = EXAMPLES.find(({ name }) => name === 'assay.config.ts')?.text ?? '';
  const wrong = right.replace("operations: ['zap.chains']", "operations: ['zap.chain']");
  expect(wrong).not.toBe(right);
  writeFileSync(join(home, 'wrong.config.ts'), wrong);
  const { failed, said } = runNode(ASSAY, 'check', '--embedded', '--config', 'wrong.config.ts');
  expect(failed).toBe(true);
  expect(said).toBe(
    'assay: the rule ours.chains.fit-in-memory of the configuration speaks of the operation zap.chain, which no contract has. Did you mean zap.chains?\n',
  );
});

test('the tests of README and guides pass if the package is installed', () => {
  const names = ['chains', 'mocks', 'client', 'rule', 'service.suite'];
  const { failed, said } = runNode(VITEST, 'run', PATIENT, ...names);
  expect(said).toMatch(/Tests +[23]\d\d passed/);
  expect(failed).toBe(false);
});

test('the matcher of the guide fails with the finding as its message', () => {
  const right = EXAMPLES.find(({ name }) => name === 'mocks.test.ts')?.text ?? '';
  const wrong = right.replace("code: 'INVALID_REQUEST', ", '');
  expect(wrong).not.toBe(right);
  writeFileSync(join(home, 'wrong.test.ts'), wrong);
  const { failed, said } = runNode(VITEST, 'run', PATIENT, 'wrong');
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
  const files = [...EXAMPLES.map(({ name }) => name), 'slips.mts'];
  writeFileSync(join(home, 'slips.mts'), SLIPS);
  expect(runNode(tsc, ...strict, '--skipLibCheck', ...files)).toEqual({ failed: false, said: '' });
});

describe('each rule is a test', () => {
  test.each(['vitest@4.1.12', 'vitest@3.2.4'])('of %s', async (vitest) => {
    const dir = await newProject(vitest);
    const flags = JSON.stringify(['--embedded', '--only', 'zap.pools.*', '--seed', '1']);
    const text = `import { conformanceSuite } from 'assay/vitest';\nawait conformanceSuite({ flags: ${flags} });\n`;
    writeFileSync(join(dir, 'pools.test.ts'), text);
    const { PATH, HOME } = process.env;
    const options = { cwd: dir, env: { PATH, HOME, NO_COLOR: '1' }, encoding: 'utf8' } as const;
    const args = [VITEST, 'run', '--reporter=verbose', PATIENT, 'pools'];
    const { status, stdout } = spawnSync(process.execPath, args, options);
    expect(status).toBe(0);
    expect(stdout).toContain('zap > zap.pools.within-limit');
    expect(stdout).toContain('assay.run');
  });
});

test('the matcher serves a test runner that loads CommonJS alone', async () => {
  const dir = await newProject('jest@29.7.0');
  const text = `
    expect.extend(require('assay/vitest').matchers);
    test('mock', () => expect({ status: 400, body: { status: 400, code: 'INVALID_REQUEST', message: 'm', requestId: 'r' } })
      .toConform({ operation: 'zap.quote', request: { amount: '1' } }), 60000);
  `;
  writeFileSync(join(dir, 'mocks.test.js'), text);
  const { PATH, HOME } = process.env;
  const options = { cwd: dir, env: { PATH, HOME, NO_COLOR: '1' }, encoding: 'utf8' } as const;
  const jest = join('node_modules', 'jest', 'bin', 'jest.js');
  const { status, stderr } = spawnSync(process.execPath, [jest, '--rootDir', dir], options);
  expect(stderr).toMatch(/Tests: +1 passed/);
  expect(status).toBe(0);
});
