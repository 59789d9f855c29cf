import { MendableError } from '../../contracts/wire/mendable-error.ts';
import type { Scenario } from './scenario.ts';
import { requestsWords, type Schedule } from './schedule.ts';

/**
 * One of several parts of a run, on as many machines or on as many days. The slots of each step are dealt to the parts in
 * turn, beginning with the first part, as k6 deals the iterations of a scenario.
 */
export interface Segment {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

/** Thrown for a text that names no part of a run. */
export class SegmentError extends MendableError {
  override readonly name = 'SegmentError';

  constructor(text: string) {
    super(
      `${JSON.stringify(text.slice(0, 40))} is no part of a run. Write which of how many, from 1/2 to ${MAX_PARTS}/${MAX_PARTS}, e.g. 2/4 for the second of four.`,
    );
  }
}

/** More machines than that make one run's parts too small to say anything. */
export const MAX_PARTS = 1000;

/**
 * Reads `i/n`.
 *
 * @throws {SegmentError}
 */
export function segmentOf(text: string): Segment {
  const [, index = 0, partCount = 0] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  const isOne = index >= 1 && index <= partCount && partCount >= 2 && partCount <= MAX_PARTS;
  if (!isOne) throw new SegmentError(text);
  return { index, of: partCount };
}

/** Its part of a list that is dealt to the parts in turn. */
export function partOfList<T>(list: readonly T[], { index, of: partCount }: Segment): T[] {
  return list.filter((_, at) => at % partCount === index - 1);
}

/** A part of a schedule, and where its slots stand in the whole. */
export interface SchedulePart {
  /** Its own slots, from 0, due when those of the whole are. */
  readonly schedule: Schedule;
  /** The slot of the whole run that is the given one of the part. */
  readonly wholeSlot: (slot: number) => number;
}

/** Cuts its part out of a schedule. */
export function partOfSchedule(whole: Schedule, { index, of: partCount }: Segment): SchedulePart {
  let first = 0;
  const steps = whole.steps.map((step) => {
    const slots = Math.max(0, Math.ceil((step.slots - index + 1) / partCount));
    first += slots;
    return { ...step, first: first - slots, slots };
  });
  const wholeSlot = (slot: number): number => {
    const at = steps.findLastIndex((step) => step.slots > 0 && step.first <= slot);
    const [own, all] = [steps[at], whole.steps[at]];
    if (own === undefined || all === undefined)
      throw new RangeError(`there is no slot ${slot}: no step holds one`);
    return all.first + (slot - own.first) * partCount + index - 1;
  };
  return {
    schedule: {
      ...{ slots: first, seconds: whole.seconds, steps },
      dueMs: (slot) => whole.dueMs(wholeSlot(slot)),
      stepOf: (slot) => whole.stepOf(wholeSlot(slot)),
    },
    wholeSlot,
  };
}

/** How much is sent by a run, or by the part of it that is run here. */
export function sentWords(
  scenario: Pick<Scenario, 'pacer'>,
  schedule: Schedule,
  part?: Segment,
): string {
  if (part === undefined) return requestsWords(scenario, schedule);
  const own = requestsWords(scenario, partOfSchedule(schedule, part).schedule);
  return `part ${part.index} of ${part.of}: ${own}`;
}
