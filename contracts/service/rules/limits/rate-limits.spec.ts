/** Long because it is a table of measurements for each rule on them. */

import { describe, expect, test } from 'vitest';
import { exchangeOf } from '../../../judging/exchange.testkit.ts';
import { judge } from '../../../judging/judge.ts';
import { limitLedger } from '../../observers/limit-ledger.ts';
import type {
  FanOut,
  FanOutTrial,
  LimitEstimate,
  LimitMeasurement,
  WaitTruth,
} from '../../../run/load/limit-measurement.ts';
import { loadContract } from '../../load-contract.ts';
import { rateLimitRules } from './rate-limits.ts';

const contract = await loadContract();
const { id, request } = exchangeOf({ id: 'x00007' });
const witnesses = [{ id, request }];

const FOUND: LimitEstimate = {
  verdict: 'identified',
  algorithms: ['fixed-window'],
  limit: 20,
  windowSeconds: 10,
};

function measured(change: Partial<LimitMeasurement> = {}): LimitMeasurement {
  return {
    api: 'zap',
    client: 'address',
    estimate: FOUND,
    waits: [],
    fanOut: [],
    failures: 'undecided',
    headerClaims: [],
    witnesses,
    ...change,
  };
}

/** The verdict of a rule, then what it found. */
function verdict(rule: string, ...measurements: readonly LimitMeasurement[]): string[] {
  const results = judge(rateLimitRules(measurements), contract, []);
  const result = results.find((one) => one.rule.id === rule);
  if (result === undefined) throw new Error(`no rule has the id ${rule}`);
  return [result.verdict, ...result.findings.map(({ pointer, actual }) => `${pointer} ${actual}`)];
}

test('without measurements no rule is reached', () => {
  const verdicts = judge(rateLimitRules([]), contract, []).map((result) => result.verdict);
  expect(new Set(verdicts)).toEqual(new Set(['not-reached']));
});

test('a finding names the exchanges that show it', () => {
  const waits: WaitTruth[] = [{ source: 'body', verdict: 'too-early', detail: 'd', judged: 1 }];
  const [result] = judge(rateLimitRules([measured({ waits })]), contract, []);
  expect(result?.findings).toMatchObject([{ exchanges: ['x00007'], request, actual: 'd' }]);
});

describe('announced waits', () => {
  const worst = { announcedMs: 40_000, measuredMs: 5200 };
  const wait = (change: Partial<WaitTruth>): WaitTruth => ({
    source: 'body',
    verdict: 'honest',
    detail: 'd',
    judged: 2,
    ...change,
  });
  const field = { source: 'retry-after' } as const;
  const reset = { source: 'rate-limit-reset' } as const;
  const meant = { verdict: 'wrong-unit', unit: 'milliseconds' } as const;

  test.each<[string, Partial<WaitTruth>, string[]]>([
    ['wait-suffices', {}, ['pass']],
    ['wait-suffices', { verdict: 'too-late', worst }, ['pass']],
    ['wait-suffices', { verdict: 'too-early' }, ['warn', '/retryAfter d']],
    ['wait-suffices', { ...field, verdict: 'too-early' }, ['warn', ' d']],
    ['wait-suffices', { ...reset, verdict: 'too-early' }, ['not-reached']],
    ['wait-suffices', { verdict: 'not-judged', judged: 0 }, ['not-reached']],
    ['wait-suffices', { verdict: 'absent', judged: 0 }, ['not-reached']],
    // The unit of retryAfter is not stated: milliseconds that are right are right.
    ['wait-suffices', { ...meant, inThatUnit: 'honest', worst }, ['pass']],
    ['wait-suffices', { ...meant, inThatUnit: 'too-early' }, ['warn', '/retryAfter d']],
    ['wait-not-excessive', {}, ['pass']],
    ['wait-not-excessive', { verdict: 'too-late', worst }, ['warn', '/retryAfter d']],
    ['wait-not-excessive', { verdict: 'constant', worst }, ['warn', '/retryAfter d']],
    [
      'wait-not-excessive',
      { verdict: 'too-late', worst: { announcedMs: 12_000, measuredMs: 10_000 } },
      ['pass'],
    ],
    ['wait-not-excessive', { ...meant, inThatUnit: 'honest', worst }, ['pass']],
    ['wait-not-excessive', { ...meant, inThatUnit: 'constant' }, ['warn', '/retryAfter d']],
    ['wait-not-excessive', { ...reset, verdict: 'too-late', worst }, ['not-reached']],
    ['retry-after-field', {}, ['not-reached']],
    ['retry-after-field', field, ['pass']],
    ['retry-after-field', { ...field, verdict: 'absent', judged: 0 }, ['not-reached']],
    ['retry-after-field', { ...field, verdict: 'not-a-number', judged: 0 }, ['warn', ' d']],
    ['retry-after-field', { ...field, verdict: 'negative', judged: 0 }, ['warn', ' d']],
    ['retry-after-field', { ...field, ...meant, inThatUnit: 'honest' }, ['warn', ' d']],
    ['waits-agree', { ...field, agrees: true }, ['pass']],
    ['waits-agree', { ...field, agrees: false }, ['warn', '/retryAfter Retry-After: d']],
    ['waits-agree', field, ['not-reached']],
    ['waits-agree', { ...reset, agrees: false }, ['not-reached']],
  ])('%s of %o', (rule, change, expected) => {
    for (const api of ['zap', 'trade'] as const) {
      expect(verdict(`${api}.limits.${rule}`, measured({ api, waits: [wait(change)] }))).toEqual(
        expected,
      );
    }
  });
});

