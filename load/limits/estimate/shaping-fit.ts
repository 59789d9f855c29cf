/** Compares the answers with a queue that lets requests pass at a rate, and says how well they fit. */

import { burstsOf } from './bursts.ts';
import { evenQueue, windowQueue, type Passing } from './shaping-queue.ts';
import type { ProbeEvent } from '../transcript.ts';

/** How a service delays, as it was seen. */
export interface Shaping {
  /** Requests that pass at once when nothing is waiting. */
  readonly free: number;
  /** Requests that pass in a second while some are waiting. */
  readonly perSecond: number;
  /** How many pass together: 1 where they pass one by one. */
  readonly together: number;
  /** The most that were held back at once, and answered in the end. */
  readonly held: number;
  /** Whether what came while so many were held back was rejected. Else no more were tried. */
  readonly rejects: boolean;
}

/** A delayed answer takes this many times the fastest one, and this many ms more. */
const SLOW_FACTOR = 1.5;
const SLOW_MS = 20;
/** Fewer delayed answers than these may look like anything. */
const MIN_DELAYED = 5;
/** Of those so many must have waited for their turn, for longer than an answer may be off. */
const MIN_HELD = 3;
/** The part of the answers that must come when the queue says. */
const ON_TIME = 0.9;
/**
 * How far off an answer may be: this many ms, or a part of the step; or, up to a part of the longest delay,
 * what others are off that are not delayed, or what of a round trip may be the way there.
 */
const OFF_MS = 4;
const OFF_STEP = 0.2;
const OFF_LONGEST = 0.08;
const OFF_TRIP = 0.4;
/**
 * What passes at once takes at least this many times as long to become free again as one request takes
 * alone: else that is how long the work takes, and those who do it are few.
 */
const BEYOND_WORK = 1.4;
/** Requests that pass together do so this far apart; a machine that is short of time stops for less. */
const MIN_WINDOW_MS = 200;
/** Steps between answers that come together differ by no more than this part. */
const EVEN = 0.2;
/** The part of the steps between windows that must be one window long. */
const REGULAR = 0.6;
const MAX_TOGETHER = 64;
/** How many can be made up for, where none can at first: of those that explain the answers, the fewest. */
const SLACKS: readonly number[] = [1, 2, 3, 5, 7, 10, 15, 20, 30];
/** A rejection at a queue that is shorter by more than this comes of something else. */
const SHORTER = 1.5;

/** What took much longer than the fastest answer, by its place; rejections never are. */
export function slowOnes(events: readonly ProbeEvent[]): boolean[] {
  let fastest = Infinity;
  for (const event of events) {
    if (event.outcome === 'admitted') fastest = Math.min(fastest, tripOf(event));
  }
  return events.map((event) => event.outcome === 'admitted' && isSlow(event, fastest));
}

/**
 * The queue that explains how long answers took and which were rejected; null when none does. Failed
 * requests may have been let into it, or may not have reached it.
 */
export function fitOf(events: readonly ProbeEvent[]): Shaping | null {
  const reached = events.filter(({ outcome }) => outcome !== 'failed');
  return queueOf(events) ?? (reached.length < events.length ? queueOf(reached) : null);
}

function queueOf(events: readonly ProbeEvent[]): Shaping | null {
  const passed = events.filter(({ outcome }) => outcome === 'admitted');
  const baseMs = Math.min(...passed.map(tripOf));
  const slow = passed.filter((event) => isSlow(event, baseMs));
  if (slow.length < MIN_DELAYED) return null;
  const times = new Map(passed.map((event) => [event, tripOf(event) - baseMs]));
  const delays = { times, baseMs };
  const found = evenFit(events, slow, delays) ?? windowFit(events, slow, delays);
  if (found === null) return null;
  const { passing, queue } = found;
  const atFirst = passing.together === 1 ? passing.free - (passing.used ?? 0) : 1;
  const refillMs = atFirst * passing.stepMs;
  return refillMs < BEYOND_WORK * baseMs ? null : withBeyond(passing, queue, events);
}

function isSlow(event: ProbeEvent, baseMs: number): boolean {
  return tripOf(event) > Math.max(SLOW_FACTOR * baseMs, baseMs + SLOW_MS);
}

/** How much longer than the fastest one each answer took, ms. */
interface Delays {
  readonly times: ReadonlyMap<ProbeEvent, number>;
  readonly baseMs: number;
}

interface Fit {
  readonly passing: Passing;
  /** How many were held back by then, for each request; one that is rejected counts itself. */
  readonly queue: ReadonlyMap<ProbeEvent, number>;
}

/** One by one: what is held back passes a step after the one before it. */
function evenFit(
  events: readonly ProbeEvent[],
  slow: readonly ProbeEvent[],
  delays: Delays,
): Fit | null {
  const steps = stepsOf(slow, events);
  const middle = median(steps);
  const near = steps.filter((ms) => Math.abs(ms / middle - 1) < 2 * EVEN);
  // Where answers are late by more than a step, their pace as a whole tells more than single steps.
  const all = [near.length < ON_TIME * steps.length ? NaN : mean(near), mean(steps)];
  // Where one at a time is held back, the longest is held for a step, others for what was left of one.
  const alone = aloneMs(slow, delays);
  for (const stepMs of [...all, median(alone), Math.max(...alone)]) {
    if (!(stepMs > 0)) continue;
    const levels = evenQueue(events, { free: 0, stepMs, together: 1 });
    const free = median(
      slow.map(
        (event) => (levels.get(event)?.queue ?? 0) - (delays.times.get(event) ?? 0) / stepMs,
      ),
    );
    const passing = { free: Math.max(1, Math.round(free)), stepMs, together: 1 };
    const queue = evenQueue(events, passing);
    if (isOnTime(delays, queue, passing)) return { passing, queue: queuesOf(queue) };
  }
  return near.length < ON_TIME * steps.length ? null : slackFit(events, mean(near), delays);
}

