import type { Tracker } from './model.ts';

/** Of so many failed requests each may have been counted or not: all ways of four of them. */
const MOST_WAYS = 16;

/**
 * Follows a class in which each event must be known: a failed request is taken to have been counted,
 * and not to have been. Beyond a few of these ways are let go of, and the truth may be among them.
 */
export function eitherWay(tracker: Tracker): Tracker {
  return follow(tracker, [tracker], tracker.cut);
}

function follow(first: Tracker, ways: readonly Tracker[], cut: boolean): Tracker {
  return {
    class: first.class,
    cut,
    isLeft: ways.length > 0,
    observe: (event) => {
      const next =
        event.outcome === 'failed'
          ? ways.flatMap((way) => [way, way.observe({ ...event, outcome: 'admitted' })])
          : ways.map((way) => way.observe(event));
      const left = next.filter((way) => way.isLeft);
      return follow(first, left.slice(0, MOST_WAYS), cut || left.length > MOST_WAYS);
    },
    candidates: () => ways.flatMap((way) => way.candidates()),
  };
}
