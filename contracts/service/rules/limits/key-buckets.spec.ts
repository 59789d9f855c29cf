import { expect, test } from 'vitest';
import { exchangeOf } from '../../../judging/exchange.testkit.ts';
import { judge } from '../../../judging/judge.ts';
import type {
  FanOut,
  FanOutTrial,
  LimitEstimate,
  LimitMeasurement,
} from '../../../run/load/limit-measurement.ts';
import { loadContract } from '../../load-contract.ts';
import { rateLimitRules } from './rate-limits.ts';

const contract = await loadContract();
const { id, request } = exchangeOf({ id: 'x00007' });
const witnesses = [{ id, request }];

const found = (limit: number): LimitEstimate => ({
  ...{ verdict: 'identified', algorithms: ['fixed-window'] },
  ...{ limit, windowSeconds: 10 },
});

const thrice = (change: Partial<FanOutTrial> = {}): FanOutTrial[] =>
  Array.from({ length: 3 }, () => ({
    ...{ before: 'rejected', outcome: 'rejected', after: 'rejected', admitted: 1 },
    ...change,
  }));

/** What a key met, of 24, beside an address without one, of 12. */
function verdictOf(
  rule: string,
  change: Partial<FanOut>,
  keyless: LimitEstimate = found(12),
): string | undefined {
  const fan: FanOut = {
    kind: 'without-key',
    ...{ trials: thrice(), admittedBefore: 1, witnesses },
    ...change,
  };
  const base = { api: 'trade', waits: [], failures: 'undecided', headerClaims: [] } as const;
  const measurements: LimitMeasurement[] = [
    { ...base, client: 'address', estimate: keyless, fanOut: [], witnesses },
    { ...base, client: 'key', estimate: found(24), fanOut: [fan], witnesses },
  ];
  const results = judge(rateLimitRules(measurements), contract, []);
  const result = results.find((one) => one.rule.id === rule);
  return `${result?.verdict} ${result?.findings[0]?.actual ?? ''}`.trim();
}

const APART = 'trade.limits.address-apart-from-key';
const ADMITTED = { trials: thrice({ outcome: 'admitted' }), chance: 0.001 };

test('who has no key is not refused for what a key has used up', () => {
  expect(verdictOf(APART, {})).toBe(
    'warn refused without a key, once the key had used up its own limit, 3 times',
  );
  expect(verdictOf(APART, ADMITTED)).toBe('pass');
  expect(verdictOf(APART, { kind: 'other-key' })).toBe('not-reached');
});

test('whoever has no key may have used up a limit of his own, which is the smaller one', () => {
  expect(verdictOf(APART, { trials: thrice({ admitted: 12 }) })).toBe('inconclusive');
  expect(verdictOf(APART, { trials: thrice({ admitted: 11 }) })).toContain('warn');
  expect(verdictOf(APART, {}, { verdict: 'composite', algorithms: [] })).toBe('inconclusive');
});

test('two keys that share a limit are observed, since both may be of one customer', () => {
  const rule = 'trade.limits.keys-apart';
  expect(verdictOf(rule, { kind: 'other-key' })).toBe(
    'observed a key with hardly a request was refused along with one that had used up its limit, 3 times',
  );
  expect(verdictOf(rule, { kind: 'other-key', ...ADMITTED })).toBe('observed');
  expect(verdictOf(rule, {})).toBe('not-reached');
});
