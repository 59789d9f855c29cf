import type { ProbeEvent } from '../transcript.ts';
import { aloneAhead } from './ahead.ts';
import { ANYTHING, type Interval } from './interval.ts';
import { MOST_LIMIT, type Tracker } from './model.ts';

/**
 * At most N requests at once. A request is rejected only beside others, whatever came before; how many
 * a burst got through is the limit, give or take those that were done before the last one came.
 */
export function concurrency(events: readonly ProbeEvent[] = []): Tracker {
  return {
    class: 'concurrency',
    observe: (event) => concurrency([...events, event]),
    candidates: () => {
      const limit = limitOf(events);
      if (limit === null) return [];
      return [
        {
          class: 'concurrency' as const,
          limit,
          timeMs: { lo: 1, hi: 1 },
          open: 'yes' as const,
          base: ANYTHING,
          factor: 1,
          ahead: aloneAhead,
          // What is admitted right after a rejection, time and again, was not out of tokens.
          likelihood: limit.hi === MOST_LIMIT ? 1 : 2 ** Math.min(6, quietSince(events) / limit.hi),
        },
      ];
    },
  };
}

/** The greatest limit that the rejections leave; null when one was rejected alone. */
function limitOf(events: readonly ProbeEvent[]): Interval | null {
  let most = MOST_LIMIT;
  for (const event of events) {
    if (event.outcome !== 'rejected') continue;
    const beside = events.filter(
      (other) =>
        other.outcome !== 'rejected' &&
        other.sentMs < event.receivedMs &&
        other.receivedMs > event.sentMs,
    ).length;
    if (beside === 0) return null;
    most = Math.min(most, beside);
  }
  return most === MOST_LIMIT ? { lo: 1, hi: MOST_LIMIT } : { lo: most, hi: most };
}

/** How many admissions there were since the last rejection. */
export function quietSince(events: readonly ProbeEvent[]): number {
  return events.length - 1 - events.findLastIndex(({ outcome }) => outcome === 'rejected');
}
