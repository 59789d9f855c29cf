import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, expectTypeOf, test } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { NO_CONTRACT } from '../../contracts/judging/no-contract.testkit.ts';
import { exchangeRule, runRule } from '../../contracts/judging/rule.ts';
import { View } from '../../contracts/judging/view.ts';
import { resolveConfig, type TargetConfig } from './config.ts';
import type { ConfigKey } from './config-keys.ts';
import { describeOwnRules, loadOwnRules, readRules } from './own-rules.ts';
import type { WrittenValues } from './written-config.ts';

const APIS: readonly string[] = ['zap', 'trade', 'docs', 'ai'];

const PLAIN: Parameters<typeof exchangeRule>[0] = {
  ...{ id: 'ours.quote.in-time', level: 'must', source: 'our own', protects: 'It is quick.' },
  ...{ api: 'zap', operations: ['zap.quote'], answer: 'success', leastEvidence: 1 },
  judge: () => [],
};
const RULE = exchangeRule(PLAIN);
const OVER_RUN: Parameters<typeof runRule<number>>[0] = {
  ...{ ...PLAIN, id: 'ours.run' },
  collect: () => 1,
  conclude: () => [],
};

test('every key of a configuration can be written in one with types', () => {
  expectTypeOf<keyof WrittenValues>().toEqualTypeOf<ConfigKey>();
});

describe('what is taken for rules', () => {
  test('rules of both scopes, with members that may be left out', () => {
    const rules = readRules(
      [
        exchangeRule({
          ...PLAIN,
          rulesOut: 'A slow one.',
          operations: '*',
          underLoad: 'not judged',
        }),
        runRule({ ...OVER_RUN, besides: ['trade'], weigh: () => 1, latestOf: () => '' }),
      ],
      APIS,
    );
    expect(rules.map(({ id, isOwn }) => [id, isOwn])).toEqual([
      ['ours.quote.in-time', true],
      ['ours.run', true],
    ]);
  });

  test.each([
    ['no list', 3, 'a list of rules'],
    ['something else in the list', [null], 'a list of rules'],
    ['no id', [{ ...RULE, id: undefined }], 'an id of two words or more'],
    ['an id of one word', [{ ...RULE, id: 'zap' }], 'an id of two words or more'],
    ['an id in capitals', [{ ...RULE, id: 'Ours.quote' }], 'an id of two words or more'],
    ['what exchangeRule did not make', [PLAIN], 'made by exchangeRule or runRule'],
    ['a level that there is not', [{ ...RULE, level: 'never' }], 'must, should, observe'],
    ['no source', [{ ...RULE, source: '' }], 'where the promise stands'],
    ['nothing that it protects', [{ ...RULE, protects: undefined }], 'what a user can rely on'],
    ['an API that there is not', [{ ...RULE, api: 'zaps' }], 'zap, trade, docs, ai'],
    ['no operation', [{ ...RULE, operations: [] }], 'a list of operations'],
    ['an answer that there is not', [{ ...RULE, answer: 'good' }], 'success, error'],
    ['no evidence', [{ ...RULE, leastEvidence: 0 }], 'a whole number from 1'],
    ['no function', [{ ...RULE, judge: undefined }], 'a function, none that is async'],
    ['an async function', [{ ...RULE, judge: () => Promise.resolve([]) }].map(asAsync), 'async'],
    ['half a run rule', [{ ...runRule(OVER_RUN), conclude: undefined }], 'a function'],
    ['a member that there is not', [{ ...RULE, leastEvidense: 1 }], 'one of the members'],
    ['one id twice', [RULE, { ...RULE }], 'each id once'],
  ])('not %s', (_, given, message) => {
    expect(() => readRules(given, APIS)).toThrow(message);
  });
});

function asAsync(rule: object): object {
  // eslint-disable-next-line @typescript-eslint/require-await
  return { ...rule, judge: async () => [] };
}

