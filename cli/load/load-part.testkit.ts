import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import { LoadTally } from '../../load/samples/load-tally.ts';
import { planOf, sampleAt, scenarioOf, steady } from '../../load/samples/sample.testkit.ts';

const plan = planOf(scenarioOf([steady(10, 2, 'low'), steady(20, 2, 'high')]));

/** What one of several parts came to, which served every request of its own in so many milliseconds. */
export function partLoad(index: number, of: number, latencyMs = 10): RunLoad {
  const tally = new LoadTally(plan);
  for (let slot = index - 1; slot < plan.schedule.slots; slot += of) {
    const dueMs = plan.schedule.dueMs(slot);
    const step = plan.schedule.stepOf(slot);
    tally.sample(sampleAt(dueMs, { slot, step, endMs: dueMs + latencyMs }));
  }
  const whole = tally.whole();
  return {
    ...EXAMPLE_LOAD,
    scenario: 'test',
    whole,
    steps: tally.steps().map((step) => ({ ...step, judged: step.counts.sent, violations: 0 })),
    operations: tally.operations(),
    moments: tally.moments(),
    judged: { answers: whole.counts.sent, of: whole.counts.sent, kept: 1 },
    violations: [],
    thresholds: [{ expression: 'p99<300ms', measured: latencyMs, held: latencyMs < 300 }],
    generator: { fireLagP99Ms: 1, waitedAtCeiling: 0, dropped: 0, cpuSeconds: 1 },
    part: { index, of, plan: 'as planned', beganAtMs: 1_000_000 + index },
  };
}
