import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import { LoadAccumulator } from '../../load/samples/load-accumulator.ts';
import { planOf, sampleAt, scenarioOf, steady } from '../../load/samples/sample.testkit.ts';

const plan = planOf(scenarioOf([steady(10, 2, 'low'), steady(20, 2, 'high')]));

/** What one of several parts came to, which served every request of its own in so many milliseconds. */
export function partLoad(index: number, partCount: number, latencyMs = 10): RunLoad {
  const accumulator = new LoadAccumulator(plan);
  for (let slot = index - 1; slot < plan.schedule.slots; slot += partCount) {
    const dueMs = plan.schedule.dueMs(slot);
    const step = plan.schedule.stepOf(slot);
    accumulator.sample(sampleAt(dueMs, { slot, step, endMs: dueMs + latencyMs }));
  }
  const whole = accumulator.whole();
  return {
    ...EXAMPLE_LOAD,
    scenario: 'test',
    whole,
    steps: accumulator
      .steps()
      .map((step) => ({ ...step, judged: step.counts.sent, violations: 0 })),
    operations: accumulator.operations(),
    moments: accumulator.moments(),
    judged: { answers: whole.counts.sent, of: whole.counts.sent, kept: 1 },
    violations: [],
    thresholds: [{ expression: 'p99<300ms', measured: latencyMs, held: latencyMs < 300 }],
    generator: { fireLagP99Ms: 1, waitedAtCeiling: 0, dropped: 0, cpuSeconds: 1 },
    part: { index, of: partCount, plan: 'as planned', beganAtMs: 1_000_000 + index },
  };
}
