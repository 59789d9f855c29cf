/** Long because runs of the same and of other requests are held against the same findings. */

import { describe, expect, test } from 'vitest';
import { passed, runOf } from '../release/release.testkit.ts';
import type { KnownFile } from '../run/run-known.ts';
import type { Rate, RunFinding, RunJson, RunRuleRow } from '../run/run.ts';
import { omit } from '../wire/json.ts';
import { fingerprintOf } from './fingerprint.ts';
import { isAllKnown, knownCounts, knownFileOf, knownIn, prunedKnown } from './known-findings.ts';

const finding = (operation: string, changes: object = {}): RunFinding => ({
  ...{ operation, pointer: '/data/7/min', expected: 'a', actual: 'b', exchanges: ['x1'] },
  ...{ curl: 'curl', count: 3, ...changes },
});
const broken = (...findings: readonly RunFinding[]): RunRuleRow =>
  passed('zap.a', { verdict: 'fail', evidence: 10, findings });
const run = (...rules: readonly RunRuleRow[]): RunJson =>
  runOf('r1', { outcome: 'does-not-conform', rules });
const QUOTE = fingerprintOf('zap.a', finding('zap.quote'));

test('what an outage alone showed is not kept as known', () => {
  const { known } = knownFileOf(run(broken(finding('zap.quote', { isOfOutage: true }))));
  expect(known).toEqual([]);
});

test('a file has rule, operation, place, rate and since when, of what is broken and not waived', () => {
  const waived = passed('zap.b', { verdict: 'waived', findings: [finding('zap.pools')] });
  const file = knownFileOf(run(broken(finding('zap.quote')), waived, passed('zap.c')));
  expect(file).toEqual({
    schemaVersion: 1,
    target: { zap: 'http://127.0.0.1:4001' },
    asked: 'seed 1, release, every rule',
    known: [
      {
        ...{ rule: 'zap.a', level: 'must', operation: 'zap.quote', place: '/data/*/min' },
        ...{ rate: { broken: 3, judged: 10 }, since: '2026-01-02' },
      },
    ],
  });
});

test('what was known before keeps its day, and what is gone is not written again', () => {
  const [first] = knownFileOf(run(broken(finding('zap.quote')))).known;
  if (first === undefined) throw new Error('nothing was written');
  const earlier = [
    { ...first, since: '2025-11-01' },
    { ...first, operation: 'zap.pools' },
  ];
  const again = knownFileOf(run(broken(finding('zap.quote'), finding('zap.build'))), earlier).known;
  expect(again.map(({ operation, since }) => [operation, since])).toEqual([
    ['zap.quote', '2025-11-01'],
    ['zap.build', '2026-01-02'],
  ]);
});

test('what every request showed is gone only by as many others, or by enough', () => {
  const [always] = knownFileOf(run(broken(finding('zap.quote', { count: 10 })))).known;
  if (always === undefined) throw new Error('nothing was written');
  const goneAfter = (times: number, count: number): number => {
    const share = { broken: count, judged: count };
    const judgedAt = [{ operation: 'zap.quote', times }];
    const now = runOf('r2', { rules: [passed('zap.a', { judgedAt })] });
    return knownIn(now, [{ ...always, share }], 'k').gone.length;
  };
  expect([0, 1].map((times) => goneAfter(times, 1))).toEqual([0, 1]);
  expect([2, 3].map((times) => goneAfter(times, 3))).toEqual([0, 1]);
  expect([1, 2].map((times) => goneAfter(times, 50))).toEqual([0, 1]);
});

describe('what is known to show at times', () => {
  const ofRates = { rate: { broken: 5, judged: 8 }, share: { broken: 5, judged: 77 } };
  const { known: listed } = knownFileOf(run(broken(finding('zap.quote', ofRates))));
  let nights = 0;
  const held = (times: number): RunJson =>
    runOf('r2', {
      startedAt: new Date(Date.UTC(2026, 0, 3, (nights += 1))).toISOString(),
      rules: [passed('zap.a', { judgedAt: [{ operation: 'zap.quote', times }] })],
    });
  const after = (known: typeof listed, ...runs: readonly RunJson[]): typeof listed =>
    prunedKnown(
      known,
      runs.map((one) => knownIn(one, known, 'k')),
    );

  test('is never gone by one run, however much that judged', () => {
    const known = knownIn(held(9_000), listed, 'k');
    expect(known.gone).toEqual([]);
    expect(known.held).toMatchObject([{ rule: 'zap.a', held: { runs: 1, judged: 9_000 } }]);
  });

  test('is gone by runs that together judged it often enough', () => {
    const once = after(listed, held(60));
    expect(once).toMatchObject([{ held: { runs: 1, judged: 60 } }]);
    expect(after(once, held(7))).toMatchObject([{ held: { runs: 2, judged: 67 } }]);
    expect(knownIn(held(60), once, 'k').gone).toHaveLength(1);
    expect(after(once, held(60))).toEqual([]);
    expect(after(listed, held(60), held(60))).toEqual([]);
  });

  test('is not gone by a run that is counted twice, or by one from before it was known', () => {
    const night = held(60);
    const once = after(listed, night);
    expect(after(listed, night, night)).toEqual(once);
    expect(after(once, night)).toEqual(once);
    expect(after(once, { ...night, startedAt: '2026-01-03T00:00:00Z' })).toEqual(once);
    expect(after(listed, { ...night, startedAt: '2026-01-01T00:00:00Z' })).toEqual(listed);
    expect(knownIn(night, once, 'k').gone).toEqual([]);
  });

  test('begins anew once it shows again, and as it was if it was not judged', () => {
    const once = after(listed, held(60));
    expect(after(once, run(broken(finding('zap.quote', ofRates))))).toEqual(listed);
    expect(after(once, runOf('r2', { rules: [] }))).toEqual(once);
  });
});

