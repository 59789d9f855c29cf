import { expect, test } from 'vitest';
import { loadContract } from '../contracts/service/load-contract.ts';
import { REGISTRY } from '../contracts/service/registry.ts';
import { EVERY_RULE } from '../contracts/judging/rule-choice.ts';
import { UsageError } from './exit-code.ts';
import { refuseUnknownWaivers, refuseUnknownWords } from './unknown-words.ts';

const rules = REGISTRY.ofRun(await loadContract());
const otherRules = [...REGISTRY.onlyLimits, ...REGISTRY.onlyLoad].map(({ id }) => id);
const waivers = (ids: readonly string[]): Parameters<typeof refuseUnknownWaivers>[1] =>
  ids.map((rule) => ({ rule, reason: 'known', owner: 'pools team', expires: '2030-01-01' }));

test('a waiver that names no rule is wrong use, named with its owner and the rule that was meant', () => {
  const refuse = (): void => {
    refuseUnknownWaivers(rules, waivers(['zap.quote.served', 'zap.pools.within-limits']), []);
  };
  expect(refuse).toThrow(UsageError);
  expect(refuse).toThrow(
    'The waiver of "zap.pools.within-limits" (owner pools team) waives nothing: no rule has this id. Did you mean zap.pools.within-limit?',
  );
});

test('a waiver names one rule: no glob, section, operation or API', () => {
  for (const word of ['zap.pools.*', '§5', 'zap.quote', 'zap']) {
    expect(() => {
      refuseUnknownWaivers(rules, waivers([word]), []);
    }).toThrow(`The waiver of "${word}"`);
  }
});

test('a waiver of an operation that the contract does not have is wrong use', () => {
  const [waiver] = waivers(['zap.quote.served']);
  if (waiver === undefined) throw new Error('no waiver');
  const operations = ['zap.quote', 'zap.buildTx'];
  refuseUnknownWaivers(rules, [{ ...waiver, operation: 'zap.quote' }], operations);
  expect(() => {
    refuseUnknownWaivers(rules, [{ ...waiver, operation: 'zap.buildTX' }], operations);
  }).toThrow(
    'The waiver of "zap.quote.served" (owner pools team) waives nothing: the contract has no operation "zap.buildTX". Did you mean zap.buildTx?',
  );
});

test('rules on rate limits and load are known to every command, for one configuration may serve all', () => {
  expect(otherRules.length).toBeGreaterThan(0);
  refuseUnknownWaivers(rules, waivers(otherRules), []);
  refuseUnknownWords(rules, { ...EVERY_RULE, skip: otherRules });
});