describe('whom a limit covers', () => {
  const trial = (change: Partial<FanOutTrial>): FanOutTrial => ({
    before: 'rejected',
    outcome: 'rejected',
    after: 'rejected',
    admitted: 1,
    ...change,
  });
  const thrice = (change: Partial<FanOutTrial>): FanOutTrial[] =>
    Array.from({ length: 3 }, () => trial(change));
  const fan = (change: Partial<FanOut>): FanOut => ({
    kind: 'other-address',
    trials: thrice({}),
    admittedBefore: 1,
    witnesses,
    ...change,
  });
  const admitted = { trials: thrice({ outcome: 'admitted' }), chance: 0.01 };
  const verdictFor = (
    rule: string,
    change: Partial<FanOut>,
    estimate = FOUND,
  ): string | undefined =>
    verdict(
      rule,
      measured({ api: rule.startsWith('zap') ? 'zap' : 'trade', fanOut: [fan(change)], estimate }),
    )[0];

  test.each<[string, Partial<FanOut>]>([
    ['zap.limits.per-address', { kind: 'other-address' }],
    ['trade.limits.key-apart-from-address', { kind: 'with-key' }],
  ])('%s: refused along with the one that used up its limit', (rule, kind) => {
    const broken = rule.startsWith('zap') ? 'fail' : 'warn';
    expect(verdictFor(rule, kind)).toBe(broken);
    expect(verdictFor(rule, { ...kind, ...admitted })).toBe('pass');
    expect(verdictFor(rule, { kind: 'other-route' })).toBe('not-reached');
    // Nothing is known of a client that was never admitted, or that may have used up its own limit.
    expect(verdictFor(rule, { ...kind, admittedBefore: 0 })).toBe('inconclusive');
    expect(verdictFor(rule, { ...kind, trials: thrice({ admitted: 20 }) })).toBe('inconclusive');
    expect(verdictFor(rule, kind, { ...FOUND, limit: 1 })).toBe('inconclusive');
    expect(verdictFor(rule, kind, { verdict: 'composite', algorithms: [] })).toBe('inconclusive');
    // The bucket may have recovered meanwhile.
    expect(verdictFor(rule, { ...kind, trials: thrice({ after: 'admitted' }) })).toBe(
      'inconclusive',
    );
    expect(verdictFor(rule, { ...kind, trials: thrice({ before: 'admitted' }) })).toBe(
      'inconclusive',
    );
    expect(verdictFor(rule, { ...kind, trials: thrice({ outcome: 'failed' }) })).toBe(
      'inconclusive',
    );
    // Refused twice, admitted as often, or admitted when a token may have come.
    expect(verdictFor(rule, { ...kind, trials: thrice({}).slice(1) })).toBe('inconclusive');
    const mixed = [...thrice({}), ...admitted.trials];
    expect(verdictFor(rule, { ...kind, trials: mixed })).toBe('inconclusive');
    expect(verdictFor(rule, { ...kind, trials: mixed.slice(0, -1) })).toBe(broken);
    expect(verdictFor(rule, { ...kind, ...admitted, chance: 0.02 })).toBe('inconclusive');
    // Records of earlier versions do not say enough.
    const { trials, ...old } = fan(kind);
    expect(trials).toHaveLength(3);
    const before = measured({ api: rule.startsWith('zap') ? 'zap' : 'trade', fanOut: [old] });
    expect(verdict(rule, before)).toEqual(['inconclusive']);
  });

  test('zap.limits.address-not-forged: a forged header admits nobody', () => {
    const rule = 'zap.limits.address-not-forged';
    const forged = { kind: 'forged-forwarded-for', admittedBefore: 0 } as const;
    expect(verdictFor(rule, { ...forged, ...admitted, chance: 1e-6 })).toBe('warn');
    expect(verdictFor(rule, { ...forged, trials: thrice({ admitted: 0 }) })).toBe('pass');
    // A warning on security must never be false.
    for (const chance of [1.01e-6, 1e-4, 1]) {
      expect(verdictFor(rule, { ...forged, ...admitted, chance })).toBe('inconclusive');
    }
    for (const one of ['before', 'after'] as const) {
      const trials = thrice({ outcome: 'admitted', [one]: 'admitted' });
      expect(verdictFor(rule, { ...forged, trials, chance: 1e-7 })).toBe('inconclusive');
    }
    const trials = [...admitted.trials, trial({ admitted: 0 })];
    expect(verdictFor(rule, { ...forged, trials, chance: 1e-7 })).toBe('inconclusive');
  });

  test('the bucket of a key says nothing of addresses', () => {
    const other = measured({ client: 'key', fanOut: [fan({})] });
    expect(verdict('zap.limits.per-address', other)).toEqual(['not-reached']);
  });
});

