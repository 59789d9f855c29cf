/** Whether what rejections announce is what it takes: `retryAfter`, `Retry-After`, the reset. */

import type {
  WaitSource,
  WaitTruth,
  WaitUnit,
  WaitVerdict,
} from '../../../contracts/run/load/limit-measurement.ts';
import { announcedBy, readWait, type Rejection } from './announced-waits.ts';
import {
  type Announcing,
  FAIR_ROUNDING_MS,
  type Held,
  type MeasuredRejection,
  type Reading,
  readIn,
} from './held-waits.ts';

/**
 * Another unit explains the numbers only if it leaves a tenth of the error at most, and somewhere
 * comes within this factor of what was measured.
 */
const EXPLAINED_SHARE = 0.1;
const NEAR_FACTOR = 2;
/** Nobody announces a moment further away than this. */
const FARTHEST_MS = 400 * 86_400_000;

const OTHER_UNITS: readonly WaitUnit[] = ['milliseconds', 'epoch-seconds', 'epoch-milliseconds'];
/** Smaller numbers are never milliseconds: nobody asks to wait for less than a tenth of a second. */
const MIN_MILLISECONDS = 100;

/**
 * A row for each source. A wait is too early when silence until it was still refused, too late when
 * one was admitted more than a second before it, with a round trip of tolerance. The unit of a
 * body may not be stated, so one that is right in another unit is
 * `wrong-unit` with `inThatUnit: honest`; a `Retry-After` field is in seconds (RFC 9110 section
 * 10.2.3).
 *
 * @param rejections in the order in which they came
 * @param roundTripMs a round trip that few exceed
 */
export function waitTruths(
  rejections: readonly MeasuredRejection[],
  roundTripMs: number,
): readonly WaitTruth[] {
  if (rejections.length === 0) return [];
  const sources: readonly WaitSource[] = ['body', 'retry-after', 'rate-limit-reset'];
  return sources.map((source) => truthOf(source, rejections, roundTripMs));
}

function truthOf(
  source: WaitSource,
  rejections: readonly MeasuredRejection[],
  roundTripMs: number,
): WaitTruth {
  const announcing: Announcing[] = [];
  for (const rejection of rejections) {
    const announced = announcedBy(source, rejection);
    if (announced.kind === 'malformed') {
      const detail = `it says ${announced.text}, which is no ${wantedOf(source)}`;
      return { source, verdict: 'not-a-number', detail, judged: 0 };
    }
    if (announced.kind === 'wait') announcing.push({ ...rejection, ...announced });
  }
  const [first] = announcing;
  if (first === undefined) {
    return { source, verdict: 'absent', detail: 'no rejection has it', judged: 0 };
  }
  const { unit } = first;
  const negative = announcing.find((one) => longestMs(one) < -roundTripMs);
  if (negative !== undefined) {
    const detail = `it announces ${secondsOf(longestMs(negative))}`;
    return { source, verdict: 'negative', detail, unit, judged: 0 };
  }
  const reading = readIn(undefined, announcing, roundTripMs);
  const other = otherUnit(reading, announcing, roundTripMs);
  if (other !== undefined) {
    const detail = `${detailOf(reading)}; its numbers are ${other.unit}`;
    const { unit: thatUnit, verdict: inThatUnit } = other;
    const figures = figuresOf(reading);
    return { source, verdict: 'wrong-unit', detail, unit: thatUnit, inThatUnit, ...figures };
  }
  const disagreement =
    source === 'body' ? undefined : disagreementOf(source, announcing, roundTripMs);
  const agrees = typeof disagreement === 'string' ? false : disagreement;
  const unrefuted = reading.verdict === 'honest' || reading.verdict === 'not-judged';
  const disagrees = unrefuted && typeof disagreement === 'string';
  return {
    source,
    verdict: disagrees ? 'disagrees' : reading.verdict,
    detail: disagrees ? disagreement : detailOf(reading),
    unit,
    ...(agrees === undefined ? {} : { agrees }),
    ...figuresOf(reading),
  };
}

