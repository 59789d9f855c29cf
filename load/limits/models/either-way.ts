import type { Tracker } from './model.ts';

/** Of so many failed requests each may have been counted or not: all ways of four of them. */
const MAX_WAYS = 16;

/** One way in which failed requests can have been taken. */
interface Way {
  readonly tracker: Tracker;
  /** How many of them were counted, and how many were not. */
  readonly counted: number;
  readonly uncounted: number;
}

/**
 * Follows a class in which each event must be known: a failed request is taken to have been counted,
 * and not to have been. All but a few of these ways are dropped, and the truth may be among them; those
 * are kept in which most failures were taken alike, since one service has one habit.
 *
 * @param times how often as many ways are kept as usual
 */
export function eitherWay(tracker: Tracker, times = 1): Tracker {
  const most = times * MAX_WAYS;
  return follow(tracker, [{ tracker, counted: 0, uncounted: 0 }], tracker.cut, most);
}

function follow(first: Tracker, ways: readonly Way[], cut: boolean, most: number): Tracker {
  return {
    class: first.class,
    cut,
    isLeft: ways.length > 0,
    observe: (event) => {
      const next =
        event.outcome === 'failed'
          ? ways.flatMap(({ tracker, counted, uncounted }): Way[] => [
              { tracker, counted, uncounted: uncounted + 1 },
              {
                tracker: tracker.observe({ ...event, outcome: 'admitted' }),
                counted: counted + 1,
                uncounted,
              },
            ])
          : ways.map((way) => ({ ...way, tracker: way.tracker.observe(event) }));
      const left = next.filter(({ tracker }) => tracker.isLeft);
      if (left.length <= most) return follow(first, left, cut, most);
      const alike = [...left].sort((a, b) => exceptionsOf(a) - exceptionsOf(b));
      return follow(first, alike.slice(0, most), true, most);
    },
    candidates: () => ways.flatMap(({ tracker }) => tracker.candidates()),
  };
}

/** Failures that were not taken as most were. */
function exceptionsOf({ counted, uncounted }: Way): number {
  return Math.min(counted, uncounted);
}
