/** Long because each part of a comparison is tried on one small run. */

import { describe, expect, test } from 'vitest';
import { isOfNothing } from './comparable-runs.ts';
import { compareRuns } from './compare-runs.ts';
import type { RunComparison } from '../run/run-comparison.ts';
import type { LatencyRow, RunFinding, RunJson, RunRuleRow } from '../run/run.ts';

const finding: RunFinding = {
  ...{ pointer: '/data/path/0/minReturn', expected: 'at most 1', actual: '2' },
  ...{ operation: 'zap.quote', exchanges: ['x00001'], curl: 'curl', count: 1 },
};

function rule(changes: Partial<RunRuleRow> = {}): RunRuleRow {
  return {
    ...{ id: 'zap.a', level: 'must', source: '§2.2', verdict: 'pass', evidence: 9 },
    ...{ protects: 'something', api: 'zap', findings: [] },
    ...changes,
  };
}

const broken = rule({ verdict: 'fail', findings: [finding] });

function run(changes: Partial<RunJson> = {}): RunJson {
  return {
    schemaVersion: 1,
    tool: { name: 'assay', version: '1', sha256: 'a' },
    ...{ startedAt: '2026-01-01T00:00:00Z', endedAt: '2026-01-01T00:00:01Z' },
    ...{ seed: 1, profile: 'gate', outcome: 'conforms', complete: true },
    target: { kind: 'remote', urls: { zap: 'http://127.0.0.1:1' }, credentials: [] },
    contract: { sha256: 'c' },
    record: { id: 'r', head: 'h' },
    counts: { exchanges: 1, requests: 1, answered: 1, throttled: 0, failed: 0 },
    ...{ rules: [rule()], ledger: [], limits: [], notices: [] },
    ...changes,
  };
}

function compared(then: Partial<RunJson>, now: Partial<RunJson>): RunComparison {
  return compareRuns({ run: run(then) }, { run: run(now) }, 'before');
}

/** Ids of rules by what became of their findings. */
function fates({ findings }: RunComparison): object {
  return Object.fromEntries(
    Object.entries(findings).map(([fate, { rows }]) => [fate, rows.map((row) => row.rule)]),
  );
}

const NONE = { fresh: [], fixed: [], still: [], open: [] };

describe('two runs that asked the same', () => {
  test('differ in nothing where both are alike', () => {
    const same = compared({}, {});
    expect(fates(same)).toEqual(NONE);
    expect(same).toMatchObject({ verdict: 'same', reservations: [], base: { name: 'before' } });
  });

  test('say which target the other one was, where both were asked at the same time', () => {
    const { base } = compareRuns({ run: run() }, { run: run() }, 'against', { isBeside: true });
    expect(base).toMatchObject({ name: 'against', beside: { zap: 'http://127.0.0.1:1' } });
    expect(compared({}, {}).base.beside).toBeUndefined();
  });

  test('report what is new and what is fixed', () => {
    const worse = compared({}, { rules: [broken] });
    expect(fates(worse)).toEqual({ ...NONE, fresh: ['zap.a'] });
    const better = compared({ rules: [broken] }, {});
    expect(fates(better)).toEqual({ ...NONE, fixed: ['zap.a'] });
    expect([worse.verdict, better.verdict]).toEqual(['changed', 'changed']);
  });

  test('know a finding again at another position and in other words', () => {
    const moved = {
      ...finding,
      pointer: '/data/path/7/minReturn',
      actual: '3',
      expected: 'no more',
    };
    const still = compared({ rules: [broken] }, { rules: [{ ...broken, findings: [moved] }] });
    expect(fates(still)).toEqual({ ...NONE, still: ['zap.a'] });
    expect(still.verdict).toBe('same');
  });

  test('know a waived finding as one that is still there', () => {
    const waived = { ...broken, verdict: 'waived' as const, reason: 'known' };
    expect(compared({ rules: [broken] }, { rules: [waived] }).findings.still.rows).toMatchObject([
      { rule: 'zap.a', isWaived: true },
    ]);
  });

  test('call nothing fixed that was not judged again', () => {
    const unreached = rule({ verdict: 'not-reached', reason: 'nothing shows it' });
    const silent = compared({ rules: [broken] }, { rules: [unreached] });
    expect(fates(silent)).toEqual({ ...NONE, open: ['zap.a'] });
    expect(silent.findings.open.rows[0]?.why).toContain('nothing shows it');
    expect(silent.notReached.rows).toEqual([
      { rule: 'zap.a', then: 'fail', reason: 'nothing shows it' },
    ]);
    expect(silent.verdict).toBe('unclear');
    expect(fates(compared({ rules: [broken] }, { rules: [] }))).toMatchObject({ fixed: [] });
  });

  test('call nothing new that the baseline could not have seen', () => {
    const unreached = rule({ verdict: 'not-reached', reason: 'no API' });
    expect(fates(compared({ rules: [unreached] }, { rules: [broken] }))).toEqual({
      ...NONE,
      open: ['zap.a'],
    });
    expect(fates(compared({ rules: [] }, { rules: [broken] }))).toMatchObject({ fresh: [] });
  });
});

