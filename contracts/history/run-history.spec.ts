/** Long because what a history keeps, and what of it changed, are tried on the same runs. */

import { describe, expect, test } from 'vitest';
import { omit } from '../wire/json.ts';
import { passed, runOf } from '../release/release.testkit.ts';
import { historyEntryOf, historyOf } from './run-history.ts';
import { limitSeries, ruleChanges, seenChanges } from './run-history-changes.ts';
import { entryAt } from './run-history.testkit.ts';

const nights = (count: number): ReturnType<typeof entryAt>[] =>
  Array.from({ length: count }, (_, at) => entryAt(at));

describe('a run among others', () => {
  test('has those of its kind before it, oldest first, itself last', () => {
    const run = entryAt(9);
    const found = historyOf(run, [entryAt(4), run, entryAt(2), entryAt(3)]);
    expect(found.entries.map(({ id }) => id)).toEqual(['id-2', 'id-3', 'id-4', 'id-9']);
    expect(found.notes).toEqual([]);
  });

  test('reports how many others there are, and why each is none of them', () => {
    const others = [
      entryAt(0, { kind: 'load' }),
      entryAt(1, { target: { kind: 'remote', urls: { zap: 'http://127.0.0.1:9' } } }),
      entryAt(2, { target: { kind: 'reference', urls: {} } }),
      entryAt(3, { profile: 'nightly' }),
      entryAt(4, { choice: '{"only":["zap.a"]}' }),
      entryAt(5),
      entryAt(6, { id: 'id-5' }),
      entryAt(11),
    ];
    const { entries, notes } = historyOf(entryAt(9), others);
    expect(entries.map(({ id }) => id)).toEqual(['id-5', 'id-9']);
    expect(notes).toEqual([
      'Not shown: 1 of another kind than check, 2 of another target, 1 of another profile than gate, 1 with another choice of rules, 1 copies of another one, 1 that began after it.',
    ]);
  });

  test('is set among those of its environment, if that has a name, and of no other', () => {
    const at = (port: number, environment: string): Parameters<typeof entryAt>[1] => ({
      target: { kind: 'remote', urls: { zap: `http://127.0.0.1:${port}` } },
      labels: { environment },
    });
    const others = [
      entryAt(0, at(1, 'staging')),
      entryAt(1, at(2, 'staging')),
      entryAt(2, at(1, 'pr')),
    ];
    const { entries, notes } = historyOf(entryAt(9, at(1, 'staging')), others);
    expect(entries.map(({ id }) => id)).toEqual(['id-0', 'id-1', 'id-9']);
    expect(notes).toEqual(['Not shown: 1 of another target.']);
  });

  test('of the embedded service, whose ports are others each time, belongs to those before', () => {
    const target = (port: number): Parameters<typeof entryAt>[1] => ({
      target: { kind: 'reference', urls: { zap: `http://127.0.0.1:${port}` } },
    });
    expect(historyOf(entryAt(1, target(2)), [entryAt(0, target(1))]).entries).toHaveLength(2);
  });

  test('says where other code or another contract has judged', () => {
    const other = entryAt(0, { tool: 'c'.repeat(64), contract: 'd'.repeat(64) });
    expect(historyOf(entryAt(2), [other, entryAt(1)]).notes).toEqual([
      '1 of 2 earlier runs were judged by other code of Assay than this one.',
      '1 of 2 earlier runs were judged by another contract.',
    ]);
  });

  test('has 120 runs at the most, the newest', () => {
    const { entries, notes } = historyOf(entryAt(200), nights(150));
    expect(entries).toHaveLength(120);
    expect(entries[0]?.id).toBe('id-31');
    expect(notes).toEqual(['The oldest 31 are not shown, beyond 120.']);
  });
});

