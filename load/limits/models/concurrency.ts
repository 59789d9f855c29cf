import type { ProbeEvent } from '../transcript.ts';
import { aloneAhead } from './ahead.ts';
import { earlyAtMost } from './early-done.ts';
import { ANYTHING, type Interval } from './interval.ts';
import { MAX_LIMIT, type Tracker } from './model.ts';

/**
 * By how much bursts that were admitted may exceed the limit, in all and as a part of it: the first of a
 * burst may be done before the last one comes, but not half of it, nor time and again.
 */
const MAX_EXCESS = 0.9;
/** The same once more for each round that speaks for such a limit. */
const ROUND_EXCESS = 0.5;
/**
 * This many bursts beyond the limit may be admitted, by however little, and as many more for each
 * round: where latencies differ, one too many passes every second time.
 */
const MAX_SPARED = 5;
/** Rounds beyond which another one adds nothing. */
const MAX_ROUNDS = 6;

/** Where more than this pass beyond the fewest on average, those few may have been more than the limit. */
const MANY_EARLY = 0.6;
/** A pause that is a smaller part of a round trip than this is none. */
const AT_ONCE = 0.25;
/** Bursts in a row beyond which another one adds nothing. */
const MAX_IN_A_ROW = 4;

/**
 * At most N requests at once. A request is rejected only beside others, whatever came before; how many
 * a burst got through is the limit, give or take those that were done before the last one came.
 */
export function concurrency(events: readonly ProbeEvent[] = []): Tracker {
  return {
    class: 'concurrency',
    cut: false,
    get isLeft() {
      return limitOf(events) !== null;
    },
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
          // Nor is what follows at once, again and again, within any window.
          likelihood: 2 ** (Math.min(MAX_ROUNDS, roundsOf(events)) + inARow(events, limit.hi)),
        },
      ];
    },
  };
}

/** The greatest limit that the rejections leave; null when one was rejected alone. */
function limitOf(events: readonly ProbeEvent[]): Interval | null {
  let most = MAX_LIMIT;
  for (const event of events) {
    if (event.outcome !== 'rejected') continue;
    const beside = besideOf(event, events).length;
    if (beside === 0) return null;
    most = Math.min(most, beside);
  }
  const [spared, rounds] = [sparedOf(events, most), roundsOf(events)];
  const excess = spared.reduce((sum, count) => sum + (count - most) / most, 0);
  if (excess > MAX_EXCESS + ROUND_EXCESS * rounds) return null;
  if (spared.length > MAX_SPARED * (1 + rounds)) return null;
  if (most === MAX_LIMIT) return { lo: 1, hi: MAX_LIMIT };
  const excesses = [...cutOf(events), ...spared].map((count) => count - most);
  const mean = excesses.reduce((sum, more) => sum + more, 0) / excesses.length;
  const isOneEarly = mean > MANY_EARLY && isUneven(events);
  const early = Math.max(earlyAtMost(excesses), isOneEarly ? 1 : 0);
  return { lo: Math.max(1, most - early), hi: most };
}

/**
 * Whether round trips differ by more than what is admitted takes longer than what is rejected: then in
 * each burst one may be done before the last comes.
 */
function isUneven(events: readonly ProbeEvent[]): boolean {
  const tripsOf = (outcome: ProbeEvent['outcome']): ((part: number) => number) => {
    const trips = events.filter((one) => one.outcome === outcome).map(tripMs);
    trips.sort((a, b) => a - b);
    return (part) => trips[Math.floor(part * trips.length)] ?? 0;
  };
  const admitted = tripsOf('admitted');
  return admitted(0.9) - admitted(0.1) > admitted(0.5) - tripsOf('rejected')(0.5);
}

function tripMs({ sentMs, receivedMs }: ProbeEvent): number {
  return receivedMs - sentMs;
}

/** How often after a burst that was cut as many as the limit passed at once, again right after those before. */
function inARow(events: readonly ProbeEvent[], limit: number): number {
  const bursts: ProbeEvent[][] = [];
  for (const event of events) {
    const [last] = bursts.slice(-1);
    if (last?.[0]?.burst === event.burst) last?.push(event);
    else bursts.push([event]);
  }
  let [wasCut, row, most] = [false, 0, 0];
  let endMs = Infinity;
  for (const burst of bursts) {
    const [fromMs, toMs] = [burst[0]?.sentMs ?? 0, Math.max(...burst.map((one) => one.receivedMs))];
    const passes = burst.length >= limit && burst.every(({ outcome }) => outcome === 'admitted');
    row = passes && fromMs - endMs < (toMs - fromMs) * AT_ONCE ? row + 1 : 0;
    wasCut ||= burst.some(({ outcome }) => outcome === 'rejected');
    if (wasCut) most = Math.max(most, row);
    endMs = toMs;
  }
  return Math.min(MAX_IN_A_ROW, Math.max(0, most - 1));
}

/** How many each burst let in of which some were rejected. */
function cutOf(events: readonly ProbeEvent[]): number[] {
  const cut = new Set(
    events.filter(({ outcome }) => outcome === 'rejected').map((one) => one.burst),
  );
  cut.delete(undefined);
  return [...cut].map(
    (burst) => events.filter((one) => one.burst === burst && one.outcome !== 'rejected').length,
  );
}

/** Bursts of which all were admitted although more than the limit were under way: how many. */
export function sparedOf(events: readonly ProbeEvent[], limit: number): number[] {
  const first = events.find(({ outcome }) => outcome === 'rejected');
  const bursts = new Map<number, ProbeEvent[]>();
  for (const event of events) {
    if (event.burst === undefined || event.burst < (first?.burst ?? Infinity)) continue;
    bursts.set(event.burst, [...(bursts.get(event.burst) ?? []), event]);
  }
  return [...bursts.values()]
    .filter((all) => all.every(({ outcome }) => outcome === 'admitted'))
    .map(atOnce)
    .filter((count) => count > limit);
}

/** How many were under way when the last of them was sent. */
function atOnce(all: readonly ProbeEvent[]): number {
  const lastMs = Math.max(...all.map(({ sentMs }) => sentMs));
  return all.filter(({ receivedMs }) => receivedMs > lastMs).length;
}

/** What was under way with it and was not rejected: of its burst, or else while it was. */
function besideOf(event: ProbeEvent, events: readonly ProbeEvent[]): readonly ProbeEvent[] {
  return events.filter(
    (other) =>
      other.outcome !== 'rejected' &&
      (event.burst === undefined || other.burst === undefined
        ? other.sentMs < event.receivedMs && other.receivedMs > event.sentMs
        : other.burst === event.burst),
  );
}

/**
 * How often a burst was cut, and the one right after it was admitted to the last request: no smaller than
 * the fewest that ever got through, since some that got through were done before the last came.
 */
export function roundsOf(events: readonly ProbeEvent[]): number {
  const bursts = new Map<number, { admitted: number; rejected: number }>();
  for (const { burst = 0, outcome } of events) {
    const counts = bursts.get(burst) ?? { admitted: 0, rejected: 0 };
    if (outcome === 'rejected') counts.rejected += 1;
    else counts.admitted += 1;
    bursts.set(burst, counts);
  }
  const all = [...bursts.values()];
  const isCut = (one: (typeof all)[number]): boolean => one.rejected > 0 && one.admitted > 0;
  const fewest = Math.min(...all.filter(isCut).map(({ admitted }) => admitted));
  return all.filter((one, index) => {
    const next = all[index + 1];
    return isCut(one) && next?.rejected === 0 && next.admitted >= fewest;
  }).length;
}