describe('two runs that did not ask the same', () => {
  test.each<[string, Partial<RunJson>]>([
    ['seed', { seed: 2 }],
    ['profile', { profile: 'nightly' }],
    ['tool', { tool: { name: 'assay', version: '1', sha256: 'b' } }],
    ['contract', { contract: { sha256: 'd' } }],
    ['APIs', { target: { kind: 'remote', urls: {}, credentials: [] } }],
    ['cut short', { complete: false }],
    ['not judged to its end', { record: { id: 'r' } }],
    [
      'choice',
      {
        choice: {
          ...{ only: ['zap'], skip: [], levels: [], failOn: 'must' },
          leftOut: { must: 0, should: 0, observe: 0 },
        },
      },
    ],
  ])('call nothing fixed: %s', (_, changes) => {
    const other = compared({ rules: [broken] }, changes);
    expect(other.reservations).toHaveLength(1);
    expect(fates(other)).toEqual({ ...NONE, open: ['zap.a'] });
    // Another seed chooses other inputs of the same kinds.
    expect(compared({}, changes).verdict).toBe(_ === 'seed' ? 'same' : 'unclear');
  });

  test('still say what is broken now and passed before', () => {
    expect(compared({}, { seed: 2, rules: [broken] }).verdict).toBe('changed');
  });
});

describe('findings of several operations', () => {
  const at = (operation: string, more: Partial<RunFinding> = {}): RunFinding => ({
    ...finding,
    operation,
    ...more,
  });
  const withFindings = (...findings: RunFinding[]): Partial<RunJson> => ({
    rules: [{ ...broken, findings }],
  });

  test('are each followed by themselves', () => {
    const then = withFindings(at('zap.buildTx'));
    const { findings } = compared(then, withFindings(at('zap.quote'), at('zap.buildTx')));
    expect(findings.still.rows.map((row) => row.operation)).toEqual(['zap.buildTx']);
    expect(findings.fresh.rows.map((row) => row.operation)).toEqual(['zap.quote']);
    expect(findings.fixed.rows).toEqual([]);
  });

  test('that show at times are not called fixed by one run', () => {
    const rate = { broken: 1, judged: 200 };
    const { findings, verdict } = compared(withFindings(at('zap.quote', { rate })), {});
    expect(findings.fixed.rows).toEqual([]);
    expect(findings.open.rows).toMatchObject([
      {
        why: 'it is intermittent (the same requests showed it 1 of 200 times), which one run cannot show to be fixed',
      },
    ]);
    expect(verdict).toBe('unclear');
  });

  const ofSome = at('zap.quote', {
    ...{ rate: { broken: 3, judged: 3 }, share: { broken: 3, judged: 10 } },
  });
  const fixedWith = (kept: number, times: number, changes: Partial<RunJson> = {}): number => {
    const then = run(withFindings(ofSome));
    const judgedAt = [
      { operation: 'zap.quote', times },
      { operation: 'zap.pools', times: 99 },
    ];
    const now = run({ rules: [rule({ judgedAt })], ...changes });
    const options = { keptOf: (): number => kept };
    return compareRuns({ run: then }, { run: now }, 'before', options).findings.fixed.rows.length;
  };

  test.each([
    ['whose own requests were judged kept', 1, 1, 1],
    ['whose operation was judged by too few others', 0, 32, 0],
    ['that so many others at their operation would have shown', 0, 33, 1],
  ])('are fixed or left open: %s', (_what, kept, times, fixed) => {
    expect(fixedWith(kept, times)).toBe(fixed);
    expect(fixedWith(kept, times, { complete: false })).toBe(0);
  });

  test.each([
    [{ broken: 27, judged: 96 }, 0],
    [{ broken: 95, judged: 96 }, 1],
  ])('at a share of %j are fixed %i times by other requests of another seed', (share, fixed) => {
    // All of the 27 may be of one chain, from which another seed asks nothing.
    const found = withFindings(at('zap.quote', { rate: { broken: 3, judged: 3 }, share }));
    const asked = { rules: [rule({ judgedAt: [{ operation: 'zap.quote', times: 900 }] })] };
    const other = { seed: 2, ...asked };
    const between = (then: Partial<RunJson>, now: Partial<RunJson>): RunComparison['findings'] =>
      compareRuns({ run: run(then) }, { run: run(now) }, 'before', { keptOf: () => 0 }).findings;
    expect(between(found, other).fixed.rows).toHaveLength(fixed);
    expect(between(other, found).fresh.rows).toHaveLength(fixed);
    expect(between(asked, found).fresh.rows).toHaveLength(1);
    expect(fixedWith(1, 1, { seed: 2 })).toBe(1);
  });

  test.each([
    [20, 0],
    [200, 1],
  ])('that show at times are new only beside %i answers in the baseline', (times, fresh) => {
    const judgedAt = [{ operation: 'zap.quote', times }];
    const share = { broken: 5, judged: 100 };
    const flaky = at('zap.quote', { rate: { broken: 2, judged: 8 }, share });
    const then = run({ rules: [rule({ judgedAt })] });
    const found = compareRuns({ run: then }, { run: run(withFindings(flaky)) }, 'before').findings;
    expect([found.fresh.rows.length, found.open.rows.length]).toEqual([fresh, 1 - fresh]);
  });
});

