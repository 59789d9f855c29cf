import type { LoadJob, Sample } from '../engines/engine.ts';
import type { Schedule } from './schedule.ts';

/** One of several parts of a run, on as many machines: slot k belongs to part k mod `of`. */
export interface Segment {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

/** Thrown for a text that names no part of a run. */
export class SegmentError extends Error {
  override readonly name = 'SegmentError';

  constructor(text: string) {
    super(
      `${JSON.stringify(text.slice(0, 40))} is no part of a run. Write which of how many, from 1/2 to ${MOST_PARTS}/${MOST_PARTS}, e.g. 2/4 for the second of four.`,
    );
  }
}

/** More machines than that make one run's parts too small to say anything. */
export const MOST_PARTS = 1000;

/**
 * Reads `i/n`.
 *
 * @throws {SegmentError}
 */
export function segmentOf(text: string): Segment {
  const [, index, of] = (/^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []).map(Number);
  const isOne =
    index !== undefined && of !== undefined && index >= 1 && index <= of && of <= MOST_PARTS;
  if (!isOne || of < 2) throw new SegmentError(text);
  return { index, of };
}

/** The slot of the whole run that is the given one of a part. */
export function wholeSlot({ index, of }: Segment, slot: number): number {
  return slot * of + index - 1;
}

/** A part of a schedule: its own slots, from 0, due when those of the whole are. */
export function partOfSchedule(whole: Schedule, segment: Segment): Schedule {
  const { index, of } = segment;
  return {
    slots: Math.max(0, Math.ceil((whole.slots - index + 1) / of)),
    seconds: whole.seconds,
    dueMs: (slot) => whole.dueMs(wholeSlot(segment, slot)),
    stepOf: (slot) => whole.stepOf(wholeSlot(segment, slot)),
  };
}

/**
 * A job of which one part is done: every n-th request, each when it is due in the whole. Samples carry
 * the slots of the whole, so that those of all parts are different. An engine that cuts runs into parts
 * by itself, as k6 does, is given the whole job.
 */
export function partOfJob(whole: LoadJob, segment: Segment): LoadJob {
  const { sink } = whole;
  const [wants, exchange] = [sink.wants?.bind(sink), sink.exchange?.bind(sink)];
  const inWhole = (sample: Sample): Sample => ({
    ...sample,
    slot: wholeSlot(segment, sample.slot),
  });
  return {
    ...whole,
    schedule: partOfSchedule(whole.schedule, segment),
    choose: (slot) => whole.choose(wholeSlot(segment, slot)),
    sink: {
      ...(wants === undefined ? {} : { wants: (sample) => wants(inWhole(sample)) }),
      ...(exchange === undefined ? {} : { exchange }),
      sample: (sample) => {
        sink.sample(inWhole(sample));
      },
    },
  };
}
