/** Long because each part of a release is tried on a few small runs. */

import { describe, expect, test } from 'vitest';
import { EXAMPLE_LOAD } from '../run/load/load-run.testkit.ts';
import { apisOutOfScope, openGaps, releaseOf } from './release-outcome.ts';
import { KNOWN, passed, runOf, same } from './release.testkit.ts';
import type { KnownRule, Release } from './release.ts';
import type { RunJson, Verdict } from '../run/run.ts';

const WAIVER = { rule: 'zap.b', reason: 'no pools yet', owner: 'me', expires: '2026-02-01' };

function release(
  runs: readonly [RunJson, ...RunJson[]],
  {
    known = KNOWN,
    on = '2026-01-03',
    scope = ['zap'],
  }: { known?: readonly KnownRule[]; on?: string; scope?: readonly string[] | 'of version 1' } = {},
): Release {
  const [first, ...more] = runs;
  const issuedAt = `${on}T00:00:00.000Z`;
  const named = typeof scope === 'string' ? {} : { scope };
  return releaseOf({
    ...{ release: '1.2', issuedAt, known, runs: [same(first), ...more.map(same)] },
    ...named,
  });
}

const missed = passed('zap.b', { verdict: 'not-reached', evidence: 0, reason: 'no exchange' });

test('runs that conform and leave nothing open make a release that conforms', () => {
  const made = release([runOf('r1'), runOf('r2')]);
  expect(made).toMatchObject({ outcome: 'conforms', gaps: [], waivers: [] });
  expect(made.rules).toEqual([
    {
      id: 'zap.a',
      level: 'must',
      source: '§2.2',
      verdict: 'pass',
      evidence: 10,
      verdicts: ['pass', 'pass'],
    },
    {
      id: 'zap.b',
      level: 'must',
      source: '§2.2',
      verdict: 'pass',
      evidence: 10,
      verdicts: ['pass', 'pass'],
    },
  ]);
});

test.each(['does-not-conform', 'undecided'] as const)(
  'one run that is %s decides for all',
  (outcome) => {
    expect(release([runOf('r1'), runOf('r2', { outcome })]).outcome).toBe(outcome);
  },
);

test('a run that does not conform outweighs one that is undecided', () => {
  const runs = [
    runOf('r1', { outcome: 'undecided' }),
    runOf('r2', { outcome: 'does-not-conform' }),
  ] as const;
  expect(release(runs).outcome).toBe('does-not-conform');
});

describe('a must rule that no run reached', () => {
  const run = runOf('r1', { rules: [passed('zap.a'), missed] });

  test('keeps the release from conforming, with the reason of the run', () => {
    const made = release([run]);
    expect(made.outcome).toBe('undecided');
    expect(made.gaps).toEqual([{ rule: 'zap.b', kind: 'not-reached', reason: 'no exchange' }]);
    expect(release([run], { scope: 'of version 1' }).outcome).toBe('does-not-conform');
  });

  test('is reached when another run reached it', () => {
    expect(release([run, runOf('r2')])).toMatchObject({ outcome: 'conforms', gaps: [] });
  });

  test('may be accepted by a waiver, until its last day', () => {
    const waived = { ...run, waivers: [WAIVER] };
    const made = release([waived], { on: '2026-02-01' });
    expect(made).toMatchObject({ outcome: 'conforms', waivers: [WAIVER] });
    expect(made.gaps).toMatchObject([{ rule: 'zap.b', waiver: WAIVER }]);
    expect(openGaps(made)).toEqual([]);
    expect(release([waived], { on: '2026-02-02' }).outcome).toBe('undecided');
  });

  test('is accepted by no waiver of one operation', () => {
    const waivers = [{ ...WAIVER, operation: 'zap.quote' }];
    const { outcome, gaps } = release([{ ...run, waivers }], { on: '2026-02-01' });
    expect([outcome, gaps[0]?.waiver]).toEqual(['undecided', undefined]);
  });

  test('says what kind of run would have judged it', () => {
    const limits: KnownRule = {
      ...{ id: 'zap.limits.a', level: 'must', source: '§8', kind: 'limits', api: 'zap' },
    };
    const made = release([runOf('r1')], { known: [...KNOWN, limits] });
    expect(made.outcome).toBe('undecided');
    expect(made.rules.at(-1)).toMatchObject({ verdict: null, verdicts: [null], evidence: 0 });
    expect(made.gaps[0]?.reason).toBe('no run of `assay limits` is among them');
  });

  test('counts as well if --skip left it out everywhere', () => {
    const made = release([runOf('r1', { rules: [passed('zap.a')] })]);
    expect(made.gaps).toMatchObject([
      { rule: 'zap.b', reason: expect.stringMatching(/--skip/) as string },
    ]);
  });

  test('is no matter if it is no must', () => {
    const should = { ...missed, level: 'should' } as const;
    expect(release([runOf('r1', { rules: [passed('zap.a'), should] })]).outcome).toBe('conforms');
  });
});

test('a must rule whose comparisons moved everywhere leaves the release undecided', () => {
  const moved = passed('zap.b', { verdict: 'inconclusive', evidence: 0, reason: 'moved' });
  const run = runOf('r1', { rules: [passed('zap.a'), moved] });
  expect(release([run]).outcome).toBe('undecided');
  expect(release([run, runOf('r2')]).outcome).toBe('conforms');
  expect(release([{ ...run, waivers: [WAIVER] }]).outcome).toBe('conforms');
});

