import { describe, expect, test } from 'vitest';
import { judgeSeries } from './judge-series.ts';
import { judgeTrend, standingSlower } from './judge-trend.ts';
import type { Night } from './night.ts';
import { drawsOf } from './nights.testkit.ts';
import { loadOf, nightOf, roundsOf } from './run-of.testkit.ts';
import { FALSE_ALARMS, thresholdFor } from './thresholds.ts';

const threshold = thresholdFor(FALSE_ALARMS, 1);

interface World {
  readonly nights?: number;
  readonly target?: (night: number) => number;
  readonly control?: (night: number) => number;
  readonly machine?: (night: number) => number;
  readonly rounds?: number;
  readonly seed?: number;
}

/** Nights of a target at 20 ms and a control at 5 ms, on a machine that scatters by 7 %. */
function nightsOfWorld(world: World): Night[] {
  const { nights = 45, target, control, machine, rounds = 5, seed = 2 } = world;
  const { normal } = drawsOf(seed);
  return Array.from({ length: nights }, (_, night) => {
    const speed = (machine?.(night) ?? 1) * Math.exp(0.07 * normal());
    const one = (): readonly [number, number] => [
      20 * speed * (target?.(night) ?? 1) * Math.exp(0.04 * normal()),
      5 * speed * (control?.(night) ?? 1) * Math.exp(0.04 * normal()),
    ];
    const pairs = Array.from({ length: Math.max(1, rounds) }, one);
    const [first = [20, 5]] = pairs;
    return nightOf(night, loadOf(first[0], rounds === 0 ? {} : { rounds: roundsOf(pairs) }));
  });
}

const after = (night: number, factor: number) => (at: number) => (at < night ? 1 : factor);
const whole = { percentile: 'p95' } as const;

describe('with a control beside the target', () => {
  test('a slower service is reported, with its size and the night since when', () => {
    const series = judgeSeries(nightsOfWorld({ target: after(35, 1.1) }), whole, threshold);
    expect(series).toMatchObject({ figure: 'ratio', verdict: 'slower', asides: [] });
    const [shift] = series.shifts;
    expect(shift).toMatchObject({ direction: 'slower', cause: 'target' });
    expect(shift?.since).toMatch(/^2026-02-0[3-7]T/);
    expect(shift?.size.percent).toBeGreaterThan(6);
    expect(shift?.size.percent).toBeLessThan(14);
    expect(shift?.size.least).toBeGreaterThan(0);
    expect(shift?.control?.least).toBeLessThan(0);
    expect(shift?.control?.greatest).toBeGreaterThan(0);
  });

  describe('a jump of the newest of eleven nights', () => {
    const jumpIn = (world: World): unknown =>
      judgeSeries(nightsOfWorld({ nights: 11, ...world }), whole, threshold).jump;

    test('of the service is known, as all rounds show it', () => {
      expect(jumpIn({ target: after(10, 10) })).toMatchObject({ isKnown: true });
    });

    test('of the machine is none, however often it comes', () => {
      expect(jumpIn({ machine: after(10, 3) })).toBeUndefined();
      expect(jumpIn({ machine: after(9, 3) })).toBeUndefined();
    });

    test('of the ratio alone is not known if the control became faster, and none after three such nights', () => {
      expect(jumpIn({ control: after(10, 0.3) })).toMatchObject({ isKnown: false });
      expect(jumpIn({ control: after(9, 0.3) })).toMatchObject({ isKnown: false });
      expect(jumpIn({ nights: 14, control: after(10, 0.3), machine: () => 1 })).toBeUndefined();
    });

    test('that is known stands on a machine whose control is as fast in too few nights', () => {
      const machine = (night: number): number => (night === 4 || night === 12 ? 0.5 : 1);
      expect(jumpIn({ nights: 13, machine, target: after(10, 2) })).toMatchObject({
        since: '2026-01-11T02:00:00.000Z',
        isKnown: true,
      });
    });

    test('that is known stands each night, however machines differ, if the ratio does not', () => {
      const { normal } = drawsOf(17);
      const speeds = Array.from({ length: 40 }, () => Math.exp(0.15 * normal()));
      const world = { machine: (night: number) => speeds[night] ?? 1, target: after(20, 1.4) };
      const jumps = Array.from({ length: 19 }, (_, at) => jumpIn({ nights: 22 + at, ...world }));
      expect(jumps).toEqual(jumps.map(() => expect.objectContaining({ isKnown: true }) as unknown));
    });

    test('is one on the faster of two machines, too', () => {
      const machine = (night: number): number => (night % 2 === 0 ? 1 : 2);
      expect(jumpIn({ machine, target: after(10, 2) })).toMatchObject({ isKnown: true });
    });

    test('is not known in a pool in which one machine has a faster control, and none after a while', () => {
      const control = (night: number): number => (night % 5 === 0 ? 0.5 : 1);
      const jumpsAt = (nights: number): unknown[] =>
        Array.from({ length: 10 }, (_, at) => jumpIn({ nights, control, seed: 101 + at }));
      for (const nights of [11, 16, 21, 26]) {
        expect(jumpsAt(nights)).not.toContainEqual(expect.objectContaining({ isKnown: true }));
      }
      expect(jumpsAt(26).filter((jump) => jump !== undefined).length).toBeLessThan(3);
    });

    test('of nights without a control is known on the second', () => {
      expect(jumpIn({ rounds: 0, target: after(10, 10) })).toMatchObject({ isKnown: false });
      expect(jumpIn({ rounds: 0, target: after(9, 10) })).toMatchObject({ isKnown: true });
    });
  });

  test('a slower machine is no slower service', () => {
    const series = judgeSeries(nightsOfWorld({ machine: after(25, 1.4) }), whole, threshold);
    expect(series).toMatchObject({ figure: 'ratio', verdict: 'steady', shifts: [] });
    expect(series.asides).toHaveLength(1);
    expect(series.asides[0]).toMatchObject({ cause: 'machine', direction: 'slower' });
    expect(standingSlower({ series: [series] })).toEqual([]);
  });

  test('a control that became slower is no faster service', () => {
    const series = judgeSeries(nightsOfWorld({ control: after(25, 1.4) }), whole, threshold);
    expect(series.verdict).toBe('steady');
    expect(series.shifts).toMatchObject([{ direction: 'faster', cause: 'control' }]);
  });

  test('the ratio shows less spread than the absolute figure', () => {
    const beside = judgeSeries(nightsOfWorld({}), whole, threshold);
    const alone = judgeSeries(nightsOfWorld({ rounds: 0 }), whole, threshold);
    expect(alone.figure).toBe('absolute');
    expect(beside.spreadPercent).toBeLessThan(5);
    expect(alone.spreadPercent).toBeGreaterThan(5);
    expect(beside.smallestPercent).toBeLessThan(20);
    expect(alone.smallestPercent ?? Infinity).toBeGreaterThan(20);
  });
});

