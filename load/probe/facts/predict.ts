/** What the fitted model says is left in the bucket, over the time of a transcript: for the plot. */

import type { ClassEstimate, ProbeEvent } from '../../limits/index.ts';

/** How many requests the model would admit at once at a time. */
export interface Level {
  readonly atMs: number;
  readonly left: number;
}

/** A limiter that follows what really happened. */
interface Follower {
  readonly left: (atMs: number) => number;
  readonly happened: (atMs: number, outcome: ProbeEvent['outcome']) => void;
}

const SAMPLES = 300;

/** The levels before and after each event and in between; none of a class that has no level. */
export function predictedLevels(model: ClassEstimate, events: readonly ProbeEvent[]): Level[] {
  const follower = followerOf(model, events);
  const [first, last] = [events[0], events.at(-1)];
  if (follower === null || first === undefined || last === undefined) return [];
  const levels: Level[] = [];
  const stepMs = Math.max(1, (last.receivedMs - first.sentMs) / SAMPLES);
  let nextMs = first.sentMs;
  const see = (atMs: number): void => {
    levels.push({ atMs, left: Math.max(0, follower.left(atMs)) });
  };
  for (const event of [...events].sort((a, b) => a.sentMs - b.sentMs)) {
    const atMs = decidedMs(event);
    for (; nextMs < atMs; nextMs += stepMs) see(nextMs);
    see(atMs);
    follower.happened(atMs, event.outcome);
    see(atMs);
  }
  see(last.receivedMs);
  return levels;
}

/** When the first window opened. */
function firstMs([first]: readonly ProbeEvent[]): number {
  return first === undefined ? 0 : decidedMs(first);
}

/** Nobody knows when it was decided; the middle is as good as any. */
function decidedMs({ sentMs, receivedMs }: ProbeEvent): number {
  return (sentMs + receivedMs) / 2;
}

function followerOf(model: ClassEstimate, events: readonly ProbeEvent[]): Follower | null {
  const limit = model.limit.value;
  const windowMs = 1000 * (model.windowSeconds?.value ?? 0);
  switch (model.class) {
    case 'concurrency':
      return null;
    case 'fixed-window':
      return fixedWindow(limit, windowMs, false);
    case 'restart-on-reject':
      return fixedWindow(limit, windowMs, true);
    case 'clock-window':
      return clockWindow(limit, windowMs, phaseMs(events, windowMs), 0);
    case 'sliding-counter':
      return clockWindow(limit, windowMs, phaseMs(events, windowMs), 1);
    case 'sliding-counter-counting-rejects':
      return clockWindow(limit, windowMs, firstMs(events), 1, true);
    case 'sliding-log':
      return slidingLog(limit, windowMs, false);
    case 'sliding-log-counting-rejects':
      return slidingLog(limit, windowMs, true);
    case 'token-bucket':
      return bucket(limit, (ms) => (ms * (model.refillPerSecond?.value ?? 0)) / 1000);
    case 'interval-refill': {
      const intervalMs = 1000 * (model.intervalSeconds?.value ?? 1);
      return bucket(limit, (ms) => Math.floor(ms / intervalMs) * (model.refill?.value ?? 1));
    }
    case 'penalty':
      return penalty(limit, windowMs, 1000 * (model.penaltySeconds?.value ?? 0));
  }
}

function fixedWindow(limit: number, windowMs: number, restarts: boolean): Follower {
  let endMs = -Infinity;
  let count = 0;
  return {
    left: (atMs) => (atMs >= endMs ? limit : limit - count),
    happened: (atMs, outcome) => {
      if (atMs >= endMs) [endMs, count] = [atMs + windowMs, 0];
      if (outcome === 'admitted') count += 1;
      else if (restarts) endMs = atMs + windowMs;
    },
  };
}

/** Clock windows end at multiples of their length; if the target's clock is another, at a recovery. */
function phaseMs(events: readonly ProbeEvent[], windowMs: number): number {
  const at = events.findIndex(
    ({ outcome }, index) => outcome === 'admitted' && events[index - 1]?.outcome === 'rejected',
  );
  const [before, after] = [events[at - 1], events[at]];
  if (before === undefined || after === undefined || windowMs === 0) return 0;
  const boundaryMs = Math.floor(after.receivedMs / windowMs) * windowMs;
  return boundaryMs >= before.sentMs ? 0 : before.sentMs % windowMs;
}

function clockWindow(
  limit: number,
  windowMs: number,
  phase: number,
  carried: number,
  countsRejects = false,
): Follower {
  let window = -Infinity;
  let [count, before] = [0, 0];
  const windowOf = (atMs: number): number => Math.floor((atMs - phase) / windowMs);
  const counts = (atMs: number): [number, number] => {
    const now = windowOf(atMs);
    if (now === window) return [count, before];
    return [0, now === window + 1 ? count : 0];
  };
  return {
    left: (atMs) => {
      const [now, earlier] = counts(atMs);
      const rest = 1 - ((atMs - phase) / windowMs - windowOf(atMs));
      return limit - now - carried * earlier * rest;
    },
    happened: (atMs, outcome) => {
      [count, before] = counts(atMs);
      window = windowOf(atMs);
      if (outcome === 'admitted' || countsRejects) count += 1;
    },
  };
}

function slidingLog(limit: number, windowMs: number, countsRejects: boolean): Follower {
  let atTimesMs: number[] = [];
  return {
    left: (atMs) => limit - atTimesMs.filter((ms) => ms > atMs - windowMs).length,
    happened: (atMs, outcome) => {
      if (outcome === 'admitted' || countsRejects) atTimesMs = [...atTimesMs, atMs];
    },
  };
}

/** A bucket; what came in since its first request is capped by its size each time it is looked at. */
function bucket(capacity: number, broughtMs: (sinceFirstMs: number) => number): Follower {
  let [firstMs, seenMs, tokens] = [-Infinity, -Infinity, capacity];
  const at = (atMs: number): number =>
    firstMs === -Infinity
      ? capacity
      : Math.min(capacity, tokens + broughtMs(atMs - firstMs) - broughtMs(seenMs - firstMs));
  return {
    left: (atMs) => Math.floor(at(atMs) + 1e-6),
    happened: (atMs, outcome) => {
      tokens = Math.max(0, at(atMs) - (outcome === 'admitted' ? 1 : 0));
      if (firstMs === -Infinity) firstMs = atMs;
      seenMs = atMs;
    },
  };
}

function penalty(limit: number, windowMs: number, blockMs: number): Follower {
  let window = fixedWindow(limit, windowMs, false);
  let freeMs = -Infinity;
  return {
    left: (atMs) => (atMs < freeMs ? 0 : window.left(atMs)),
    happened: (atMs, outcome) => {
      if (outcome === 'admitted') window.happened(atMs, outcome);
      else if (atMs >= freeMs) {
        freeMs = atMs + blockMs;
        window = fixedWindow(limit, windowMs, false);
      }
    },
  };
}
