import type { GeneratorFacts, LoadEngine, LoadJob } from '../engine.ts';
import type { Fate } from '../../contracts/run/load/fates.ts';
import type { Sample } from '../load-sink.ts';

/** What a scripted engine does with a slot. */
export interface Scripted {
  readonly fate?: Fate;
  readonly latencyMs?: number;
}

const STATUSES: Readonly<Partial<Record<Fate, number>>> = {
  served: 200,
  throttled: 429,
  clientError: 400,
  serverError: 500,
};

/** An engine that sends nothing: it reports of each slot what a script says, in the order of the ends. */
export function scriptedEngine(
  script: (slot: number, step: number) => Scripted = () => ({}),
  facts: Partial<GeneratorFacts> = {},
  beside: (job: LoadJob, sample: Sample) => void = () => undefined,
): LoadEngine {
  return {
    name: 'open-loop',
    cannot: () => undefined,
    run: (job) => {
      const samples = Array.from({ length: job.schedule.slots }, (_, slot): Sample => {
        const step = job.schedule.stepOf(slot);
        const { fate = 'served', latencyMs = 20 } = script(slot, step);
        const dueMs = job.schedule.dueMs(slot);
        return {
          ...{ slot, step, fate, dueMs, calledMs: dueMs, wireMs: dueMs, client: 0 },
          operation: job.choose(slot).operation,
          endMs: dueMs + latencyMs,
          status: STATUSES[fate] ?? 0,
        };
      });
      for (const sample of samples.sort((a, b) => a.endMs - b.endMs)) {
        if (job.signal.aborted) break;
        job.sink.sample(sample);
        beside(job, sample);
      }
      return Promise.resolve({
        ...{ fireLagP99Ms: 1, waitedAtCeiling: 0, dropped: 0, cpuSeconds: 1 },
        ...facts,
      });
    },
  };
}
