/** What a probe may spend, and how it keeps its pace. */

import { slowRoundTripMs, type ProbeEvent } from '../transcript.ts';

/** What a probe may spend at most. */
export interface ProbeBudget {
  readonly maxRequests: number;
  readonly maxRejects: number;
  readonly maxSeconds: number;
  readonly maxRatePerSecond: number;
  /** Requests in flight at once. */
  readonly maxConcurrent: number;
}

/** Why a probe ends. */
export type StopReason =
  | 'identified'
  | 'composite'
  | 'stacked'
  | 'shaped'
  | 'no-progress'
  | 'max-requests'
  | 'max-rejects'
  | 'max-record bytes'
  | 'max-seconds';

/** What to do next. */
export type ProbeAction =
  | { readonly kind: 'send'; readonly waitUntilMs: number; readonly concurrent: number }
  | { readonly kind: 'stop'; readonly reason: StopReason; readonly unfit?: UnfitWait };

/** A wait that was wanted next, and the time that was left for it, ms. */
export interface UnfitWait {
  readonly wantedMs: number;
  readonly leftMs: number;
}

/** Sending so many at once, not before a time. */
export type Sending = ProbeAction & { readonly kind: 'send' };

/** Rejections are close together when this part of the wait so far lies between them; so many may be. */
const QUICK = 0.01;
const MAX_QUICK = 4;

/** What of the budget is spent, or null. */
export function spent(
  budget: ProbeBudget,
  events: readonly ProbeEvent[],
  nowMs: number,
): StopReason | null {
  const rejects = events.filter((event) => event.outcome === 'rejected').length;
  if (events.length >= budget.maxRequests) return 'max-requests';
  if (rejects >= budget.maxRejects) return 'max-rejects';
  const first = events[0]?.sentMs ?? nowMs;
  return nowMs - first >= budget.maxSeconds * 1000 ? 'max-seconds' : null;
}

/** Keeps the rate, counted over the last second or the last burst, and the count of requests. */
export function paced(
  action: Sending,
  budget: ProbeBudget,
  events: readonly ProbeEvent[],
): Sending {
  const concurrent = Math.max(
    1,
    Math.min(action.concurrent, budget.maxConcurrent, budget.maxRequests - events.length),
  );
  const last = events.at(-1)?.sentMs;
  const together = events.filter((event) => event.sentMs === last).length;
  const earliest =
    last === undefined ? -Infinity : last + (1000 * together) / budget.maxRatePerSecond;
  return { ...action, concurrent, waitUntilMs: Math.max(action.waitUntilMs, earliest) };
}

/** After several rejections close together the next one is not far from certain: so later. */
export function spread(action: Sending, events: readonly ProbeEvent[]): Sending {
  const admittedAt = events.findLastIndex(({ outcome }) => outcome === 'admitted');
  const [since, last] = [events[admittedAt], events.at(-1)];
  if (since === undefined || last === undefined) return action;
  const late = events.slice(admittedAt + 1);
  const tripMs = slowRoundTripMs(events);
  const stepMs = (event: ProbeEvent): number =>
    Math.max(tripMs, QUICK * (event.sentMs - since.sentMs));
  const quick = late.filter((event, index) => {
    const before = late[index - 1];
    if (before === undefined || event.burst === before.burst) return false;
    return event.sentMs - before.sentMs < stepMs(event);
  }).length;
  if (quick <= MAX_QUICK) return action;
  const leastMs = last.sentMs + (quick - MAX_QUICK) * stepMs(last);
  return { ...action, waitUntilMs: Math.max(action.waitUntilMs, leastMs) };
}
