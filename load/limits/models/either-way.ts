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
 */
export function eitherWay(tracker: Tracker): Tracker {
  return follow(tracker, [{ tracker, counted: 0, uncounted: 0 }], tracker.cut);
}

function follow(first: Tracker, ways: readonly Way[], cut: boolean): Tracker {
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
      if (left.length <= MAX_WAYS) return follow(first, left, cut);
      const alike = [...left].sort((a, b) => exceptionsOf(a) - exceptionsOf(b));
      return follow(first, alike.slice(0, MAX_WAYS), true);
    },
    candidates: () => ways.flatMap(({ tracker }) => tracker.candidates()),
  };
}

/** Failures that were not taken as most were. */
function exceptionsOf({ counted, uncounted }: Way): number {
  return Math.min(counted, uncounted);
}