describe('a run during which the service was out', () => {
  const outages = ['zap'];

  test('at one operation leaves open whether that differs', () => {
    const { verdict, reservations } = compared({}, { outages: ['zap.quote'] });
    expect(verdict).toBe('unclear');
    expect(reservations).toContain('In the run zap.quote was out, which says nothing of it.');
  });

  test('leaves open whether anything differs', () => {
    const out = { outages, outcome: 'undecided' as const };
    for (const one of [compared({}, out), compared(out, {}), compared({ rules: [broken] }, out)]) {
      expect(one.verdict).toBe('unclear');
      expect(one.reservations.join()).toContain('the zap API was out, which says nothing of it');
    }
  });

  test('has neither as new nor as fixed what the outage alone showed', () => {
    const ofOutage = {
      rules: [{ ...broken, findings: [{ ...finding, isOfOutage: true as const }] }],
    };
    for (const one of [
      compared({}, { outages, ...ofOutage }),
      compared({ outages, ...ofOutage }, {}),
    ])
      expect([fates(one), one.findings.open.rows[0]?.why, one.verdict]).toEqual([
        ...[{ ...NONE, open: ['zap.a'] }, 'the answers of an outage alone showed it', 'unclear'],
      ]);
  });

  test('still has as new what an answer showed', () => {
    expect(compared({}, { outages, rules: [broken] }).verdict).toBe('changed');
  });

  test('leaves its errors out, and all of an API that served nothing', () => {
    const leftOut = (changes: Partial<RunJson>): boolean[] =>
      [200, 404, 503].map((status) =>
        isOfNothing(run(changes), { api: 'zap', operation: 'zap.quote', status }),
      );
    const unreached = { outcome: 'undecided', rules: [rule({ verdict: 'not-reached' })] } as const;
    expect(leftOut({})).toEqual([false, false, false]);
    expect(leftOut({ outages })).toEqual([false, false, true]);
    expect(leftOut({ outages: ['zap.quote'] })).toEqual([false, false, true]);
    expect(leftOut({ outages: ['trade', 'zap.build-tx'] })).toEqual([false, false, false]);
    expect(leftOut(unreached)).toEqual([true, true, true]);
    expect(leftOut({ ...unreached, rules: [...unreached.rules, rule()] })[0]).toBe(false);
  });
});