describe('by a run of another seed', () => {
  const fileOf = (rate: Rate, share: Rate): KnownFile =>
    knownFileOf(run(broken(finding('zap.quote', { rate, share }))));
  const ALWAYS = { broken: 28, judged: 28 };
  const night = (day: number, seed: number): RunJson =>
    runOf('r2', {
      ...{ seed, startedAt: new Date(Date.UTC(2026, 0, 3 + day)).toISOString() },
      rules: [passed('zap.a', { judgedAt: [{ operation: 'zap.quote', times: 300 }] })],
    });
  const nightsUntilGone = (file: KnownFile, seed: number): number => {
    let { known } = file;
    for (let day = 1; day < 20; day += 1) {
      known = prunedKnown(known, [knownIn(night(day, seed), known, 'k', file)]);
      if (known.length === 0) return day;
    }
    return Infinity;
  };

  test.each([
    ['some requests alone', ALWAYS, { broken: 28, judged: 96 }, 1, 10],
    ['nearly all of them', ALWAYS, { broken: 95, judged: 96 }, 1, 1],
    ['some at times', { broken: 18, judged: 20 }, { broken: 18, judged: 102 }, 2, 10],
  ])('what %s show is gone by runs in a row', (_what, rate, share, same, other) => {
    const file = fileOf(rate, share);
    expect([nightsUntilGone(file, 1), nightsUntilGone(file, 2)]).toEqual([same, other]);
    expect(nightsUntilGone(omit(file, 'asked'), 1)).toBe(other);
  });

  test.each([
    ['more inputs alone', { broken: 18, judged: 20 }, 'known'],
    ['the same requests as well', { broken: 300, judged: 300 }, 'fresh'],
  ] as const)('what shows at times in a greater share: %s', (_what, rate, where) => {
    const file = fileOf({ broken: 37, judged: 43 }, { broken: 37, judged: 2_045 });
    const of = (seed: number): RunJson => ({
      ...run(broken(finding('zap.quote', { rate, share: { broken: 18, judged: 102 } }))),
      seed,
    });
    expect(Object.keys(knownIn(of(2), file.known, 'k', file)[where])).toEqual([QUOTE]);
    expect(Object.keys(knownIn(of(1), file.known, 'k', file).fresh)).toEqual([QUOTE]);
  });
});

