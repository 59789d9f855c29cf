import { describe, expect, test } from 'vitest';
import { aloneAhead } from '../models/ahead.ts';
import type { Candidate, LimiterClass, Tracker } from '../models/index.ts';
import type { LimitReport, ProbeEvent } from '../transcript.ts';
import { burstsOf } from './bursts.ts';
import { learn, noted, prior, thorough, weighed, type Posterior } from './posterior.ts';

const event = (
  sentMs: number,
  outcome: ProbeEvent['outcome'] = 'admitted',
  report?: LimitReport,
): ProbeEvent => ({
  ...{ sentMs, receivedMs: sentMs + 10, outcome },
  ...(report === undefined ? {} : { report }),
});

/** A class that is left whatever comes, with one candidate; it notes what it sees. */
function tracker(name: LimiterClass, seen: ProbeEvent[] = []): Tracker {
  const candidate: Candidate = {
    ...{ class: name, limit: { lo: 30, hi: 30 }, timeMs: { lo: 5_000, hi: 20_000 }, open: 'no' },
    ...{ base: { lo: 0, hi: 0 }, factor: 1, ahead: aloneAhead },
  };
  const one: Tracker = {
    ...{ class: name, isLeft: true, cut: false },
    observe: (next) => {
      seen.push(next);
      return one;
    },
    candidates: () => [candidate],
  };
  return one;
}

function believing(events: readonly ProbeEvent[], more: Partial<Posterior> = {}): Posterior {
  const trackers = [tracker('fixed-window')];
  return { ...prior(), transcript: { events }, trackers, reportsHold: true, ...more };
}

describe('what a burst tells', () => {
  test('are its admissions before its rejections, whatever was sent first', () => {
    const seen: ProbeEvent[] = [];
    const posterior = believing([], { trackers: [tracker('fixed-window', seen)] });
    learn(posterior, [event(0, 'rejected'), event(1), event(2)]);
    expect(seen.map(({ outcome }) => outcome)).toEqual(['admitted', 'admitted', 'rejected']);
  });

  test('is what is said to be left only where it was a single request', () => {
    const seen: ProbeEvent[] = [];
    const posterior = believing([], { trackers: [tracker('fixed-window', seen)] });
    const reporting = [
      event(0, 'admitted', { remaining: 2 }),
      event(1, 'admitted', { remaining: 1 }),
    ];
    learn(posterior, reporting);
    expect(seen.map(({ report }) => report)).toEqual([undefined, undefined]);
    learn(posterior, reporting.slice(0, 1));
    expect(seen.at(-1)?.report).toEqual({ remaining: 2 });
    learn({ ...posterior, reportsHold: false }, reporting.slice(0, 1));
    expect(seen.at(-1)?.report).toBeUndefined();
  });
});

describe('bursts of a transcript that does not number them', () => {
  const sizes = (...sentMs: readonly number[]): number[] =>
    burstsOf(sentMs.map((ms) => event(ms))).map(({ length }) => length);

  test('are those that overlap the first to be answered', () => {
    expect(sizes(0, 10, 20)).toEqual([1, 1, 1]);
    expect(sizes(0, 3, 9)).toEqual([3]);
    // The third was sent when the first was answered, though not the second.
    expect(sizes(0, 5, 12)).toEqual([2, 1]);
  });

  test('are told by their numbers where they have any', () => {
    const numbered = [0, 1, 50].map((ms, at) => ({ ...event(ms), burst: at === 0 ? 1 : 2 }));
    expect(burstsOf(numbered).map(({ length }) => length)).toEqual([1, 2]);
  });
});

describe('the limit that a service tells', () => {
  const reporting = (...reports: readonly (LimitReport | undefined)[]): Posterior =>
    weighed(believing(reports.map((report, at) => event(100 * at, 'admitted', report))));
  const reported = { limit: 30, windowSeconds: 10 };

  test('is one where all answers that tell any tell the same', () => {
    expect(reporting(reported, undefined, reported).reported).toEqual({
      limit: 30,
      windowMs: 10_000,
    });
  });

  test('is none where another limit, or another window, is told', () => {
    expect(reporting(reported, { ...reported, windowSeconds: 60 }).reported).toBeUndefined();
    expect(reporting(reported, { ...reported, limit: 31 }).reported).toBeUndefined();
    expect(reporting({ limit: 30 }).reported).toBeUndefined();
  });

  test('makes its window stand out, in milliseconds', () => {
    const { alternatives } = reporting({ windowSeconds: 7.321 });
    expect(alternatives.flatMap(({ pointMasses }) => pointMasses.map(({ ms }) => ms))).toContain(
      7_321,
    );
  });
});

test('what is noted is followed once it is weighed', () => {
  const begun = believing([event(0), event(1)]);
  const burst = [event(20), event(21, 'rejected')];
  const later = noted(noted(begun, burst), [event(40)]);
  expect(later.transcript).toEqual(learn(learn(begun, burst), [event(40)]).transcript);
  expect([later.trackers, later.alternatives]).toEqual([begun.trackers, []]);
  const { behind, ...now } = weighed(later);
  expect(behind).toEqual([]);
  const names = (all: typeof now.alternatives): unknown =>
    all.map(({ candidate }) => candidate.class);
  const followed = weighed(learn(learn(begun, burst), [event(40)]));
  expect(names(now.alternatives)).toEqual(names(followed.alternatives));
});

test('a class that is not followed is followed again once the others are no better', () => {
  const asleep = (weight: number): Posterior['asleep'][number] => {
    return { tracker: tracker('sliding-log'), missed: [event(0)], weight };
  };
  const classes = (posterior: Posterior): LimiterClass[] =>
    posterior.trackers.map((one) => one.class);
  const [likely, unlikely] = [asleep(1), asleep(1e-30)];
  expect(classes(weighed(believing([event(0)], { asleep: [unlikely] })))).toEqual(['fixed-window']);
  const woken = weighed(believing([event(0)], { asleep: [unlikely, likely] }));
  expect(classes(woken)).toContain('sliding-log');
  expect(woken.asleep).toEqual([]);
});

describe('a class of which explanations were dropped', () => {
  /** A limit of 3 in 10 s, used up and there again. */
  const events = [0, 100, 200, 300, 9_950, 10_050, 10_100].map((ms) =>
    event(ms, ms === 300 || ms === 9_950 ? 'rejected' : 'admitted'),
  );
  const lost = new Set<LimiterClass>(['clock-window', 'restart-on-reject']);
  const names = ({ trackers }: Posterior): LimiterClass[] => trackers.map((one) => one.class);
  const ruledOut = new Map([...lost].map((name) => [name, 4]));
  const dropped = believing(events, { lost, ruledOut, trackers: [] });

  test('is followed once more where few others are left, and is back where it explains all', () => {
    const again = weighed(dropped);
    expect(names(again)).toEqual(['clock-window']);
    expect([...again.ruledOut]).toEqual([['restart-on-reject', 4]]);
    expect([...again.lost]).toEqual([]);
    const others = (['fixed-window', 'penalty'] as const).map((name) => tracker(name));
    expect(names(weighed({ ...dropped, trackers: others }))).not.toContain('clock-window');
  });

  test('is followed once more at the end, although something of it is left', () => {
    const trackers = [{ ...tracker('restart-on-reject'), cut: true }, tracker('sliding-log')];
    const again = thorough({ ...dropped, lost: new Set(), trackers });
    expect(names(again)).toEqual(['sliding-log']);
    // Also where it was before: more of it is kept this time.
    expect(names(thorough({ ...again, trackers }))).toEqual(['sliding-log']);
  });
});
