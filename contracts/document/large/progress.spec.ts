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

test('each schema is a step of compiling', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `s${index}`);
  const anyOf = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const schemas = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  const paths = { '/a': { get: { responses: success({ anyOf }) } } };
  expect(await stepsOf(() => contractOf(paths, { schemas }))).toBeGreaterThan(100);
});
