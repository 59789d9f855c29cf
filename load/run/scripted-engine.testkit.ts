import type { GeneratorFacts, LoadEngine, LoadJob } from '../engines/engine.ts';
import type { Sample, SampleKind } from '../engines/load-sink.ts';

/** What a scripted engine does with a slot. */
export interface Scripted {
  readonly kind?: SampleKind;
  readonly latencyMs?: number;
}

/** An engine that sends nothing: it tells of each slot what a script says, in the order of the ends. */
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
        const { kind = 'served', latencyMs = 20 } = script(slot, step);
        const dueMs = job.schedule.dueMs(slot);
        return {
          ...{ slot, step, kind, dueMs, calledMs: dueMs, wireMs: dueMs, client: 0 },
          operation: job.choose(slot).operation,
          endMs: dueMs + latencyMs,
          status: { served: 200, error: 500, throttled: 429, failed: 0 }[kind],
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
