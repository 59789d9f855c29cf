/** What the rate-limit headers claim, against what was measured. */

import type { LimitEstimate } from '../../../contracts/run/load/limit-measurement.ts';
import type { RateLimitReading } from '../../../contracts/wire/rate-limit-headers.ts';
import { mostAdmittedWithin } from '../transcript.ts';
import { readReport } from './read-report.ts';
import { inWindowClaims } from './in-window-claims.ts';
import { remainingClaims } from './remaining-claims.ts';
import type { ReportedEvent } from './reported-event.ts';

export type { ReportedEvent };

/** Windows are measured to a twentieth. */
const SAME_WINDOW = 0.05;
/** At most this many sentences are made of a service that reports something else each time. */
const MAX_CLAIMS = 24;
/** Classes whose remaining requests only fall, and whose end stands, until the window ends. */
const FIXED = new Set(['fixed-window', 'clock-window']);

/**
 * A sentence for each claim: limit and window of each family against the measured ones; what remains
 * where it cannot be so; and, of limits that were found to be fixed windows, what rises or drifts
 * inside of one. The drafts and the X-
 * fields are promised by nobody, so this is for the ledger.
 *
 * @param events of one bucket, in the order of sending
 */
export function headerClaims(
  events: readonly ReportedEvent[],
  estimate: LimitEstimate,
): readonly string[] {
  const readings = events.flatMap(({ headers }) => readReport(headers).readings);
  const isFixed =
    estimate.algorithms.length > 0 && estimate.algorithms.every((name) => FIXED.has(name));
  const claims = [
    ...limitClaims(events, readings, estimate),
    ...windowClaims(readings, estimate),
    ...remainingClaims(events, estimate),
    ...(isFixed && estimate.limit !== undefined ? inWindowClaims(events, estimate.limit) : []),
  ];
  const reported = [...new Set(claims)];
  const more = reported.length - MAX_CLAIMS;
  return more <= 0
    ? reported
    : [...reported.slice(0, MAX_CLAIMS), `${more} more claims are not listed`];
}

function limitClaims(
  events: readonly ReportedEvent[],
  readings: readonly RateLimitReading[],
  { limit, burst, admitted }: LimitEstimate,
): string[] {
  const measured = burst ?? limit;
  // Each answer claims again, and one may claim many windows: each is looked at once, and few of them.
  const mostWithin = new Map<number, number>();
  const mostIn = (seconds: number): number => {
    const known = mostWithin.get(seconds);
    if (known !== undefined || mostWithin.size >= MAX_CLAIMS) return known ?? 0;
    const most = mostAdmittedWithin(events, 1000 * seconds);
    mostWithin.set(seconds, most);
    return most;
  };
  return readings.flatMap(({ family, policies }) =>
    policies.map((policy) => {
      const claim = `${family}: a limit of ${policy.limit} requests`;
      const { windowSeconds } = policy;
      if (measured === undefined && windowSeconds !== undefined) {
        const most = mostIn(windowSeconds);
        if (most <= policy.limit) return claim;
        // No more than that is what a correct window lets in as it ends and the next one begins.
        const isAllowed = most <= 2 * policy.limit;
        const meeting = isAllowed ? ', as two windows that meet may let in' : '';
        return `${claim}, measured up to ${most} within ${windowSeconds} s${meeting}`;
      }
      if (measured === undefined) {
        if (admitted === undefined || admitted.requests <= policy.limit) return claim;
        return `${claim}, ${admitted.requests} admitted in a row, in ${admitted.seconds} s`;
      }
      return `${claim}, ${policy.limit === measured ? 'as measured' : `measured ${measured}`}`;
    }),
  );
}

function windowClaims(
  readings: readonly RateLimitReading[],
  { windowSeconds: measured }: LimitEstimate,
): string[] {
  return readings.flatMap(({ family, policies }) =>
    policies.flatMap(({ windowSeconds }) => {
      if (windowSeconds === undefined) return [];
      const claim = `${family}: a window of ${windowSeconds} s`;
      if (measured === undefined) return [claim];
      const same = Math.abs(windowSeconds - measured) <= SAME_WINDOW * measured;
      return [`${claim}, ${same ? 'as measured' : `measured ${rounded(measured)} s`}`];
    }),
  );
}

function rounded(seconds: number): number {
  return Math.round(seconds * 100) / 100;
}
