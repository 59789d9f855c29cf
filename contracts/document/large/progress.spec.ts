import { afterEach, expect, test } from 'vitest';
import { contractOf, success } from '../contract-of.testkit.ts';
import { onProgress } from './progress.ts';
import { CONTRACT_YAML, parseYaml } from '../yaml/yaml.ts';

afterEach(() => {
  onProgress(() => undefined);
});

/** How many steps something takes. */
async function stepsOf(work: () => unknown): Promise<number> {
  let steps = 0;
  onProgress(() => (steps += 1));
  await work();
  return steps;
}

test('reading a long text is many steps, also of lines that hold nothing', async () => {
  const read = (text: string) => (): unknown => parseYaml(text, { limits: CONTRACT_YAML });
  expect(await stepsOf(read('- a\n'.repeat(50_000)))).toBeGreaterThan(10);
  expect(await stepsOf(read('#\n'.repeat(100_000)))).toBeGreaterThan(10);
});

test('each schema is a step of all that is done before anything is compiled', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `s${index}`);
  const anyOf = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const member = { type: 'string', readOnly: true };
  const schema = { type: 'object', required: ['a'], properties: { a: member } };
  const schemas = Object.fromEntries(names.map((name) => [name, schema]));
  const paths = { '/a': { get: { responses: success({ anyOf }) } } };
  const steps: string[] = [];
  onProgress(() => steps.push(new Error('step').stack ?? ''));
  await contractOf(paths, { schemas });
  const places = new Set(
    steps.flatMap((stack) => /at [^\n]*\/([\w-]+)\.ts/.exec(stack.split('\n')[3] ?? '')?.[1] ?? []),
  );
  expect([...places].sort()).toEqual(
    expect.arrayContaining(['one-way', 'openapi-structure', 'openapi-survey', 'schema-graph']),
  );
});

test('each schema is a step of compiling', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `s${index}`);
  const anyOf = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const schemas = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const paths = { '/a': { get: { responses: success({ anyOf }) } } };
  expect(await stepsOf(() => contractOf(paths, { schemas }))).toBeGreaterThan(100);
});
