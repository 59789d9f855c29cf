/** In which unit a service reports its waits, by how fast they fall while time passes. */

import { MIN_WINDOW_MS } from '../models/model.ts';
import type { ProbeEvent } from '../transcript.ts';

/** A reported wait must have fallen by this many units: they are rounded. */
const MIN_FALLEN = 10;
/** Units that pass in a second, from which on they are no seconds; slower ones may have been put off. */
const TOO_QUICK = 1.5;
/** This close to a thousand a second they are milliseconds. */
const MILLISECONDS = 1000;
const CLOSE = 0.1;

/**
 * The events with their waits in seconds, where the service reports another unit: while nothing is
 * admitted, a wait that is true falls to nothing by the time that it is over, whatever its unit is.
 */
export function inTrueSeconds(events: readonly ProbeEvent[]): readonly ProbeEvent[] {
  const perSecond = unitsPerSecond(events);
  if (perSecond === 1) return events;
  return events.map((event) =>
    event.retryAfterSeconds === undefined
      ? event
      : { ...event, retryAfterSeconds: event.retryAfterSeconds / perSecond },
  );
}

/**
 * When the wait of the last rejection is over if it is told in milliseconds: to be asked before it is
 * obeyed as seconds. Null where that was asked, where the wait is too short or broken for milliseconds,
 * or where waits were seen to fall, which tells the unit by itself.
 */
export function overInMilliseconds(events: readonly ProbeEvent[], tripMs: number): number | null {
  const admittedAt = events.findLastIndex(({ outcome }) => outcome === 'admitted');
  const rejected = events.slice(admittedAt + 1).filter(({ outcome }) => outcome === 'rejected');
  const last = rejected.at(-1);
  if (last === undefined || last !== events.at(-1)) return null;
  const waitMs = reportedWait(last);
  if (!Number.isInteger(waitMs) || waitMs < MIN_WINDOW_MS) return null;
  const wasAsked = rejected.some((event, at) => {
    const before = rejected[at - 1];
    if (before === undefined) return false;
    const fallen = reportedWait(before) - reportedWait(event);
    return fallen > 0 || event.sentMs >= before.receivedMs + reportedWait(before);
  });
  return wasAsked ? null : last.receivedMs + waitMs + tripMs;
}

/** How many of the units that the service reports pass in a second; 1 unless it was seen to be more. */
function unitsPerSecond(events: readonly ProbeEvent[]): number {
  let first: ProbeEvent | undefined;
  let best = { fallen: MIN_FALLEN, perSecond: 1 };
  for (const event of events) {
    if (event.outcome === 'failed') continue;
    if (event.outcome === 'admitted') first = undefined;
    else if (first === undefined || reportedWait(event) > reportedWait(first)) first = event;
    else {
      const fallen = reportedWait(first) - reportedWait(event);
      const seconds = (event.sentMs - first.sentMs) / 1000;
      if (fallen > best.fallen && seconds > 0) best = { fallen, perSecond: fallen / seconds };
    }
  }
  const { perSecond } = best;
  if (perSecond < TOO_QUICK) return 1;
  return Math.abs(perSecond / MILLISECONDS - 1) < CLOSE ? MILLISECONDS : perSecond;
}

function reportedWait({ retryAfterSeconds }: ProbeEvent): number {
  return retryAfterSeconds ?? 0;
}
