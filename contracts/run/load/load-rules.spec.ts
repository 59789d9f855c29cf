import { expect, test } from 'vitest';
import { exchangeOf } from '../../judging/exchange.testkit.ts';
import { judge } from '../../judging/judge.ts';
import { loadContract } from '../../service/load-contract.ts';
import { nameMark, sampleMark } from './load-marks.ts';
import { REGISTRY, RULES } from '../../service/registry.ts';
import { IDEMPOTENCY } from '../../service/rules/conventions/idempotency.ts';
import type { Exchange } from '../../wire/exchange.ts';

const contract = await loadContract();
/** One that looks at the sample alone, and one on names, of which any two may be compared. */
const [RULE, NAMES] = ['zap.errors.stable-code', 'zap.errors.request-ids-differ'];

/** Two errors of one request, whose codes differ, and of one request id, which no two requests have. */
function errors(isSampled: readonly boolean[]): Exchange[] {
  return isSampled.map((sampled, at) => ({
    ...exchangeOf({
      id: `x${at}`,
      ...{ method: 'POST', path: '/v1/quote', sent: { a: 1 }, status: 400 },
      purpose: { kind: 'invalid', defect: 'malformed JSON' },
      answered: { status: 400, code: `BAD_${at}`, message: 'bad', requestId: 'the same' },
    }),
    relations: sampled ? [sampleMark(0)] : [],
  }));
}

test.each([
  [[true, true], 'fail'],
  [[true, false], 'not-reached'],
  [[false, false], 'not-reached'],
])(
  'rules over several exchanges look at the sample of a load run alone: %j',
  (sampled, verdict) => {
    const results = judge(REGISTRY.underLoad(RULES), contract, errors(sampled));
    expect(results.find(({ rule }) => rule.id === RULE)?.verdict).toBe(verdict);
    expect(results.find(({ rule }) => rule.id === NAMES)?.verdict).toBe('warn');
  },
);

test('an answer that a load found to repeat a name breaks its rule, though nobody kept the first', () => {
  const [one] = errors([true]);
  if (one === undefined) throw new Error('there is no error');
  const verdictOf = (exchanges: readonly Exchange[]): string | undefined =>
    judge(REGISTRY.underLoad(RULES), contract, exchanges).find(({ rule }) => rule.id === NAMES)
      ?.verdict;
  expect(verdictOf([one])).toBe('not-reached');
  expect(verdictOf([{ ...one, relations: [nameMark(NAMES)] }])).toBe('warn');
  expect(verdictOf([{ ...one, relations: [nameMark('zap.other')] }])).toBe('not-reached');
});

test('rules over single exchanges look at all of its record', () => {
  const results = judge(REGISTRY.underLoad(RULES), contract, errors([true, false]));
  const typed = results.find(({ rule }) => rule.id === 'zap.errors.typed-body');
  expect(typed?.evidence).toBe(2);
});

test('what fails for lack of capacity is for thresholds, and what only load shows is judged', () => {
  const ids = new Set(REGISTRY.underLoad(RULES).map(({ id }) => id));
  const left = RULES.map(({ id }) => id).filter((id) => !ids.has(id));
  expect(left.filter((id) => id.endsWith('.served'))).toContain('zap.chains.served');
  // What nodes execute no load asks for.
  const others = left.filter((id) => !id.endsWith('.served') && !id.includes('.simulated.'));
  expect(others).toEqual([
    'zap.estimate-gas.no-round-figure',
    'trade.summary.provider-named-as-asked',
    'zap.errors.none-of-the-service',
    'zap.errors.none-each-time',
    'zap.errors.rarely-of-the-service',
    'zap.errors.served-is-not-refused',
    'trade.errors.none-of-the-service',
    'trade.errors.none-each-time',
    'trade.errors.rarely-of-the-service',
    'trade.errors.served-is-not-refused',
    'zap.operations.each-serves',
    'zap.rate-limit-fields.remaining-is-a-count',
    'zap.rate-limit-fields.limit-is-kept',
    'trade.rate-limit-fields.remaining-is-a-count',
    'trade.rate-limit-fields.limit-is-kept',
  ]);
  expect(REGISTRY.onlyLoad.every(({ id }) => ids.has(id))).toBe(true);
  expect(RULES.some((rule) => REGISTRY.onlyLoad.includes(rule))).toBe(false);
});

/** Three pairs with one key each, of which none was served, and one without a key that was. */
function story(refusal: number): Exchange[] {
  const answer = (role: string, status: number): Exchange => ({
    ...exchangeOf({ method: 'POST', path: '/v1/quote', sent: {}, status, answered: { status } }),
    relations: [{ kind: IDEMPOTENCY, group: 'twins-1', role }],
  });
  const pairs = ['twin-1', 'twin-2', 'twin-3'].flatMap((role) => [
    answer(role, refusal),
    answer(role, refusal),
  ]);
  return [...pairs, answer('bare-twin', 200), answer('bare-twin', 200)];
}

test.each([
  [409, 'warn', 'warn'],
  [500, 'warn', 'not-reached'],
])('twins that are answered %i: %s, and under load %s', (status, alone, underLoad) => {
  const verdicts = [RULES, REGISTRY.underLoad(RULES)].map(
    (rules) =>
      judge(rules, contract, story(status)).find(
        ({ rule }) => rule.id === 'zap.idempotency-key.twins-are-served',
      )?.verdict,
  );
  expect(verdicts).toEqual([alone, underLoad]);
});