/** The unit that explains what is wrong in the first reading. */
function otherUnit(
  reading: Reading,
  announcing: readonly Announcing[],
  roundTripMs: number,
): { readonly unit: WaitUnit; readonly verdict: WaitVerdict } | undefined {
  const worstMs = Math.abs(reading.worst?.errorMs ?? 0);
  if (!['too-late', 'constant'].includes(reading.verdict)) return undefined;
  return OTHER_UNITS.filter((unit) =>
    announcing.every((one) => one.unit !== unit && mayBeIn(unit, one.written, one)),
  )
    .map((unit) => ({ unit, ...readIn(unit, announcing, roundTripMs) }))
    .filter(({ worst }) => Math.abs(worst?.errorMs ?? Infinity) <= worstMs * EXPLAINED_SHARE)
    .filter(({ held }) => held.some(isNear))
    .sort((a, b) => Math.abs(a.worst?.errorMs ?? 0) - Math.abs(b.worst?.errorMs ?? 0))[0];
}

/**
 * A sentence where the source announces another moment than the body of the same rejection, whose
 * unit is tried as well; true where it never does, undefined where no body has a number. A reset may
 * be later than the wait: it may mean the whole limit.
 */
function disagreementOf(
  source: WaitSource,
  announcing: readonly Announcing[],
  roundTripMs: number,
): string | true | undefined {
  let compared: true | undefined;
  for (const one of announcing) {
    const body = announcedBy('body', one);
    if (body.kind !== 'wait') continue;
    compared = true;
    const { waitMs, grainMs } = readWait(one.written, one.unit, one);
    const units = OTHER_UNITS.filter((unit) => mayBeIn(unit, body.written, one));
    const gaps = (['seconds', ...units] as const).map((unit) => {
      const said = readWait(body.written, unit, one);
      const slackMs = FAIR_ROUNDING_MS + roundTripMs + grainMs + said.grainMs;
      return {
        said: said.waitMs,
        early: said.waitMs - waitMs > slackMs,
        late: waitMs - said.waitMs > slackMs,
      };
    });
    const mayBeLater = source === 'rate-limit-reset';
    const [plain] = gaps;
    if (plain === undefined || gaps.some(({ early, late }) => !early && (!late || mayBeLater))) {
      continue;
    }
    return `it announces ${secondsOf(waitMs)}, and the body ${secondsOf(plain.said)}`;
  }
  return compared;
}

function figuresOf({
  held,
  worst,
}: Reading): Pick<WaitTruth, 'judged' | 'medianErrorMs' | 'worstErrorMs' | 'worst'> {
  if (worst === undefined) return { judged: 0 };
  const errors = held.map(({ errorMs }) => errorMs).sort((a, b) => a - b);
  const { errorMs: worstErrorMs, announcedMs, measuredMs } = worst;
  return {
    judged: held.length,
    medianErrorMs: errors[Math.floor((errors.length - 1) / 2)] ?? 0,
    worstErrorMs,
    worst: { announcedMs, measuredMs },
  };
}

function detailOf({ verdict, worst }: Reading): string {
  if (worst === undefined) return 'no recovery was seen to hold it against';
  const { announcedMs, measuredMs } = worst;
  const announced = `announced ${secondsOf(announcedMs)}`;
  if (verdict === 'too-early') return `${announced}, still refused after ${secondsOf(measuredMs)}`;
  return `${announced}, admitted after ${secondsOf(measuredMs)}`;
}

/** Whether somebody who meant this unit would write this number. */
function mayBeIn(unit: WaitUnit, written: number, rejection: Rejection): boolean {
  if (unit === 'milliseconds') return written >= MIN_MILLISECONDS;
  return Math.abs(readWait(written, unit, rejection).waitMs) < FARTHEST_MS;
}

function isNear({ announcedMs, measuredMs }: Held): boolean {
  const [less = 0, more = 0] = [announcedMs, measuredMs].sort((a, b) => a - b);
  return less * NEAR_FACTOR >= more;
}

function longestMs(one: Announcing): number {
  return readWait(one.written, one.unit, one).waitMs;
}

function secondsOf(ms: number): string {
  return `${Math.round(ms) / 1000} s`;
}

function wantedOf(source: WaitSource): string {
  switch (source) {
    case 'body':
      return 'number';
    case 'retry-after':
      return 'whole number of seconds, nor an HTTP date (RFC 9110 section 10.2.3)';
    case 'rate-limit-reset':
      return 'number';
  }
}
