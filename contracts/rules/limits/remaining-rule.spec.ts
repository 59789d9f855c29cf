import { expect, test } from 'vitest';
import { exchangeOf } from '../../judging/exchange.testkit.ts';
import { judge } from '../../judging/judge.ts';
import { NO_CONTRACT } from '../../judging/no-contract.testkit.ts';
import { plainService } from '../../plain-service.ts';
import type { LimitMeasurement } from '../../run/load/limit-measurement.ts';

const { rules } = plainService(['books', 'loans']);
const CONTRACT = { ...NO_CONTRACT, operations: [] };
const { id, request } = exchangeOf({});

function verdictsOf(change: Partial<LimitMeasurement>): Readonly<Record<string, string>> {
  const measured: LimitMeasurement = {
    ...{ api: 'books', client: 'address', waits: [], fanOut: [], failures: 'undecided' },
    estimate: { verdict: 'identified', algorithms: ['fixed-window'], limit: 5, windowSeconds: 1 },
    ...{ headerClaims: [], witnesses: [{ id, request }] },
    ...change,
  };
  const results = judge(rules.ofLimits(CONTRACT, [measured]), CONTRACT as never, []);
  return Object.fromEntries(results.map(({ rule, verdict }) => [rule.id, verdict]));
}

const RULE = 'books.limits.remaining-is-counted';
const WRONG = { told: 9, wrong: ['x-ratelimit: remaining rises inside a window'] };

test('what remains of a limit of one’s own service is judged as well', () => {
  expect(verdictsOf({ remaining: WRONG })).toEqual({
    [RULE]: 'warn',
    'loans.limits.remaining-is-counted': 'not-reached',
  });
  expect(verdictsOf({ remaining: { told: 9, wrong: [] } })[RULE]).toBe('pass');
});

test('is not reached if no field states what remains, as in earlier records', () => {
  expect(verdictsOf({})[RULE]).toBe('not-reached');
});

test.each(['ambiguous', 'composite', 'stacked', 'inconclusive'] as const)(
  'of a limit that is %s nobody knows what may remain',
  (verdict) => {
    const estimate = { verdict, algorithms: ['fixed-window'], limit: 5 };
    expect(verdictsOf({ estimate, remaining: WRONG })[RULE]).toBe('inconclusive');
  },
);

test('the rules on limits of one’s own service are known by their ids', () => {
  expect(rules.onlyLimits.map((rule) => rule.id)).toContain(RULE);
});
