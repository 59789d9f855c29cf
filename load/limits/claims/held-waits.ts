/** Announced waits, compared with when the bucket was seen to admit again. */

import type { WaitUnit, WaitVerdict } from '../../../contracts/run/load/limit-measurement.ts';
import { readWait, type Rejection } from './announced-waits.ts';
import type { Recovery } from './recoveries.ts';

/** A rejection, and when a client that was silent from then on was admitted again. */
export interface MeasuredRejection extends Rejection {
  readonly recovery: Recovery;
}

/** Rounding up to the next whole second is fair. */
export const FAIR_ROUNDING_MS = 1000;
/** Waits that differ by this much are no longer the same wait. */
const DISTINCT_MS = 2000;
/** A rejection that announces a wait by the source at hand. */
export interface Announcing extends MeasuredRejection {
  readonly written: number;
  readonly unit: WaitUnit;
}

/** An announced wait compared with the recovery. */
export interface Held {
  readonly errorMs: number;
  readonly announcedMs: number;
  /** The measured bound that it was compared with. */
  readonly measuredMs: number;
  readonly written: number;
}

/** A reading of all the waits in one unit. */
export interface Reading {
  readonly verdict: WaitVerdict;
  readonly held: readonly Held[];
  /** The one that is off by most, in the direction of the verdict. */
  readonly worst: Held | undefined;
}

/** Reads all waits in one unit, each in its own when undefined, and compares them with recoveries. */
export function readIn(
  unit: WaitUnit | undefined,
  announcing: readonly Announcing[],
  roundTripMs: number,
): Reading {
  const held = announcing.flatMap((one) => hold(one, unit ?? one.unit));
  const verdict = verdictOf(held, roundTripMs);
  const wrongness = ({ errorMs }: Held): number =>
    verdict === 'too-early' ? -errorMs : Math.abs(errorMs);
  const worst = [...held].sort((a, b) => wrongness(b) - wrongness(a))[0];
  return { verdict, held, worst };
}

/**
 * How far the announced moment is outside of what was measured: 0 within. The service counted from
 * some moment between sending and receipt.
 */
function hold(one: Announcing, unit: WaitUnit): Held[] {
  const { sentMs, receivedMs, written, recovery } = one;
  const { notBeforeMs, notAfterMs } = recovery;
  const { waitMs, grainMs } = readWait(written, unit, one);
  const latestMs = receivedMs + waitMs;
  const earliestMs = sentMs + waitMs - grainMs;
  const held = (errorMs: number, boundMs: number): Held[] => [
    { errorMs, announcedMs: waitMs, measuredMs: Math.max(0, boundMs - receivedMs), written },
  ];
  if (notBeforeMs !== undefined && latestMs < notBeforeMs) {
    return held(latestMs - notBeforeMs, notBeforeMs);
  }
  if (notAfterMs === undefined) return [];
  return held(Math.max(0, earliestMs - notAfterMs), notAfterMs);
}

function verdictOf(held: readonly Held[], roundTripMs: number): WaitVerdict {
  if (held.length === 0) return 'not-judged';
  if (held.some(({ errorMs }) => errorMs < -roundTripMs)) return 'too-early';
  if (held.every(({ errorMs }) => errorMs <= FAIR_ROUNDING_MS + roundTripMs)) return 'honest';
  return isConstant(held) ? 'constant' : 'too-late';
}

/** The same number, while what it took was not the same. */
function isConstant(held: readonly Held[]): boolean {
  const measured = held.map(({ measuredMs }) => measuredMs);
  return (
    held.every(({ written }) => written === held[0]?.written) &&
    Math.max(...measured) - Math.min(...measured) >= DISTINCT_MS
  );
}