describe('rules that an outage alone broke', () => {
  const out = { verdicts: { fail: ['zap.a', 'zap.b'] }, ofOutage: ['zap.a'] };

  test('are neither broken nor mended, and end no state', () => {
    const changes = ruleChanges([entryAt(0), entryAt(1, out), entryAt(2)]);
    expect(changes.map(({ id, state }) => [id, state])).toEqual([['zap.b', 'mended']]);
    expect(ruleChanges([entryAt(0), entryAt(1, out)]).map(({ id }) => id)).toEqual(['zap.b']);
  });

  test('are kept with the run, and so are the APIs that were out', () => {
    const finding = {
      ...{ operation: 'zap.a', pointer: '', expected: '', actual: '', exchanges: [], curl: '' },
      ...{ count: 1, isOfOutage: true as const },
    };
    const rules = [
      passed('zap.a', { verdict: 'fail', findings: [finding] }),
      passed('zap.b', { verdict: 'fail', findings: [finding, omit(finding, 'isOfOutage')] }),
      passed('zap.c'),
    ];
    expect(historyEntryOf(runOf('r1', { rules, outages: ['zap'] }), 'n1')).toMatchObject({
      ...{ ofOutage: ['zap.a'], outages: ['zap'] },
    });
  });
});

describe('rules over the runs', () => {
  const red = { verdicts: { pass: ['zap.a'], fail: ['zap.b'], 'not-reached': ['zap.c'] } };

  test('a rule that turned red is reported with the run that did it first', () => {
    const entries = [...nights(3), entryAt(3, red), entryAt(4, red)];
    expect(ruleChanges(entries)).toEqual([
      {
        ...{ id: 'zap.b', state: 'red', verdict: 'fail', since: 3, broken: 2, judged: 5 },
        isJudgedOtherwise: false,
      },
    ]);
  });

  test('a run that did not reach it does not end its state, and one that held does', () => {
    const unknown = { verdicts: { 'not-reached': ['zap.b'] } };
    const gap = [entryAt(0, red), entryAt(1, unknown), entryAt(2, red)];
    expect(ruleChanges(gap)[0]).toMatchObject({ since: 0, broken: 2, judged: 2 });
    const held = [entryAt(0, red), entryAt(1), entryAt(2, red)];
    expect(ruleChanges(held)[0]).toMatchObject({ since: 2, broken: 2, judged: 3 });
  });

  test('a rule that is mended, and one that is no longer reached, are reported behind it', () => {
    const lost = { verdicts: { fail: ['zap.b'], pass: ['zap.d'], 'not-reached': ['zap.a'] } };
    const before = { verdicts: { fail: ['zap.d'], pass: ['zap.a', 'zap.b'] } };
    const states = ruleChanges([entryAt(0, before), entryAt(1, lost)]).map(
      ({ id, state }) => `${id} ${state}`,
    );
    expect(states).toEqual(['zap.b red', 'zap.a lost', 'zap.d mended']);
    const cutShort = entryAt(1, { ...lost, complete: false });
    expect(ruleChanges([entryAt(0, before), cutShort]).map(({ state }) => state)).toEqual([
      'red',
      'mended',
    ]);
  });

  test('a change that came with other code of Assay says so', () => {
    const [change] = ruleChanges([entryAt(0, { tool: 'c'.repeat(64) }), entryAt(1, red)]);
    expect(change?.isJudgedOtherwise).toBe(true);
  });

  test('a rule is broken at each operation since that one broke it', () => {
    const fail = { pass: ['zap.a'], fail: ['zap.b'] };
    const judgedAt = { 'zap.b': { 'zap.build-tx': 9, 'zap.quote': 9 } };
    const broken = (...operations: string[]): object => ({
      ...{ verdicts: fail, judgedAt, brokenAt: { 'zap.b': operations } },
    });
    const sinceOf = (...runs: readonly object[]): unknown =>
      ruleChanges(runs.map((run, at) => entryAt(at, run))).map(
        ({ operation, since, broken: times }) => [...[operation, since, times]],
      );
    const [build, quote] = [broken('zap.build-tx'), broken('zap.quote')];
    expect(sinceOf(build, build, quote)).toEqual([['zap.quote', 2, 1]]);
    expect(sinceOf(build, build, quote, broken('zap.build-tx', 'zap.quote'))).toEqual([
      ['zap.build-tx', 3, 3],
      ['zap.quote', 2, 2],
    ]);
    // An entry of an earlier version says nothing of operations.
    expect(sinceOf({ verdicts: fail }, quote)).toEqual([['zap.quote', 0, 2]]);
    const without = { ...build, judgedAt: { 'zap.b': { 'zap.build-tx': 9, 'zap.pools': 1 } } };
    expect(sinceOf(quote, without, quote)).toEqual([['zap.quote', 0, 2]]);
  });

  test('a rule that always held, or was never reached, is no change', () => {
    expect(ruleChanges(nights(5))).toEqual([]);
    expect(ruleChanges([])).toEqual([]);
  });
});

