/** How the requests of a step are sent: when, and how many at once. */

import type { Candidate } from '../models/index.ts';
import type { Posterior } from '../estimate/posterior.ts';
import type { ClassEstimate } from '../estimate/estimate.ts';
import type { Step } from './experiment.ts';
import type { ProbeAction } from './pacing.ts';
import { roundTripMs, type ProbeEvent } from '../transcript.ts';

/** Candidates that a burst must not meet with more than they admit. */
const LIKELY = 3;
/** The part of what was sent so far that goes out at once next. */
export const MORE_AT_ONCE = 0.08;
/** The part of the time of a token in which nothing is expected of it. */
const TOKEN_PART = 0.15;

/** What goes out is to be so many times what a bucket gets back meanwhile. */
const FASTER = 3;

/** What a burst is expected to meet. */
export interface Expected {
  /** How many of it are hardly rejected. */
  readonly least: number;
  /** What comes back meanwhile, requests a millisecond. */
  readonly perMs: number;
}

/** Of a burst that is to be sent one by one. */
export const NOTHING_EXPECTED: Expected = { least: 0, perMs: 0 };

/** How far a step is. */
interface Sent {
  readonly sent: number;
  readonly expected: Expected;
  readonly posterior: Pick<Posterior, 'transcript'>;
}

/** Right after a rejection another request tells nothing: until a part of a token may have come. */
export function nextTokenMs(
  events: readonly ProbeEvent[],
  { windowSeconds, limit }: ClassEstimate,
): number {
  const last = events.at(-1);
  if (last?.outcome !== 'rejected' || windowSeconds === undefined) return -Infinity;
  return last.sentMs + (TOKEN_PART * 1000 * windowSeconds.lo) / limit.hi;
}

/** A step until a rejection ends when far more were admitted in it than ever in a row before. */
const ENDLESS_TIMES = 2;
const ENDLESS = 20;

/**
 * Whether a step goes on for so long that no rejection is to be expected in it any more: by all that was
 * seen before it, a limit would have been met.
 *
 * @param sent the last so many of the events are those of the step
 */
export function isEndless(events: readonly ProbeEvent[], sent: number): boolean {
  if (sent <= ENDLESS) return false;
  let [run, most] = [0, 0];
  for (const { outcome } of events.slice(0, -sent)) {
    if (outcome === 'admitted') run += 1;
    else if (outcome === 'rejected') run = 0;
    most = Math.max(most, run);
  }
  return sent > ENDLESS + ENDLESS_TIMES * most;
}

/**
 * The first two requests of a step alone, at its time; then more at once, the first half of a bucket
 * fast, since a window that ends within the burst is told by how long the burst takes. On a busy machine still
 * more, or what comes back meanwhile is never used up.
 */
export function sendStep(
  { atMs, count, together }: Step,
  { sent, expected: { least, perMs }, posterior }: Sent,
  nowMs: number,
): ProbeAction {
  const left = least - sent;
  const fast = sent >= 2 ? Math.min(left, Math.max(Math.ceil(least / 4), 1)) : 1;
  const beyond = Math.ceil(Math.max(0, -left) * MORE_AT_ONCE);
  const all = together === true && sent > 0 ? count : 1;
  const { events } = posterior.transcript;
  // An answer that is held back is no reason to hurry.
  const tookMs = nowMs - (events.at(-1)?.receivedMs ?? nowMs) + roundTripMs(events);
  const faster = sent >= 2 ? Math.min(sent, Math.ceil(FASTER * perMs * tookMs)) : 1;
  const concurrent = Math.min(count - sent, Math.max(1, fast, beyond, all, faster));
  return { kind: 'send', waitUntilMs: sent === 0 ? Math.max(atMs, nowMs) : nowMs, concurrent };
}

/** When the burst of an experiment is to begin, ms on the probe's clock. */
export function burstMs(steps: readonly Step[]): number {
  return (steps.find(({ count }) => count > 2) ?? steps[0])?.atMs ?? 0;
}

/** Requests that it lets in again in a millisecond, at most; none of a limit on requests at once, which has no time. */
function perMsOf({ class: name, limit, timeMs, refill }: Candidate): number {
  if (name === 'concurrency') return 0;
  const tokens = name === 'token-bucket' ? 1 : (refill?.hi ?? limit.lo);
  return tokens / timeMs.lo;
}

/** What a burst at a time is expected to meet, by the likeliest candidates. */
export function expectedOf({ alternatives }: Posterior, atMs: number): Expected {
  const likely = [...alternatives].sort((a, b) => b.probability - a.probability).slice(0, LIKELY);
  const least = Math.min(
    ...likely.map(({ candidate, pointMasses }) => {
      const timeMs = pointMasses[0]?.ms ?? candidate.timeMs.hi;
      const limit = candidate.limit.lo;
      return candidate.ahead({ limit, timeMs, phase: 0.5, refillPart: 0 }).take(atMs, limit);
    }),
  );
  const [best] = likely;
  return {
    least,
    perMs: best === undefined ? 0 : perMsOf(best.candidate),
  };
}
