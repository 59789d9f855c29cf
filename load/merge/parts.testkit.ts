import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import type { Threshold } from '../../contracts/run/load/threshold.ts';
import type { LoadJob } from '../engine.ts';
import type { Sample } from '../load-sink.ts';
import { LoadAccumulator } from '../samples/load-accumulator.ts';
import { planOf, preparedFor, sampleAt, scenarioOf, steady } from '../samples/sample.testkit.ts';
import { planDigest } from '../engines/plan-digest.ts';
import { partOfSchedule } from '../scenarios/segment.ts';
import { type Decided, mergeLoads } from './merge.ts';
import { type LoadPart, placedParts } from './part.ts';

const scenario = scenarioOf([steady(20, 5, 'low'), steady(60, 5, 'high')]);
const requests = [preparedFor('zap.quote'), preparedFor('zap.pools'), preparedFor('zap.quote')];
/** The plan that all parts are of. */
export const whole: ReturnType<typeof planOf> = planOf(scenario, requests);
const machine = {
  platform: 'linux',
  arch: 'x64',
  cpuModel: 'some',
  cores: 2,
  memoryBytes: 1,
  node: '20',
};
/** Decides nothing. */
export const decide = (): Decided => ({ thresholds: [], invalid: [] });

/** Parts added up, in whatever order. */
export function merge(
  parts: readonly LoadPart[],
  decideOn: (load: RunLoad) => Decided = decide,
  held: readonly Threshold[] = [],
): RunLoad {
  return mergeLoads(placedParts(parts), held, decideOn);
}

/** What a run came to that got these samples. */
export function loadOf(
  job: Pick<LoadJob, 'scenario' | 'schedule' | 'requests' | 'choose'>,
  samples: readonly Sample[],
  changes: Partial<RunLoad> = {},
): RunLoad {
  const accumulator = new LoadAccumulator(job, [{ step: 'high', operation: 'zap.quote' }]);
  for (const sample of samples) accumulator.sample(sample);
  return {
    scenario: 'test',
    engine: { name: 'open-loop', version: '1' },
    whole: accumulator.whole(),
    steps: accumulator
      .steps()
      .map((step) => ({ ...step, judged: step.counts.sent, violations: 1 })),
    operations: accumulator.operations(),
    ...accumulator.cells(),
    moments: accumulator.moments(),
    errors: accumulator.errors(),
    judged: { answers: samples.length, of: samples.length, kept: 2 },
    violations: [],
    thresholds: [],
    generator: { fireLagP99Ms: 1, waitedAtCeiling: 1, dropped: 1, cpuSeconds: 2 },
    invalid: [],
    machine,
    ...changes,
  };
}

/** A sample of each slot, of the given latencies and kinds in turn. */
export function samplesOf(latencies: readonly number[]): Sample[] {
  return Array.from({ length: whole.schedule.slots }, (_, slot) => {
    const dueMs = whole.schedule.dueMs(slot);
    const latency = latencies[slot % latencies.length] ?? 0;
    const fate = slot % 7 === 0 ? 'throttled' : slot % 11 === 0 ? 'serverError' : 'served';
    return sampleAt(dueMs, {
      slot,
      step: whole.schedule.stepOf(slot),
      operation: whole.choose(slot).operation,
      endMs: dueMs + latency,
      fate,
    });
  });
}

/** The parts of a run with these samples. */
export function partsOf(partCount: number, samples: readonly Sample[]): LoadPart[] {
  return Array.from({ length: partCount }, (_, at): LoadPart => {
    const segment = { index: at + 1, of: partCount };
    const { schedule, wholeSlot } = partOfSchedule(whole.schedule, segment);
    const job = { ...whole, schedule, choose: (slot: number) => whole.choose(wholeSlot(slot)) };
    const slots = new Set(Array.from({ length: schedule.slots }, (_, slot) => wholeSlot(slot)));
    const own = samples.filter(({ slot }) => slots.has(slot));
    const part = { ...segment, plan: planDigest(whole) };
    const load = loadOf(job, own, { part });
    const name = `part-${at + 1}`;
    return { name, startedAtMs: 1e12 + 100 * at, seed: 7, contract: 'c', target: 't', load };
  });
}