const FOUND = {
  ...{ pointer: '/a', expected: 'a', actual: 'b', exchanges: ['x1'], curl: 'curl', count: 1 },
};

describe('a rule that shows at times', () => {
  const red = { verdicts: { pass: ['zap.a'], fail: ['zap.b'] } };
  const flaky = {
    ...{ ...red, intermittent: ['zap.b'] },
    rates: { 'zap.b': { broken: 4, judged: 200 } },
  };
  const last = (...runs: Parameters<typeof entryAt>[1][]): unknown =>
    ruleChanges(runs.map((run, at) => entryAt(at, run)))[0];

  test('counts how often it was judged where it held as well', () => {
    const [held, broke] = [
      { verdicts: { pass: ['zap.a', 'zap.b'] }, judged: { pass: [7, 150] } },
      { ...flaky, judged: { pass: [7], fail: [250], 'not-reached': [0] } },
    ];
    const [change] = ruleChanges([entryAt(0, held), entryAt(1, broke), entryAt(2, held)]);
    expect(change).toMatchObject({ id: 'zap.b', rate: { broken: 4, judged: 500 } });
    const { judged, verdicts } = historyEntryOf(
      runOf('r1', { rules: [passed('zap.a', { evidence: 3 }), passed('zap.b', { evidence: 4 })] }),
      'n1',
    );
    expect([verdicts.pass, judged?.pass]).toEqual([
      ['zap.a', 'zap.b'],
      [3, 4],
    ]);
  });

  test('counts what was judged at the operations that showed it, in runs in which it held as well', () => {
    const at = { 'zap.b': { 'zap.quote': 100, 'zap.build-tx': 150 } };
    const held = {
      ...{ verdicts: { pass: ['zap.a', 'zap.b'] }, judged: { pass: [7, 250] }, judgedAt: at },
    };
    const broke = { ...flaky, judgedAt: at, brokenAt: { 'zap.b': ['zap.quote'] } };
    expect(last(broke, held, broke)).toMatchObject({ rate: { broken: 8, judged: 300 } });
    const findings = [{ ...FOUND, operation: 'zap.quote' }];
    const judgedAt = Object.entries(at['zap.b']).map(([operation, times]) => ({
      ...{ operation, times },
    }));
    const row = passed('zap.b', { verdict: 'fail', findings, judgedAt });
    expect(historyEntryOf(runOf('r1', { rules: [row] }), 'n1')).toMatchObject({
      ...{ judgedAt: at, brokenAt: { 'zap.b': ['zap.quote'] } },
    });
  });

  test('is red since its first break, whatever held between in too few runs', () => {
    const held = { verdicts: { pass: ['zap.a', 'zap.b'] }, judged: { pass: [7, 200] } };
    const since = (...runs: Parameters<typeof entryAt>[1][]): unknown =>
      (last(...runs) as { since: number }).since;
    expect(since(held, held, flaky, held, flaky, held, held, flaky)).toBe(2);
    const four = [flaky, flaky, flaky, flaky];
    expect(since(...four, held, held, held, flaky)).toBe(7);
    const steady = { ...red, rates: { 'zap.b': { broken: 9, judged: 9 } } };
    expect(since(held, steady, held, steady)).toBe(3);
    // Earlier versions kept no rates.
    expect(since(held, red, held, flaky)).toBe(1);
  });

  test('has the rates of all runs, put together', () => {
    expect(last(flaky, {}, flaky)).toMatchObject({
      ...{ state: 'red', broken: 2, judged: 3 },
      rate: { broken: 8, judged: 400 },
    });
    const steady = { ...red, rates: { 'zap.b': { broken: 9, judged: 9 } } };
    expect(last(steady, {})).not.toHaveProperty('rate');
  });

  test('counts what is broken anywhere, whichever of its findings shows most often', () => {
    const findings = [
      { ...FOUND, operation: 'zap.a', rate: { broken: 3, judged: 3 } },
      { ...FOUND, operation: 'zap.b', rate: { broken: 2, judged: 4 } },
    ];
    const rate = { broken: 5, judged: 90 };
    const row = passed('zap.b', { verdict: 'fail', evidence: 95, rate, findings });
    const { rates, intermittent } = historyEntryOf(runOf('r1', { rules: [row] }), 'n1');
    expect([rates, intermittent]).toEqual([{ 'zap.b': rate }, ['zap.b']]);
  });

  test('is not called fixed by one run, and is by enough of them', () => {
    const held = (runs: number, times: number): object[] =>
      Array.from({ length: runs }, () => ({
        ...{ verdicts: { pass: ['zap.a', 'zap.b'] }, judged: { pass: [times, times] } },
      }));
    expect(last(flaky, ...held(1, 9_999))).toMatchObject({ state: 'mended', isOpen: true });
    // 4 of 200 are missed by 430 in 1 of 100.
    expect(last(flaky, ...held(2, 200))).toHaveProperty('isOpen');
    expect(last(flaky, ...held(3, 200))).not.toHaveProperty('isOpen');
    // What came and went before stays away in many runs before that is no chance.
    expect(last(flaky, ...held(1, 200), flaky, ...held(11, 200))).toHaveProperty('isOpen');
    expect(last(flaky, ...held(1, 200), flaky, ...held(40, 200))).not.toHaveProperty('isOpen');
  });
});

