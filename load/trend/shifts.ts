import { independentZ } from './dependence.ts';
import { median, shiftBetween, type ShiftEstimate } from './order-statistics.ts';
import { type Split, SplitScan } from './split-scan.ts';

/** A change of less than this is never reported, however certain it is. */
export const MIN_EFFECT_PERCENT = 5;
/** The same in logarithms. */
export const MIN_EFFECT: number = Math.log1p(MIN_EFFECT_PERCENT / 100);

/** A lasting change of a series of logarithms. */
export interface Shift {
  /** Place of the first value after it, from 0. */
  readonly first: number;
  /** Place of the value that made it certain enough. */
  readonly toldBy: number;
  readonly z: number;
  /** In logarithms; above 0 is slower. */
  readonly size: ShiftEstimate;
}

/** What a walk over a series came to. */
export interface Walk {
  readonly shifts: readonly Shift[];
  /** Place of the first value since the latest change. */
  readonly since: number;
}

/**
 * The lasting changes of a series, as they would have been reported night by night: one is reported when the
 * strongest split is beyond the threshold and the medians on its two sides differ by the least effect;
 * the watch then begins again at the split. Later nights never alter which night reported a change; if it
 * was, and its size, is estimated from all nights up to the next change.
 *
 * @param logs logarithms of a value a night, oldest first
 * @param threshold of the standardised statistic, from `thresholdFor`
 */
export function walkNights(logs: readonly number[], threshold: number): Walk {
  const shifts: Shift[] = [];
  let since = 0;
  let scan = new SplitScan();
  logs.forEach((value, night) => {
    scan.add(value);
    const reported = changeIn(scan, threshold);
    if (reported === undefined) return;
    const first = since + reported.before;
    const size = shiftBetween(logs.slice(since, first), logs.slice(first, night + 1));
    shifts.push({ first, toldBy: night, z: reported.z, size });
    since = first;
    scan = new SplitScan(logs.slice(since, night + 1));
  });
  return {
    shifts: shifts.map((shift, at) =>
      placed(logs, shift, shifts[at - 1]?.first ?? 0, shifts[at + 1]?.first ?? logs.length),
    ),
    since,
  };
}

/** A change if the nights between its neighbours place it: a few nights later that is surer. */
function placed(logs: readonly number[], shift: Shift, begin: number, end: number): Shift {
  const split = new SplitScan(logs.slice(begin, end)).strongest();
  if (split === undefined || Math.sign(split.z) !== Math.sign(shift.z)) return shift;
  const first = begin + split.before;
  return { ...shift, first, size: shiftBetween(logs.slice(begin, first), logs.slice(first, end)) };
}

/** The split of a scan at which its series has changed; undefined if nothing is certain enough. */
export function changeIn(scan: SplitScan, threshold: number): Split | undefined {
  const split = scan.strongest();
  const { values } = scan;
  if (split === undefined || Math.abs(split.z) <= threshold) return undefined;
  // It is never more than the statistic itself.
  if (Math.abs(independentZ(split, values)) <= threshold) return undefined;
  const step = median(values.slice(split.before)) - median(values.slice(0, split.before));
  // Medians may differ the other way than the ranks do if values are skewed: then nothing is reported.
  return Math.sign(split.z) * step >= MIN_EFFECT ? split : undefined;
}
