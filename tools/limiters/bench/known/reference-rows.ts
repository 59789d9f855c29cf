import type { LimitAlgorithm } from '../../../../fixtures/service/reference/limits.ts';
import { parseLimit } from '../../../../fixtures/service/reference/limits.ts';
import { BENCH_BUDGET, probeRow, type BenchRow } from './bench-row.ts';
import { openInProcess } from '../../../../suites/service/self-test/in-process-target.ts';
import { anyMoment, jitteryTrips } from '../../../../suites/service/self-test/network.ts';
import { truthOf } from './reference-truth.ts';

/**
 * Probes the reference service with one limit in the same process, on a clock that takes no time,
 * over a network whose round trips take 2 to 20 ms; it announces its waits as it always does.
 *
 * @param random uniform numbers from 0 to 1
 * @throws LimitSyntaxError when the parameters are none of the algorithm
 */
export async function referenceRow(
  name: LimitAlgorithm,
  parameters: string,
  random: () => number,
): Promise<BenchRow> {
  const limit = parseLimit(`${name}:${parameters}`);
  if (limit === null) throw new Error(`${name}: there is no limit to find`);
  const { probing, close } = openInProcess({
    seed: 1,
    startMs: anyMoment(random),
    options: { limits: { zap: limit, trade: null, tradeKey: null } },
    trip: jitteryTrips(random),
    budget: BENCH_BUDGET,
  });
  try {
    return await probeRow(
      { source: 'reference', name, parameters, truth: truthOf(limit) },
      probing,
    );
  } finally {
    await close();
  }
}
