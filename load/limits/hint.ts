import type { ProbeEvent } from './transcript.ts';

/** When the next admission should come by the word of the service. */
export interface Hint {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether the wait did not fall: it is constant, or starts anew with each request. */
  readonly anew: boolean;
}

/** Longer waits than this are not followed, ms. */
const MOST_WAIT_MS = 7_200_000;
/** Whole seconds may be rounded up, ms. */
const ROUNDING_MS = 1000;

/**
 * The wait that the last rejection asked for, as a time; null where it asked for none, or where the
 * service has shown that its waits are not to be believed. After the first recovery only a wait that
 * was once seen to fall is believed again.
 */
export function hintOf(events: readonly ProbeEvent[], tripMs: number): Hint | null {
  const claims = events.filter((event) => event.outcome === 'rejected' && waitOf(event) > 0);
  const last = events.at(-1);
  if (last === undefined || claims.at(-1) !== last) return null;
  const waitMs = waitOf(last);
  if (waitMs > MOST_WAIT_MS) return null;
  const admittedMs = events.findLast(({ outcome }) => outcome === 'admitted')?.sentMs ?? -Infinity;
  const recent = claims.filter(({ sentMs }) => sentMs >= admittedMs && sentMs < last.sentMs);
  if (recent.some((claim) => claim.receivedMs + waitOf(claim) < last.sentMs)) return null;
  const recovered = (claims[0]?.sentMs ?? Infinity) < admittedMs;
  if (recovered && !fell(claims)) return null;
  const before = recent.at(-1);
  const anew =
    before !== undefined &&
    last.sentMs - before.sentMs > Math.max(1.5 * ROUNDING_MS, 0.3 * waitMs) &&
    waitOf(before) < 1.1 * waitMs;
  const roundedMs = Number.isInteger(last.retryAfterSeconds) ? ROUNDING_MS : 50;
  return {
    fromMs: last.sentMs + waitMs - roundedMs - tripMs,
    toMs: last.receivedMs + waitMs + tripMs,
    anew,
  };
}

function waitOf({ retryAfterSeconds }: ProbeEvent): number {
  return (retryAfterSeconds ?? 0) * 1000;
}

/** Whether two rejections in a row asked for waits that end at about the same time. */
function fell(claims: readonly ProbeEvent[]): boolean {
  return claims.some((claim, index) => {
    const next = claims[index + 1];
    if (next === undefined) return false;
    const passedMs = next.sentMs - claim.sentMs;
    const lessMs = waitOf(claim) - waitOf(next);
    return passedMs > 1500 && Math.abs(passedMs - lessMs) < 1.1 * ROUNDING_MS;
  });
}
