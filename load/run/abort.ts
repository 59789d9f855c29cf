import { isMeasured } from '../../contracts/run/load/load-outcome.ts';
import type { LoadRow, LoadThreshold, RunLoad } from '../../contracts/run/load/load-run.ts';
import { isChange, type Selection, type Threshold } from '../../contracts/run/load/threshold.ts';
import type { Sample } from '../load-sink.ts';
import { heldAgainst } from '../thresholds.ts';

/** Thresholds are looked at this far apart, by the ends of answers. */
const LOOKED_EVERY_MS = 1000;
/** Fewer requests say nothing of a share or a percentile. */
const MIN_REQUESTS = 20;
/** What says nothing of answers, or nothing before the end. */
const AT_THE_END: readonly string[] = ['violations', 'dropped', 'slower', 'rate'];

/** The thresholds that can be broken while a run goes on. */
export function onTheWay(thresholds: readonly Threshold[]): Threshold[] {
  return thresholds.filter(({ metric }) => !AT_THE_END.includes(metric) && !isChange(metric));
}

/**
 * What a row breaks of thresholds so far; nothing is said of what was not measured, or may be the generator's doing.
 *
 * @param isLimited whether rows of which much was throttled are of the limiter
 */
export function brokenBy(
  row: LoadRow,
  thresholds: readonly Threshold[],
  isLimited: boolean,
): LoadThreshold[] {
  const measured = { rowOf: () => ({ row, seconds: 0 }), dropped: 0, isLimited };
  return thresholds
    .map((one) => heldAgainst(one, measured))
    .filter((one) => !one.held && isMeasured(one) && one.onlyLate !== true);
}

/** Watches thresholds while a run goes on, of all that was answered so far, for one that stays broken. */
export class AbortWatch {
  readonly #rowOf: (selection: Selection) => LoadRow | undefined;
  readonly #thresholds: readonly Threshold[];
  readonly #afterMs: number;
  readonly #isLimited: boolean;
  readonly #brokenSinceMs = new Map<Threshold, number>();
  #lookedMs = 0;
  found: NonNullable<RunLoad['aborted']> | undefined;
  /** The threshold that ended the run, as it was measured then. */
  broken: LoadThreshold | undefined;

  /**
   * @param rowOf what was measured so far of what a threshold speaks of
   * @param afterSeconds how long one may be broken
   * @param isLimited whether rows of which much was throttled are of the limiter
   */
  constructor(
    rowOf: (selection: Selection) => LoadRow | undefined,
    thresholds: readonly Threshold[],
    afterSeconds: number,
    isLimited: boolean,
  ) {
    this.#isLimited = isLimited;
    this.#rowOf = rowOf;
    this.#thresholds = onTheWay(thresholds);
    this.#afterMs = afterSeconds * 1000;
  }

  /** @returns whether the run is over */
  sample({ endMs }: Pick<Sample, 'endMs'>): boolean {
    if (this.found !== undefined) return true;
    if (endMs - this.#lookedMs < LOOKED_EVERY_MS) return false;
    this.#lookedMs = endMs;
    for (const one of this.#thresholds) {
      const broken = this.#brokenNow(one);
      if (broken === undefined) {
        this.#brokenSinceMs.delete(one);
        continue;
      }
      const sinceMs = this.#brokenSinceMs.get(one) ?? endMs;
      this.#brokenSinceMs.set(one, sinceMs);
      if (endMs - sinceMs < this.#afterMs) continue;
      this.broken = broken;
      this.found = { threshold: one.expression, atSeconds: endMs / 1000 };
      return true;
    }
    return false;
  }

  #brokenNow(threshold: Threshold): LoadThreshold | undefined {
    const row = this.#rowOf(threshold);
    if (row === undefined || row.counts.sent < MIN_REQUESTS) return undefined;
    return brokenBy(row, [threshold], this.#isLimited)[0];
  }
}