describe('trade.limits.key-raises-limit', () => {
  const bucket = (burst: number, refillPerSecond: number): LimitEstimate => ({
    verdict: 'identified',
    algorithms: ['token-bucket'],
    burst,
    refillPerSecond,
  });
  const window = (limit: number, windowSeconds: number): LimitEstimate => ({
    ...FOUND,
    limit,
    windowSeconds,
  });
  const notMet = (requests: number, seconds: number): LimitEstimate => ({
    verdict: 'above-budget',
    algorithms: [],
    admitted: { requests, seconds },
  });
  test.each<[string, LimitEstimate, LimitEstimate, string]>([
    ['more in the same window', window(40, 10), window(20, 10), 'pass'],
    ['one more', window(21, 10), window(20, 10), 'pass'],
    ['as many in a shorter window', window(20, 5), window(20, 10), 'pass'],
    ['the same', window(20, 10), window(20, 10), 'fail'],
    ['the same, measured with an error', window(20, 9.8), window(20, 10), 'fail'],
    ['fewer', window(10, 10), window(20, 10), 'fail'],
    ['the same in a longer window', window(20, 60), window(20, 10), 'fail'],
    ['a window for a bucket, both alike', window(20, 10), bucket(20, 2), 'fail'],
    ['a faster refill', bucket(20, 4), bucket(20, 2), 'pass'],
    ['a refill that may be faster or measured so', bucket(20, 2.2), bucket(20, 2), 'inconclusive'],
    ['more at once and slower', bucket(40, 1), bucket(20, 2), 'inconclusive'],
    ['faster and fewer at once', bucket(10, 9), bucket(20, 2), 'inconclusive'],
    ['none found where there is one without', notMet(100, 5), window(20, 10), 'pass'],
    ['none found, and too little tried', notMet(30, 5), window(20, 10), 'inconclusive'],
    ['one found where there is none without', window(20, 10), notMet(500, 60), 'fail'],
    ['one found where little was tried without', window(40, 10), notMet(50, 1), 'inconclusive'],
    ['nothing measured', { verdict: 'composite', algorithms: [] }, window(20, 10), 'inconclusive'],
  ])('%s', (_, withKey, without, expected) => {
    const both = [
      measured({ api: 'trade', client: 'key', estimate: withKey }),
      measured({ api: 'trade', estimate: without }),
    ];
    expect(verdict('trade.limits.key-raises-limit', ...both)[0]).toBe(expected);
  });

  test('the finding states both', () => {
    const both = [
      measured({ api: 'trade', client: 'key', estimate: window(20, 10) }),
      measured({ api: 'trade', estimate: window(20, 10) }),
    ];
    expect(verdict('trade.limits.key-raises-limit', ...both)[1]).toBe(
      ' with a key 20 requests at once and 2 a second, without one 20 requests at once and 2 a second',
    );
  });

  test('one of the two is not enough', () => {
    const one = measured({ api: 'trade', client: 'key' });
    expect(verdict('trade.limits.key-raises-limit', one)).toEqual(['not-reached']);
  });
});

