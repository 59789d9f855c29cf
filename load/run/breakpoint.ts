import type { LoadThreshold } from '../../contracts/run/load/load-run.ts';
import type { Sample } from '../load-sink.ts';
import type { LoadAccumulator } from '../samples/load-accumulator.ts';
import type { Schedule } from '../scenarios/schedule.ts';
import type { Threshold } from '../../contracts/run/load/threshold.ts';
import { brokenBy, onTheWay } from './abort.ts';

/** Steps are looked at this far apart, by the ends of answers. */
const LOOKED_EVERY_MS = 500;
/** Fewer answers say nothing of a step, unless there are no more to come. */
const MIN_ANSWERS = 20;

/** The step that broke thresholds, and how far they were off there. */
export interface FoundBreakpoint {
  readonly step: number;
  readonly broken: readonly LoadThreshold[];
}

/**
 * Looks at the steps of a run while it goes on, for the first that breaks a threshold. A step is looked
 * at once a later one has begun, until all of its answers are in: the slowest come last.
 */
export class BreakpointWatch {
  readonly #accumulator: LoadAccumulator;
  readonly #slots: number[] = [];
  readonly #thresholds: readonly Threshold[];
  #came: number[] = [];
  #next = 0;
  #newest = 0;
  #lookedMs = 0;
  found: FoundBreakpoint | undefined;

  constructor(accumulator: LoadAccumulator, schedule: Schedule, thresholds: readonly Threshold[]) {
    this.#accumulator = accumulator;
    // Operations are not distinguished by step.
    this.#thresholds = onTheWay(thresholds).filter(
      ({ operation, step }) => operation === undefined && step === undefined,
    );
    for (let slot = 0; slot < schedule.slots; slot += 1) {
      const step = schedule.stepOf(slot);
      this.#slots[step] = (this.#slots[step] ?? 0) + 1;
    }
  }

  /** @returns whether the breakpoint is found */
  sample({ step, endMs, firstDueMs }: Sample): boolean {
    if (this.found !== undefined) return true;
    if (firstDueMs === undefined) this.#came[step] = (this.#came[step] ?? 0) + 1;
    this.#newest = Math.max(this.#newest, step);
    const isLast = this.#isWhole(this.#slots.length - 1);
    if (endMs - this.#lookedMs < LOOKED_EVERY_MS && !isLast) return false;
    this.#lookedMs = endMs;
    while (this.#next < this.#newest || this.#isWhole(this.#next)) {
      if (this.#next >= this.#slots.length) break;
      const whole = this.#isWhole(this.#next);
      if (this.#breaks(this.#next, whole)) return true;
      if (!whole) break;
      this.#next += 1;
    }
    return false;
  }

  #isWhole(step: number): boolean {
    return step < this.#slots.length && (this.#came[step] ?? 0) >= (this.#slots[step] ?? 0);
  }

  #breaks(step: number, whole: boolean): boolean {
    const row = this.#accumulator.step(step);
    if (row === undefined || row.counts.sent === 0) return false;
    if (!whole && row.counts.sent < MIN_ANSWERS) return false;
    const broken = brokenBy(row, this.#thresholds, false);
    if (broken.length === 0) return false;
    this.found = { step, broken };
    return true;
  }
}
