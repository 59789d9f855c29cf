import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadContract } from '../contracts/service/load-contract.ts';
import { registryWith } from './own-rules.ts';
import { SERVICE } from './service.ts';

const dir = mkdtempSync(join(tmpdir(), 'assay-own-'));
afterAll(() => {
  rmSync(dir, { recursive: true });
});
const contract = await loadContract();
let files = 0;

/** The registry with one rule of a configuration. */
function withRule(changes: Readonly<Record<string, unknown>>): ReturnType<typeof registryWith> {
  const path = join(dir, `own-${(files += 1)}.mjs`);
  const row = {
    ...{ scope: 'exchange', id: 'ours.one', level: 'must', source: 'ours', protects: 'It is so.' },
    ...{ api: 'zap', operations: ['zap.quote'], answer: 'success', leastEvidence: 1 },
    ...changes,
  };
  const text = `export default { rules: [{ ...${JSON.stringify(row)}, judge: () => [] }] };`;
  writeFileSync(path, text);
  return registryWith({ path }, contract);
}

test('rules of a configuration come after all others, in a section of their own', async () => {
  const { registry, own } = await withRule({});
  expect(registry.ofRun(contract).map(({ id }) => id)).toEqual(
    [...SERVICE.rules.ofRun(contract).map(({ id }) => id)].toSpliced(
      SERVICE.rules.ofExchanges.length,
      0,
      'ours.one',
    ),
  );
  expect(registry.sections.at(-1)).toMatchObject({ name: 'own-rules', isOwn: true });
  expect(own?.file).toMatch(/^own-\d+\.mjs$/);
});

test('without any, the rules are those of the service', async () => {
  expect(await registryWith(undefined, contract)).toEqual({
    registry: SERVICE.rules,
    own: undefined,
  });
});

test('a rule on throttled answers judges a probe of limits as well', async () => {
  const { registry } = await withRule({ answer: 'throttled', operations: '*' });
  expect(registry.ofLimits(contract, []).map(({ id }) => id)).toContain('ours.one');
  expect(registry.ofLoad(contract).map(({ id }) => id)).toContain('ours.one');
});

test('an operation that only they speak of is still judged as one beyond the document', async () => {
  const { registry } = await withRule({});
  const [own] = registry.sections.at(-1)?.rules ?? [];
  const [first] = contract.operations;
  if (own === undefined || first === undefined) throw new Error('there is none');
  const other: typeof first = Object.assign(Object.create(first) as typeof first, {
    id: 'zap.other',
  });
  const wider = SERVICE.rules.with([{ ...own, operations: ['zap.other'] }]);
  expect(wider.operationsBeyond({ operations: [other] })).toEqual([other]);
});

test.each([
  [{ id: 'zap.path.min-return-within-amount' }, 'has the id of a rule that there is already'],
  [{ id: SERVICE.rules.onlyLoad[0]?.id }, 'has the id of a rule that there is already'],
  [{ operations: ['zap.qoute'] }, 'which no contract has. Did you mean zap.quote?'],
  [{ operations: ['zap.quote', 'trade.quotes'] }, 'its operation trade.quotes is of another'],
])('%j is wrong use', async (changes, message) => {
  await expect(withRule(changes)).rejects.toThrow(message);
});

test('an operation of an API that it names besides is right', async () => {
  const { own } = await withRule({ operations: ['zap.quote', 'trade.quotes'], besides: ['trade'] });
  expect(own).toBeDefined();
});