describe('a run with known findings', () => {
  const { known: listed } = knownFileOf(run(broken(finding('zap.quote'))));

  test('has those that the file has, at any position, and else new ones', () => {
    const elsewhere = finding('zap.quote', { pointer: '/data/9/min' });
    const now = run(broken(elsewhere, finding('zap.build')));
    const known = knownIn(now, listed, 'known.json');
    expect(known).toEqual({
      ...{ file: 'known.json', known: { [QUOTE]: '2026-01-02' }, gone: [] },
      fresh: { [fingerprintOf('zap.a', finding('zap.build'))]: 'not-in-file' },
    });
    expect(knownCounts({ ...now, known })).toEqual({
      known: 1,
      fresh: 1,
      unlisted: 0,
      ofOutage: 0,
    });
    expect(isAllKnown({ ...now, known })).toBe(false);
    expect(isAllKnown(now)).toBe(false);
  });

  test('is all known where nothing else is broken, and a new warning fails nobody', () => {
    const warned = passed('zap.w', {
      verdict: 'warn',
      level: 'should',
      findings: [finding('zap.x')],
    });
    const now = run(broken(finding('zap.quote')), warned);
    const known = knownIn(now, listed, 'known.json');
    expect(isAllKnown({ ...now, known })).toBe(true);
    const choice = {
      only: [],
      skip: [],
      levels: [],
      failOn: 'should',
    } as unknown as RunJson['choice'];
    expect(isAllKnown({ ...now, known, ...(choice === undefined ? {} : { choice }) })).toBe(false);
    expect(isAllKnown({ ...now, known, failure: 'boom' })).toBe(false);
  });

  test('is not all known where its rule is broken at places that are not listed', () => {
    const now = run(broken(finding('zap.quote', { further: 7 })));
    const known = knownIn(now, listed, 'known.json');
    expect(knownCounts({ ...now, known })).toEqual({
      known: 1,
      fresh: 0,
      unlisted: 7,
      ofOutage: 0,
    });
    expect(isAllKnown({ ...now, known })).toBe(false);
  });

  test('has as neither known nor new what an outage alone showed, which still fails it', () => {
    const out = passed('zap.o', {
      verdict: 'fail',
      findings: [finding('zap.quote', { isOfOutage: true })],
    });
    const now = run(broken(finding('zap.quote')), out);
    const known = knownIn(now, listed, 'known.json');
    expect(known).toMatchObject({ known: { [QUOTE]: '2026-01-02' }, fresh: {}, gone: [] });
    expect(knownCounts({ ...now, known })).toEqual({
      known: 1,
      fresh: 0,
      unlisted: 0,
      ofOutage: 1,
    });
    expect(isAllKnown({ ...now, known })).toBe(false);
  });

  test('has as gone what would have been seen among other requests, too', () => {
    const rate = { broken: 3, judged: 3 };
    const { known } = knownFileOf(run(broken(finding('zap.quote', { rate }))));
    expect(known).toMatchObject([{ rate, share: { broken: 3, judged: 10 } }]);
    const goneAfter = (times: number): number => {
      const judgedAt = [{ operation: 'zap.quote', times }];
      return knownIn(runOf('r2', { rules: [passed('zap.a', { judgedAt })] }), known, 'k').gone
        .length;
    };
    expect([goneAfter(32), goneAfter(33)]).toEqual([0, 1]);
  });

  test('takes no request for more often that was sent once, and broke what shows at times', () => {
    const at = (rate: Rate, share: Rate): RunJson =>
      run(broken(finding('zap.quote', { rate, share })));
    const then = { broken: 1, judged: 62 };
    const { known: flaky } = knownFileOf(at(then, { broken: 1, judged: 300 }));
    const freshAt = (share: Rate): unknown[] =>
      Object.values(knownIn(at({ broken: 5, judged: 5 }, share), flaky, 'k').fresh);
    expect(freshAt({ broken: 5, judged: 300 })).toEqual([]);
    expect(freshAt({ broken: 90, judged: 300 })).toEqual(['more-often']);
  });

  test.each([
    [{ broken: 4, judged: 10 }, 'known'],
    [{ broken: 100, judged: 100 }, 'fresh'],
  ] as const)('at a rate of %j against 3 of 10 has it %s', (rate, where) => {
    const known = knownIn(run(broken(finding('zap.quote', { rate }))), listed, 'known.json');
    expect(Object.keys(known[where])).toEqual([QUOTE]);
  });

  const judgedAt = (operation: string, times = 99): Partial<RunJson> => ({
    rules: [passed('zap.a', { evidence: 99, judgedAt: [{ operation, times }] })],
  });

  test.each<[string, Partial<RunJson>, number]>([
    ['judged often enough', judgedAt('zap.quote', 33), 1],
    ['judged too seldom', judgedAt('zap.quote', 32), 0],
    ['not judged', { rules: [] }, 0],
    ['judged during an outage alone', { rules: [passed('zap.a', { judgedAt: [] })] }, 0],
    [
      'judged in a record that does not say where',
      { rules: [passed('zap.a', { evidence: 99 })] },
      0,
    ],
    ['judged at another operation alone', judgedAt('zap.pools'), 0],
    ['of a run that is undecided', { outcome: 'undecided', ...judgedAt('zap.quote') }, 0],
    ['of a run that was cut short', { complete: false, ...judgedAt('zap.quote') }, 0],
  ])('names as gone what is not seen: %s', (_what, changes, gone) => {
    expect(knownIn(runOf('r2', changes), listed, 'known.json').gone).toHaveLength(gone);
  });
});

test.each([
  [{ broken: 77, judged: 77 }, { broken: 3, judged: 77 }, 'fresh'],
  [{ broken: 76, judged: 77 }, { broken: 3, judged: 77 }, 'known'],
  [{ broken: 40, judged: 77 }, { broken: 3, judged: 77 }, 'known'],
  [{ broken: 77, judged: 77 }, { broken: 30, judged: 77 }, 'known'],
  [{ broken: 9, judged: 9 }, { broken: 1, judged: 77 }, 'known'],
] as const)(
  'has what its requests show each time as new only once it has spread: %j against %j is %s',
  (now, then, where) => {
    const of = (share: Rate): RunJson =>
      run(broken(finding('zap.quote', { rate: { broken: 3, judged: 3 }, share })));
    const { known } = knownFileOf(of(then));
    expect(Object.keys(knownIn(of(now), known, 'k')[where])).toEqual([QUOTE]);
  },
);