describe('what a rule gives', () => {
  const judged = (given: unknown): unknown => {
    const [rule] = readRules([exchangeRule({ ...PLAIN, judge: () => given as null })], APIS);
    if (rule?.scope !== 'exchange') throw new Error('no rule');
    return rule.judge(new View(exchangeOf(), NO_CONTRACT));
  };
  const broken = { pointer: '', expected: 'more', actual: 'less' };

  test.each([[null], [[]], [[broken]], [[{ ...broken, times: 2 }]]])('may be %j', (given) => {
    expect(judged(given)).toEqual(given);
  });

  test.each([
    [undefined],
    [true],
    [Promise.resolve([])],
    [['broken']],
    [[{ ...broken, actual: 3 }]],
    [[{ ...broken, times: 0 }]],
  ])('is no %j', (given) => {
    expect(() => judged(given)).toThrow('judge gives null, or a list of');
  });

  test.each([
    [undefined, 'conclude gives a list'],
    [[{ judgement: [] }], 'has witnesses'],
    [[{ witnesses: [], judgement: 'broken' }], 'each judgement of conclude gives null'],
  ])('over a run is no %j', (given, message) => {
    const [rule] = readRules([runRule({ ...OVER_RUN, conclude: () => given as [] })], APIS);
    if (rule?.scope !== 'run') throw new Error('no rule');
    expect(() => rule.conclude([])).toThrow(message);
  });
});

test('a digest distinguishes rules by what is written in them', () => {
  const digestOf = (changes: Partial<typeof PLAIN>): string | undefined =>
    describeOwnRules(
      { path: '/a/assay.config.ts' },
      readRules([exchangeRule({ ...PLAIN, ...changes })], APIS),
    )?.sha256;
  const digests = [
    digestOf({}),
    digestOf({ judge: () => [] }),
    digestOf({ judge: () => null }),
    digestOf({ level: 'should' }),
  ];
  expect(digests[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(digests[1]).toBe(digests[0]);
  expect(new Set(digests).size).toBe(3);
  expect(describeOwnRules({ path: '/a/assay.config.ts' }, [])).toBeUndefined();
});

describe('in a configuration', () => {
  let cwd = '';
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'assay-own-rules-'));
  });
  afterEach(() => {
    rmSync(cwd, { recursive: true });
  });

  const MODULE = `
const rule = (id) => ({ scope: 'exchange', id, level: 'must', source: 'ours', protects: 'It is so.',
  api: 'zap', operations: '*', answer: 'success', leastEvidence: 1, judge: () => [] });
export default { rules: [rule('ours.one')], environments: {
  staging: { rules: [rule('ours.two'), rule('ours.three')] }, none: { rules: [] }, plain: { seed: 2 } } };
`;

  async function read(env?: string): Promise<TargetConfig> {
    writeFileSync(join(cwd, 'assay.config.mjs'), MODULE);
    const flags = env === undefined ? {} : { env };
    return resolveConfig({ flags, env: {}, cwd, apis: APIS, defaultSeed: 1 });
  }

  test.each([
    [undefined, ['ours.one']],
    ['staging', ['ours.two', 'ours.three']],
    ['none', []],
    ['plain', ['ours.one']],
  ])('the environment %s has its own', async (env, ids) => {
    const { rules } = await read(env);
    // What passes between threads is data.
    const loaded = await loadOwnRules(structuredClone(rules), APIS);
    expect(loaded.map(({ id }) => id)).toEqual(ids);
  });

  test('a file that is no module has none that could be right', async () => {
    writeFileSync(join(cwd, 'assay.config.yaml'), 'rules: [{ id: ours.one, scope: exchange }]');
    const reading = resolveConfig({ flags: {}, env: {}, cwd, apis: APIS, defaultSeed: 1 });
    await expect(reading).rejects.toThrow(
      'rules, file assay.config.yaml: rule ours.one, level\n    wanted: one of must',
    );
  });
});