describe('without one', () => {
  test('a change may be the machine’s', () => {
    const series = judgeSeries(
      nightsOfWorld({ rounds: 0, machine: after(30, 1.5) }),
      whole,
      threshold,
    );
    expect(series).toMatchObject({ figure: 'absolute', verdict: 'slower' });
    expect(series.shifts).toMatchObject([{ cause: 'unknown' }]);
    expect(series.ratios).toBeUndefined();
  });

  test('nights with rounds that are still too few are judged by the absolute figure', () => {
    const series = judgeSeries(nightsOfWorld({ nights: 19 }), whole, threshold);
    expect(series).toMatchObject({ figure: 'absolute', verdict: 'unwatched', nightsWatched: 19 });
    expect(series.smallestPercent).toBeUndefined();
  });
});

test('nights that follow the night before are reported, and others are not', () => {
  const { normal } = drawsOf(31);
  let level = 0;
  const following = (): number => Math.exp((level = 0.7 * level + 0.03 * normal()));
  const ofNights = (machine: () => number): ReturnType<typeof judgeSeries> =>
    judgeSeries(
      Array.from({ length: 80 }, (_, at) => nightOf(at, loadOf(20 * machine()))),
      whole,
      100,
    );
  expect(ofNights(following).autocorrelation).toBeGreaterThan(0.4);
  const reported = Array.from(
    { length: 40 },
    () => ofNights(() => Math.exp(0.03 * normal())).autocorrelation,
  );
  expect(reported.filter((value) => value !== undefined).length).toBeLessThanOrEqual(2);
});

test('only the night that reported a change calls it new, and it stands until somebody accepts it', () => {
  const nights = nightsOfWorld({ target: after(30, 1.3) });
  const reported = judgeSeries(nights, whole, threshold).shifts[0]?.toldBy;
  const until = nights.findIndex(({ startedAt }) => startedAt === reported) + 1;
  const then = judgeSeries(nights.slice(0, until), whole, threshold);
  const later = judgeSeries(nights.slice(0, until + 1), whole, threshold);
  expect(standingSlower({ series: [then] })).toHaveLength(1);
  expect(later.verdict).toBe('slower');
  expect(later.shifts[0]?.isNew).toBe(false);
  expect(standingSlower({ series: [later] })).toHaveLength(1);
  const acceptedMs = Date.parse(nights[until]?.startedAt ?? '');
  const accepted = judgeSeries(nights.slice(0, until + 1), whole, threshold, acceptedMs);
  expect(standingSlower({ series: [accepted] })).toEqual([]);
});

test('a change that came back stands no more', () => {
  const nights = nightsOfWorld({
    nights: 52,
    target: (night) => (night >= 30 && night < 45 ? 1.3 : 1),
  });
  const series = judgeSeries(nights, whole, threshold);
  expect(series.shifts.length).toBeGreaterThan(0);
  expect(standingSlower({ series: [series] })).toEqual([]);
});

test('nights without a figure stand as gaps, and do not count', () => {
  const nights = nightsOfWorld({ nights: 30 }).map((night, at) =>
    at % 3 === 0 ? { ...night, load: loadOf(0) } : night,
  );
  const series = judgeSeries(nights, whole, threshold);
  expect(series).toMatchObject({ nights: 20, verdict: 'steady' });
  expect(series.valuesMs).toHaveLength(30);
  expect(series.valuesMs.filter((value) => value === null)).toHaveLength(10);
});

test('several operations have series of their own, and the threshold grows with them', () => {
  const nights = nightsOfWorld({ nights: 25 }).map((night) => ({
    ...night,
    load: {
      ...night.load,
      operations: ['a.one', 'a.two'].flatMap((operation) =>
        night.load.operations.map((row) => ({ ...row, operation })),
      ),
    },
  }));
  const trend = judgeTrend({ nights, leftOut: [], leftOutMore: 0, notes: [] });
  expect(trend.series.map(({ operation, percentile }) => `${operation} ${percentile}`)).toEqual([
    'undefined p50',
    'undefined p95',
    'undefined p99',
    'a.one p50',
    'a.one p95',
    'a.two p50',
    'a.two p95',
  ]);
  expect(trend.nights).toHaveLength(25);
});
