/** Why no one class of limiter is named, in a sentence. */

import { nameOf } from './class-names.ts';
import type { ClassEstimate, OpenReason, ProbeResult } from '../../limits/index.ts';

/** How a probe ended that had not told everything by then. */
const ENDED: Readonly<Partial<Record<ProbeResult['stopped'], string>>> = {
  'no-progress': 'nothing more that was sent showed more',
  'max-requests': 'the requests of the budget were used up',
  'max-rejects': 'the rejections of the budget were used up',
  'max-seconds': 'the time of the budget was over',
  'max-record bytes': 'the record was full',
};

/**
 * Why a verdict is `composite` or `ambiguous`; undefined of others.
 *
 * @param result of the probe that ended so
 */
export function whyOf({
  estimate: { kind, open, classes, mismatches },
  stopped,
}: Pick<ProbeResult, 'estimate' | 'stopped'>): string | undefined {
  if (open === undefined || (kind !== 'composite' && kind !== 'ambiguous')) return undefined;
  const last = [...mismatches].sort((a, b) => b.afterEvents - a.afterEvents)[0];
  const ruledOut =
    last === undefined
      ? ''
      : `; the last was ${nameOf(last.class)}, until answer ${last.afterEvents}`;
  const why = reasonOf(open, classes);
  const ended = kind === 'ambiguous' ? ENDED[stopped] : undefined;
  return `${why}${open.kind === 'none-left' ? ruledOut : ''}${ended === undefined ? '' : `; ${ended}`}`;
}

function reasonOf(open: OpenReason, classes: readonly ClassEstimate[]): string {
  const names = classes.map((one) => nameOf(one.class));
  const [best] = classes;
  switch (open.kind) {
    case 'none-left':
      return 'no single class of limiter admits and rejects as this one did';
    case 'by-accident':
      return `${nameOf(open.class)} explains it only if windows ended within short bursts again and again`;
    case 'unexplained':
      return `${nameOf(open.class)} is the only class left, and does not explain answer ${open.answer}`;
    case 'rivals':
      return `${names.join(' and ')} explain alike all that was seen`;
    case 'several':
      return `what was seen fits ${classes.map(shareOf).join(' and ')}`;
    case 'imprecise':
      return `${names[0] ?? 'one class'} fits, and ${best === undefined ? 'its values are' : openValueOf(best)} not known closely enough`;
    case 'unproven':
      return `${names[0] ?? 'one class'} fits, and was not seen often enough to do what no other class does`;
  }
}

/** `token-bucket (61 %)`. */
function shareOf({ class: name, probability }: ClassEstimate): string {
  return `${nameOf(name)} (${Math.round(100 * probability)} %)`;
}

/** Which of its values is open, and how far. */
function openValueOf({
  limit,
  windowSeconds,
  intervalSeconds,
  penaltySeconds,
}: ClassEstimate): string {
  if (limit.lo !== limit.hi) {
    const most = Number.isFinite(limit.hi) ? `${limit.lo} to ${limit.hi}` : `${limit.lo} or more`;
    return `its limit (${most}) is`;
  }
  const time = intervalSeconds ?? penaltySeconds ?? windowSeconds;
  if (time === undefined || !Number.isFinite(time.hi)) return 'its time is';
  return `its time (${Number(time.lo.toPrecision(3))} to ${Number(time.hi.toPrecision(3))} s) is`;
}
