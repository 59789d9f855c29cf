import { inTrueSeconds } from './wait-unit.ts';
import type { ProbeEvent } from '../transcript.ts';

/** When the next admission should come by the word of the service. */
export interface Hint {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether the end was put off: the wait is constant, or starts anew with each request. */
  readonly anew: boolean;
  /** When the first wait since the last admission was to end. */
  readonly firstMs: number;
  /** Whether two rejections in a row told about the same end. */
  readonly isSeen: boolean;
}

/** Longer waits than this are not followed, ms. */
const MAX_WAIT_MS = 7_200_000;
/** Whole seconds may be rounded up, ms. */
const ROUNDING_MS = 1000;

/**
 * The wait that the last rejection asked for, as a time; null where it asked for none, or where the
 * service has shown that its waits are not to be believed. After the first recovery only a wait that
 * was once seen to fall is believed again. A unit that is no second is seen by how fast they fall.
 */
export function hintOf(all: readonly ProbeEvent[], tripMs: number): Hint | null {
  const events = inTrueSeconds(all);
  const hint = lastWord(events, tripMs);
  const first = events.findIndex((event) => event.outcome === 'rejected' && waitOf(event) > 0);
  const hasRecovered = events.slice(first).some(({ outcome }) => outcome === 'admitted');
  return hint !== null && hasRecovered && !hint.isSeen ? null : hint;
}

/** The same where no wait was too short so far: not to be relied on, but worth a request. */
export function unrefutedHint(all: readonly ProbeEvent[], tripMs: number): Hint | null {
  const events = inTrueSeconds(all);
  return wasTooShort(events) ? null : lastWord(events, tripMs);
}

/** Whether a request was rejected, with nothing in between, when the wait of the rejection before was over. */
function wasTooShort(events: readonly ProbeEvent[]): boolean {
  const known = events.filter(({ outcome }) => outcome !== 'failed');
  return known.some((event, at) => {
    const before = known[at - 1];
    if (event.outcome !== 'rejected' || before?.outcome !== 'rejected') return false;
    return waitOf(before) > 0 && before.receivedMs + waitOf(before) < event.sentMs;
  });
}

function lastWord(events: readonly ProbeEvent[], tripMs: number): Hint | null {
  const reports = events.filter((event) => event.outcome === 'rejected' && waitOf(event) > 0);
  const last = events.at(-1);
  if (last === undefined || reports.at(-1) !== last) return null;
  const waitMs = waitOf(last);
  if (waitMs > MAX_WAIT_MS) return null;
  const admittedMs = events.findLast(({ outcome }) => outcome === 'admitted')?.sentMs ?? -Infinity;
  const recent = reports.filter(({ sentMs }) => sentMs >= admittedMs && sentMs < last.sentMs);
  // Only the next request speaks against a wait: a later one may have been put off by those between.
  const isRefuted = recent.some(
    (report, at) => report.receivedMs + waitOf(report) < (recent[at + 1] ?? last).sentMs,
  );
  if (isRefuted) return null;
  const isSeen = fell(reports);
  const alone = spanOf(last, tripMs);
  const spans = [...recent, last].map((report) => spanOf(report, tripMs));
  const fromMs = Math.max(...spans.map((span) => span.fromMs));
  const toMs = Math.min(...spans.map((span) => span.toMs));
  // Several reports of one moment give it more exactly than the last of them.
  if (fromMs < toMs) return { fromMs, toMs, anew: false, firstMs: toMs, isSeen };
  return { ...alone, anew: alone.fromMs >= toMs, firstMs: toMs, isSeen };
}

/** When the next admission should come by one rejection's word. */
function spanOf(report: ProbeEvent, tripMs: number): { fromMs: number; toMs: number } {
  const roundedMs = Number.isInteger(report.retryAfterSeconds) ? ROUNDING_MS : 50;
  return {
    fromMs: report.sentMs + waitOf(report) - roundedMs - tripMs,
    toMs: report.receivedMs + waitOf(report) + tripMs,
  };
}

/**
 * Whether the service's waits start anew with each rejection, by its word and in truth: one was not
 * over although its end had come, since others were rejected meanwhile; none was too short otherwise.
 */
export function startsAnew(events: readonly ProbeEvent[]): boolean {
  let waiting: ProbeEvent[] = [];
  let isAnew = false;
  let kept = false;
  for (const event of events) {
    if (event.outcome === 'failed') continue;
    const [before] = waiting.slice(-1);
    const isOver = (report: ProbeEvent): boolean =>
      report.receivedMs + waitOf(report) < event.sentMs && waitOf(report) > 0;
    if (event.outcome === 'admitted') {
      kept ||= before !== undefined && before.sentMs + waitOf(before) < event.receivedMs;
      waiting = [];
    } else {
      if (before !== undefined && isOver(before)) return false;
      isAnew ||= waiting.some(isOver);
      waiting.push(event);
    }
  }
  return isAnew && kept;
}

function waitOf({ retryAfterSeconds }: ProbeEvent): number {
  return (retryAfterSeconds ?? 0) * 1000;
}

/** Whether two rejections in a row asked for waits that end at about the same time. */
function fell(reports: readonly ProbeEvent[]): boolean {
  return reports.some((report, index) => {
    const next = reports[index + 1];
    if (next === undefined) return false;
    const passedMs = next.sentMs - report.sentMs;
    const lessMs = waitOf(report) - waitOf(next);
    return passedMs > 1500 && Math.abs(passedMs - lessMs) < 1.1 * ROUNDING_MS;
  });
}