test('a waiver that has ended since the run no longer accepts what is broken', () => {
  const waived = passed('zap.b', { verdict: 'waived', reason: 'x' });
  const run = runOf('r1', { rules: [passed('zap.a'), waived], waivers: [WAIVER] });
  expect(release([run])).toMatchObject({ outcome: 'conforms', waivers: [WAIVER], gaps: [] });
  expect(release([run], { on: '2026-02-02' })).toMatchObject({
    outcome: 'does-not-conform',
    gaps: [{ rule: 'zap.b', kind: 'expired' }],
  });
});

test('what waivers of operations accept is accepted while all of them hold', () => {
  const finding = {
    pointer: '',
    expected: 'a',
    actual: 'b',
    exchanges: ['x1'],
    curl: 'curl',
    count: 1,
  };
  const operations = ['zap.quote', 'zap.buildTx'];
  const findings = operations.map((operation) => ({ ...finding, operation }));
  const waived = passed('zap.b', { verdict: 'waived', reason: 'x', findings });
  const [one, other] = operations.map((operation) => ({ ...WAIVER, operation }));
  if (one === undefined || other === undefined) throw new Error('two are wanted');
  const gapsWith = (expires: string): unknown => {
    const waivers = [one, { ...other, expires }];
    const run = runOf('r1', { rules: [passed('zap.a'), waived], waivers });
    return release([run], { on: '2026-02-01' }).gaps;
  };
  expect(gapsWith('2026-02-01')).toEqual([]);
  expect(gapsWith('2026-01-31')).toMatchObject([{ rule: 'zap.b', kind: 'expired' }]);
});

test.each([
  [['pass', 'fail'], 'fail'],
  [['waived', 'pass'], 'waived'],
  [['inconclusive', 'pass'], 'pass'],
  [['not-reached', 'inconclusive'], 'inconclusive'],
  [['pass', 'warn'], 'warn'],
] as const)('verdicts %j come to %s', (verdicts, verdict) => {
  const saying = (id: string, each: Verdict): RunJson =>
    runOf(id, { rules: [passed('zap.a', { verdict: each })] });
  const runs = [saying('r1', verdicts[0]), saying('r2', verdicts[1])] as const;
  const made = release(runs, { known: [] });
  expect(made.rules[0]?.verdict).toBe(verdict);
});

describe('the scope', () => {
  const trade: KnownRule = {
    id: 'trade.a',
    level: 'must',
    source: '§3',
    kind: 'check',
    api: 'trade',
  };
  const unreached = passed('trade.a', { api: 'trade', verdict: 'not-reached', evidence: 0 });
  const known = [...KNOWN, trade];

  test('leaves out the rules of other APIs, which no waiver needs to accept', () => {
    const run = runOf('r1', { rules: [...runOf('r1').rules, unreached] });
    const made = release([run], { known });
    expect(made).toMatchObject({ outcome: 'conforms', scope: ['zap'], gaps: [] });
    expect(made.rules.map(({ id }) => id)).toEqual(['zap.a', 'zap.b']);
    expect(apisOutOfScope(made)).toEqual(['trade', 'docs', 'ai']);
  });

  test('holds a release to an API that no run asked', () => {
    expect(release([runOf('r1')], { known, scope: ['zap', 'trade'] })).toMatchObject({
      outcome: 'undecided',
      gaps: [{ rule: 'trade.a', kind: 'not-reached' }],
    });
  });

  test('hides nothing that is broken in its runs', () => {
    const broken = { ...unreached, verdict: 'fail' } as const;
    const run = runOf('r1', { outcome: 'does-not-conform', rules: [broken] });
    const made = release([run], { known });
    expect(made.outcome).toBe('does-not-conform');
    expect(made.rules).toContainEqual(expect.objectContaining({ id: 'trade.a', verdict: 'fail' }));
  });
});

test('a release has the figures of its loads and the limits that it measured; one of version 1 has not', () => {
  const limit = {
    api: 'zap',
    scope: 'per key',
    verdict: 'identified',
    algorithms: ['window'],
    limit: 30,
  };
  const run = runOf('r1', {
    load: EXAMPLE_LOAD,
    limits: [{ ...limit, requests: 9, seconds: 4 }] as RunJson['limits'],
  });
  const [row] = release([run]).runs;
  expect(row?.load?.figures).toEqual({
    ...{ sent: 200, served: 170, errors: 8, throttled: 20, seconds: 20 },
    ...{ p50Ms: 20, p95Ms: 50, p99Ms: 120, held: ['p99<300ms'] },
  });
  expect(row?.limits).toEqual([limit]);
  const [old] = release([run], { scope: 'of version 1' }).runs;
  expect(old).not.toHaveProperty('limits');
  expect(old?.load).not.toHaveProperty('figures');
});

describe('a load run', () => {
  const load = { ...EXAMPLE_LOAD, invalid: [], thresholds: [] };
  const broken = { expression: 'p99<1ms', measured: 9, held: false };

  test.each([
    ['held', { ...load }, 'conforms'],
    ['broken', { ...load, thresholds: [broken] }, 'does-not-conform'],
    ['without figures that count', { ...load, invalid: ['late'] }, 'undecided'],
  ] as const)('%s', (_what, one, outcome) => {
    const made = release([runOf('r1', { load: one })]);
    expect(made.outcome).toBe(outcome);
    expect(made.runs[0]).toMatchObject({ kind: 'load', outcome });
  });
});

test('labels on which runs agree are those of the release, whatever they are called', () => {
  const named = JSON.parse('{"commit":"a1","night":"1","__proto__":"y"}') as Record<string, string>;
  const made = release([
    runOf('r1', { labels: named }),
    runOf('r2', { labels: { commit: 'a1', night: '2' } }),
  ]);
  expect(Object.entries(made.labels)).toEqual([
    ['commit', 'a1'],
    ['__proto__', 'y'],
  ]);
});
