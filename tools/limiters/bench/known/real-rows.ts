import { createSystemClock } from '../../../../target/budget/clock.ts';
import { createUndiciTransport } from '../../../../target/transport/undici-transport.ts';
import {
  startRealLimiter,
  type RealLimiterName,
  type RealLimiterOptions,
} from '../../real/index.ts';
import { NPM_TRUTHS } from '../../real/npm-truths.ts';
import { probingBy } from '../../../../suites/service/self-test/in-process-target.ts';
import { BENCH_BUDGET, probeRow, type BenchRow } from './bench-row.ts';

/** Probes a limiter from npm behind a server of its own on loopback, in real time. */
export async function realRow(
  name: RealLimiterName,
  options: RealLimiterOptions,
): Promise<BenchRow> {
  const limiter = await startRealLimiter(name, options);
  const transport = createUndiciTransport();
  const config = { zapUrl: limiter.url, timeoutMs: 10_000 };
  const clock = createSystemClock();
  const { limit, windowSeconds } = options;
  const parameters = `limit=${limit},window=${windowSeconds}s`;
  try {
    return await probeRow(
      { source: 'npm', name, parameters, truth: NPM_TRUTHS[name](options) },
      probingBy({ config, transport, clock }, BENCH_BUDGET, 1),
    );
  } finally {
    await transport.close();
    await limiter.close();
  }
}