describe('what was added', () => {
  test('is listed, and is no difference', () => {
    const row = (operation: string): LatencyRow => ({
      ...{ operation, count: 5, p50Ms: 1, p95Ms: 2, p99Ms: 2, worstMs: 2 },
    });
    const then = { latencies: [row('zap.quote')] };
    const now = { latencies: [row('zap.quote'), row('zap.new'), row('GET of zap')] };
    const { added, verdict } = compared(then, now);
    expect([added?.rows, verdict]).toEqual([['zap.new'], 'same']);
    expect(compared(now, now).added).toBeUndefined();
    expect(compared(then, { ...now, complete: false }).added).toBeUndefined();
  });
});

describe('the ledger', () => {
  const row = (observed: readonly string[]): Partial<RunJson> => ({
    ledger: [{ id: 'zap.limits.values', clause: '§8', observed }],
  });

  test('changes for certain where nothing that was seen is seen again', () => {
    const { ledger, verdict } = compared(row(['600 in 10 s']), row(['300 in 10 s']));
    expect(ledger.rows).toMatchObject([
      { came: ['300 in 10 s'], went: ['600 in 10 s'], grade: 'certain' },
    ]);
    expect(verdict).toBe('changed');
    expect(compared(row(['a']), { ...row(['b']), seed: 2 }).verdict).toBe('unclear');
  });

  test('may change by chance where some of it is, or what was seen depends on the request', () => {
    const some = compared(row(['a', 'b']), row(['a', 'c']));
    expect(some.ledger.rows).toMatchObject([{ came: ['c'], went: ['b'], grade: 'uncertain' }]);
    expect(some.verdict).toBe('same');
    expect(compared(row(['x: 400']), row(['y: 400'])).verdict).toBe('same');
  });

  test('says nothing of what one run alone saw anything of', () => {
    expect(compared({}, row(['a'])).ledger.rows).toEqual([]);
    expect(compared(row(['a']), {}).ledger.rows).toEqual([]);
  });

  test('does not mind that each deployment names its own host', () => {
    const at = (url: string): Partial<RunJson> => ({
      ...row([`${url}/openapi.yaml`]),
      target: { kind: 'remote', urls: { zap: `${url}/` }, credentials: [] },
    });
    expect(compared(at('http://127.0.0.1:1'), at('http://127.0.0.1:2')).ledger.rows).toEqual([]);
  });
});

test('latencies stand beside each other', () => {
  const withMedian = (p50Ms: number): Partial<RunJson> => ({
    latencies: [{ operation: 'zap.quote', count: 5, p50Ms, p95Ms: 9, p99Ms: 9, worstMs: 9 }],
  });
  const { latencies, verdict } = compared(withMedian(1), withMedian(8));
  expect(latencies).toEqual([
    {
      operation: 'zap.quote',
      then: { count: 5, p50Ms: 1, p95Ms: 9 },
      now: { count: 5, p50Ms: 8, p95Ms: 9 },
    },
  ]);
  expect(verdict).toBe('same');
});

test('lists are bounded, and say how much more there is', () => {
  const findings = Array.from({ length: 250 }, (_, at) => ({ ...finding, pointer: `/k${at}x` }));
  const { fresh } = compared({}, { rules: [{ ...broken, findings }] }).findings;
  expect([fresh.rows.length, fresh.more]).toEqual([200, 50]);
});

test('what a hostile record says of itself takes bounded room', () => {
  const long = 'x'.repeat(1_000_000);
  const comparison = compared(
    {
      tool: { name: long, version: long, sha256: long },
      target: { kind: 'remote', urls: { zap: long }, credentials: [long] },
      record: { id: long, head: long },
      rules: [{ ...broken, findings: [{ ...finding, operation: long, pointer: `/${long}` }] }],
      ledger: [{ id: 'a', clause: long, observed: [long] }],
    },
    {
      rules: [rule({ verdict: 'not-reached', reason: long })],
      ledger: [{ id: 'a', clause: 'c', observed: ['b'] }],
    },
  );
  expect(comparison.findings.open.rows).toHaveLength(1);
  expect(JSON.stringify(comparison).length).toBeLessThan(40_000);
});
