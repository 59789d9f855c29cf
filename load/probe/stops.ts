/** When a probe must stop, whatever its budget: the target suffers, or does not want it. */

import { headerOf } from '../../contracts/wire/exchange.ts';
import { announcedBy, readWait } from '../limits/index.ts';
import type { Reported } from './sender.ts';

/**
 * Answers that must be slow, one after another, before the target counts as suffering: as many as tell
 * whether it makes requests wait for their turn, which is no suffering.
 */
const SLOW_IN_A_ROW = 9;
const SLOW_FACTOR = 3;
/** Slower by less is no suffering. */
const SLOW_MS = 250;

/**
 * A sentence on why to stop after the last of these events, or null. A wait counts as too long only
 * when no unit makes it short: that of the body may not be stated.
 *
 * @param reported the plain requests of one bucket, in the order of sending
 */
export function stopAfter(reported: readonly Reported[], mostWaitSeconds: number): string | null {
  const last = reported.at(-1);
  if (last === undefined) return null;
  if (last.outcome === 'failed') return failureStop(reported);
  const challenge = headerOf(last.headers, 'cf-mitigated');
  if (challenge !== undefined) return `a gateway before the target answered with a ${challenge}`;
  if (last.outcome === 'rejected') {
    const shortest = shortestWaitSeconds(last);
    if (shortest !== undefined && shortest > mostWaitSeconds) {
      return `it asks to wait for ${Math.round(shortest)} s, and more than ${mostWaitSeconds} s need --long`;
    }
  }
  return isSuffering(reported) ? 'its answers take three times as long as at first' : null;
}

/** Errors of the server in a row, and in what part of the latest answers, that make a probe stop. */
const ERRORS_IN_A_ROW = 3;
const LATEST = 20;
const MAX_ERRORS_OF_LATEST = 2;

/**
 * Why to stop after a failed request, or null. Not to be let in is a word of its own. An error of the
 * server now and then is none: nobody knows whether it was counted, and the models take it either way.
 * Without an answer nothing was asked of it, so that alone is no reason; runProbe gives up by itself.
 *
 * @param reported requests in the order of sending, of which the last one failed
 */
export function failureStop(reported: readonly Reported[]): string | null {
  const last = reported.at(-1);
  if (last === undefined || last.status === 0 || last.failure !== '') return null;
  const isFirst = reported.every(({ outcome }) => outcome === 'failed');
  const advice = isFirst || last.isPage === true ? adviceOn(last) : '';
  if (!isServerError(last)) return `it answered ${last.status}${advice}`;
  const row = reported.slice(-ERRORS_IN_A_ROW);
  if (row.length === ERRORS_IN_A_ROW && row.every(isServerError)) {
    return `it answered ${last.status} ${ERRORS_IN_A_ROW} times in a row${advice}`;
  }
  const errors = reported.slice(-LATEST).filter(isServerError).length;
  if (errors <= MAX_ERRORS_OF_LATEST) return null;
  return `it answered ${last.status}, and ${errors} of the last ${Math.min(LATEST, reported.length)} answers were errors of the server`;
}

/** What to change where nothing was admitted before, or what a page is. */
function adviceOn({ status, isPage, witness: { request } }: Reported): string {
  const [, version = ''] = /^(\/v\d+)\//.exec(request.path) ?? [];
  if (version !== '' && request.url.includes(version + request.path)) {
    return `: leave ${version} out at the end of the base URL`;
  }
  if (isPage === true) {
    return GATEWAY.includes(status)
      ? ' with the page of a proxy or gateway: the service behind it was not reached'
      : ' with a web page where JSON was expected: give the URL of the API itself';
  }
  if (status === 401 || status === 403) {
    return ': a credential may be missing (ASSAY_TRADE_KEY of the trade API, else --header)';
  }
  return ABSENT.includes(status)
    ? ', as a place that serves nothing does: look at its base URL'
    : '';
}

const GATEWAY: readonly number[] = [502, 503, 504];
/** RFC 9110 sections 15.5.5, 15.5.6, 15.5.11, 15.6.2. */
const ABSENT: readonly number[] = [404, 405, 410, 501];

function isServerError({ outcome, status }: Reported): boolean {
  return outcome === 'failed' && status >= 500 && status !== 501;
}

function shortestWaitSeconds(reported: Reported): number | undefined {
  const waits = (['body', 'retry-after', 'rate-limit-reset'] as const).flatMap((source) => {
    const announced = announcedBy(source, reported);
    if (announced.kind !== 'wait') return [];
    const { written, unit } = announced;
    const read = readWait(written, unit, reported).waitMs / 1000;
    // RFC 9110 section 10.2.3: the field is in seconds. Of the others the unit may not be stated.
    const isCertain = source === 'retry-after';
    return unit === 'seconds' && written >= 1000 && !isCertain ? [read, written / 1000] : [read];
  });
  return waits.length === 0 ? undefined : Math.min(...waits);
}

function isSuffering(reported: readonly Reported[]): boolean {
  const trips = reported.map(({ sentMs, receivedMs }) => receivedMs - sentMs);
  const usual = Math.max(...trips.slice(0, 4));
  const late = trips.slice(4).slice(-SLOW_IN_A_ROW);
  return (
    late.length === SLOW_IN_A_ROW &&
    late.every((tripMs) => tripMs > Math.max(SLOW_FACTOR * usual, usual + SLOW_MS))
  );
}