describe('what was seen over the runs', () => {
  const codes = (...observed: string[]): { ledger: Record<string, string[]> } => ({
    ledger: { 'zap.errors.codes': observed },
  });

  test('what came for good and what went for good is reported with the run', () => {
    const entries = [
      entryAt(0, codes('A', 'B')),
      entryAt(1, codes('A', 'B')),
      entryAt(2, codes('A', 'C')),
    ];
    expect(seenChanges(entries)).toEqual({
      changes: [
        { clause: 'zap.errors.codes', observation: 'B', kind: 'went', since: 2 },
        { clause: 'zap.errors.codes', observation: 'C', kind: 'came', since: 2 },
      ],
      varying: [],
    });
  });

  test('what runs of other seeds saw by chance is no change', () => {
    const seeded = (count: number, ...observed: string[]): ReturnType<typeof entryAt>[] =>
      Array.from({ length: count }, (_, at) => entryAt(at, { ...codes(...observed), seed: at }));
    const nightlies = (count: number): ReturnType<typeof seenChanges> =>
      seenChanges([...seeded(count, 'A'), ...seeded(count, 'A', 'B')]);
    expect(nightlies(2)).toEqual({ changes: [], varying: ['zap.errors.codes'] });
    expect(nightlies(7).changes).toMatchObject([{ observation: 'B', kind: 'came', since: 7 }]);
  });

  test('what comes and goes is no change', () => {
    const entries = [['A'], ['A', 'B'], ['A'], ['A', 'B']].map((all, at) =>
      entryAt(at, codes(...all)),
    );
    expect(seenChanges(entries)).toEqual({ changes: [], varying: ['zap.errors.codes'] });
  });

  test('a run that was cut short, and an unspecified clause that was not kept whole, say nothing', () => {
    const cutShort = entryAt(1, { ...codes('A'), complete: false });
    const around = [entryAt(0, codes('A', 'B')), cutShort, entryAt(2, codes('A', 'B'))];
    expect(seenChanges(around)).toEqual({ changes: [], varying: [] });
    const notWhole = entryAt(1, { ledger: {}, ledgerCut: ['zap.errors.codes'] });
    expect(seenChanges([entryAt(0, codes('A')), notWhole]).changes).toEqual([]);
    const notNamed = entryAt(1, { ledger: {} });
    expect(seenChanges([entryAt(0, codes('A')), notNamed]).changes).toHaveLength(1);
  });
});

test('a limit is followed by API and scope, with gaps where it was not probed', () => {
  const row = { api: 'zap', scope: 'per client address', verdict: 'identified' } as const;
  const limit = { ...row, algorithms: ['fixed-window'], limit: 600, windowSeconds: 10 };
  const entries = [entryAt(0, { limits: [limit] }), entryAt(1), entryAt(2, { limits: [limit] })];
  expect(limitSeries(entries)).toEqual([
    { api: 'zap', scope: 'per client address', rows: [limit, undefined, limit] },
  ]);
});