test('the ledger states what was measured if the document is silent', () => {
  const fanOut: FanOut[] = (['other-route', 'trailing-slash', 'path-case'] as const).map(
    (kind, at) => ({
      kind,
      trials: [0, 1].map(() => ({
        before: 'rejected',
        outcome: kind === 'path-case' ? 'admitted' : 'rejected',
        after: 'rejected',
        admitted: 0,
      })),
      ...(kind === 'path-case' ? { chance: 0.01 } : {}),
      admittedBefore: at,
      witnesses,
    }),
  );
  const waits: WaitTruth[] = [
    { source: 'body', verdict: 'honest', detail: 'b', unit: 'seconds', judged: 1 },
    { source: 'rate-limit-reset', verdict: 'too-late', detail: 'r', judged: 1 },
  ];
  const rows = limitLedger([
    measured({ fanOut, waits, failures: 'counted', headerClaims: ['it claims 100, measured 20'] }),
  ]);
  expect(rows).toEqual([
    {
      id: 'zap.limits.measured',
      clause: '§8 numeric rate-limit values',
      observed: ['address: identified, fixed-window, 20 requests, in 10 s'],
    },
    {
      id: 'zap.limits.shared-with',
      clause: '§8 what a rate limit covers',
      observed: [
        'address: other-route refused along, each of 2 times',
        'address: trailing-slash in the same bucket',
        'address: path-case in another bucket, or a larger one',
      ],
    },
    {
      id: 'zap.limits.failed-requests',
      clause: '§8 whether failed requests count',
      observed: ['address: counted'],
    },
    {
      id: 'zap.limits.retry-after-unit',
      clause: '§7 retryAfter unit',
      observed: ['address: seconds'],
    },
    {
      id: 'zap.limits.reset',
      clause: '§8 rate-limit header names and values',
      observed: ['address: too-late: r'],
    },
    {
      id: 'zap.limits.header-claims',
      clause: '§8 rate-limit header names and values',
      observed: ['address: it claims 100, measured 20'],
    },
  ]);
});

test('who may have used up a bucket of its own is not said to share one', () => {
  const fan: FanOut = {
    kind: 'other-address',
    trials: [1, 1].map((admitted) => ({
      before: 'rejected',
      outcome: 'rejected',
      after: 'rejected',
      admitted,
    })),
    admittedBefore: 1,
    witnesses,
  };
  const seen = [1, 2].map((limit) =>
    limitLedger([measured({ estimate: { ...FOUND, limit }, fanOut: [fan] })])
      .filter(({ id }) => id === 'zap.limits.shared-with')
      .flatMap(({ observed }) => observed),
  );
  expect(seen).toEqual([
    ['address: other-address undecided'],
    ['address: other-address in the same bucket'],
  ]);
});

test.each<[FanOut['kind'][], string[]]>([
  [['other-route', 'other-method'], ['address: a bucket for each route, not one for each client']],
  [['other-method'], ['address: a bucket for each method, not one for each client']],
  [['trailing-slash', 'other-address'], []],
])('what is apart by %o: %o', (kinds, expected) => {
  const fanOut = kinds.map((kind): FanOut => ({
    kind,
    trials: [0, 1].map((admitted) => ({
      before: 'rejected',
      outcome: 'admitted',
      after: 'rejected',
      admitted,
    })),
    chance: 0.001,
    admittedBefore: 0,
    witnesses,
  }));
  const seen = limitLedger([measured({ fanOut })]).flatMap(({ observed }) => observed);
  expect(seen.filter((text) => text.includes('a bucket for each'))).toEqual(expected);
});
