import { partOfSchedule, type Segment } from '../scenarios/segment.ts';
import type { LoadJob } from '../engine.ts';
import type { Sample } from '../load-sink.ts';

/**
 * A job of which one part is done: every n-th request of each step, each when it is due in the whole. Samples carry
 * the slots of the whole, so that those of all parts are different. An engine that cuts runs into parts
 * by itself, as k6 does, is given the whole job.
 */
export function partOfJob(whole: LoadJob, segment: Segment): LoadJob {
  const { sink } = whole;
  const [wants, exchange] = [sink.wants?.bind(sink), sink.exchange?.bind(sink)];
  const { schedule, wholeSlot } = partOfSchedule(whole.schedule, segment);
  const inWhole = (sample: Sample): Sample => ({ ...sample, slot: wholeSlot(sample.slot) });
  return {
    ...whole,
    schedule,
    choose: (slot) => whole.choose(wholeSlot(slot)),
    sink: {
      ...(wants === undefined ? {} : { wants: (sample) => wants(inWhole(sample)) }),
      ...(exchange === undefined ? {} : { exchange }),
      sample: (sample) => {
        sink.sample(inWhole(sample));
      },
    },
  };
}