/** How long those were held back that were the only ones of their burst, ms. */
function aloneMs(slow: readonly ProbeEvent[], { times }: Delays): readonly number[] {
  return burstsOf(slow).flatMap(([event, ...others]) =>
    event === undefined || others.length > 0 ? [] : [times.get(event) ?? 0],
  );
}

/** One by one from the first request on; what is not asked for meanwhile is made up for, up to so many. */
function slackFit(events: readonly ProbeEvent[], stepMs: number, delays: Delays): Fit | null {
  for (const used of SLACKS) {
    const passing = { free: used + 1, stepMs, together: 1, used };
    const queue = evenQueue(events, passing);
    if (isOnTime(delays, queue, passing)) return { passing, queue: queuesOf(queue) };
  }
  return null;
}

/** A number of requests together, at the end of each window. */
function windowFit(
  events: readonly ProbeEvent[],
  slow: readonly ProbeEvent[],
  delays: Delays,
): Fit | null {
  const apart = stepsOf(slow, events, Infinity).filter((ms) => ms > MIN_WINDOW_MS / 2);
  const stepMs = median(apart);
  const near = apart.filter((ms) => Math.abs(ms / stepMs - 1) < EVEN);
  const isRegular = near.length >= 2 && near.length >= REGULAR * apart.length;
  if (!isRegular || stepMs < MIN_WINDOW_MS) return null;
  for (let together = 2; together <= MAX_TOGETHER; together += 1) {
    const passing = { free: together, stepMs: mean(near), together };
    const queue = windowQueue(events, passing);
    // Two windows that were waited for at once: one alone may be a pause.
    const isDeep = [...queue.values()].some((one) => one.queue > together);
    if (isDeep && isOnTime(delays, queue, passing)) return { passing, queue: queuesOf(queue) };
  }
  return null;
}

type Reported = ReadonlyMap<ProbeEvent, { readonly delayMs: number; readonly queue: number }>;

function queuesOf(reported: Reported): ReadonlyMap<ProbeEvent, number> {
  return new Map([...reported].map(([event, { queue }]) => [event, queue]));
}

/** Times between answers that were both delayed, where the later one was waiting or came right after. */
function stepsOf(
  slow: readonly ProbeEvent[],
  events: readonly ProbeEvent[],
  within = 1,
): readonly number[] {
  const order = [...slow].sort((a, b) => a.receivedMs - b.receivedMs);
  const place = new Map(events.map((event, index) => [event, index]));
  return order.slice(1).flatMap((event, index) => {
    const before = order[index];
    if (before === undefined) return [];
    const sooner = event.sentMs < before.receivedMs;
    const next = (place.get(event) ?? 0) - (place.get(before) ?? 0) <= within;
    return sooner || next ? [event.receivedMs - before.receivedMs] : [];
  });
}

/** Whether nearly all answers came when they were due. The first of all may be slow for another reason. */
function isOnTime({ times, baseMs }: Delays, reported: Reported, { stepMs }: Passing): boolean {
  const all = [...times].slice(1);
  const dueMs = (event: ProbeEvent): number => reported.get(event)?.delayMs ?? 0;
  const longest = Math.max(...all.map(([, ms]) => ms));
  const early = all.filter(([event]) => dueMs(event) === 0);
  const held = all.filter(([event]) => dueMs(event) > 0);
  const spread = quantile(
    early.map(([, ms]) => ms),
    0.9,
  );
  const way = Math.min(Math.max(spread, OFF_TRIP * baseMs), OFF_LONGEST * longest);
  const mostOff = Math.max(OFF_MS, OFF_STEP * stepMs, way);
  // The fastest answer of all is faster than most.
  const late = median(held.map(([event, ms]) => ms - dueMs(event)));
  if (Math.abs(late) > mostOff) return false;
  const isGood = ([event, ms]: readonly [ProbeEvent, number]): boolean =>
    Math.abs(ms - dueMs(event) - late) <= mostOff || Math.abs(ms - dueMs(event)) <= mostOff;
  // Answers that are slow, though none had to wait, are late for another reason, and none waited that came at once.
  const waited = held.filter(([event, ms]) => Math.min(dueMs(event), ms) > mostOff);
  if (waited.length < MIN_HELD) return false;
  const delayed = all.filter(([event, ms]) => ms > mostOff || dueMs(event) > 0);
  // Those that should pass at once, and those that are held, each by themselves.
  return [all, delayed].every((part) => part.filter(isGood).length >= ON_TIME * part.length);
}

/** What is held back at most, and whether rejections begin there; null where they come of another limit. */
function withBeyond(
  { free, stepMs, together }: Passing,
  queue: ReadonlyMap<ProbeEvent, number>,
  events: readonly ProbeEvent[],
): Shaping | null {
  const at = (outcome: ProbeEvent['outcome']): number[] =>
    events.flatMap((event) => (event.outcome === outcome ? [queue.get(event) ?? 0] : []));
  const held = Math.max(0, Math.round(Math.max(...at('admitted'))));
  const refused = at('rejected');
  if (refused.some((depth) => depth < held + 1 - SHORTER)) return null;
  const perSecond = (1000 * together) / stepMs;
  return { free, perSecond, together, held, rejects: refused.length > 0 };
}

function tripOf({ sentMs, receivedMs }: ProbeEvent): number {
  return receivedMs - sentMs;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}
