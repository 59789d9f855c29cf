import { createClient } from '../../../../fixtures/target/transport/client.ts';
import { createSystemClock } from '../../../../fixtures/target/budget/clock.ts';
import { createRedactor } from '../../../../fixtures/target/redaction/redactor.ts';
import { createUndiciTransport } from '../../../../fixtures/target/transport/undici-transport.ts';
import { createSender } from '../../../probe/sender.ts';
import { drawsOf } from '../../../probe/draws.ts';
import { createBudgetLeft } from '../../../probe/budget-left.ts';
import {
  startRealLimiter,
  type RealLimiterName,
  type RealLimiterOptions,
} from '../../../real-limiters/index.ts';
import { NPM_TRUTHS } from '../../../real-limiters/npm-truths.ts';
import { BENCH_BUDGET, probeRow, type BenchRow } from './bench-row.ts';
import { MAX_WAIT_SECONDS } from '../in-process-target.ts';
import { TYPED_ERRORS } from '../../../../contracts/service/wire/error-body.ts';
import { rejectionReading } from '../../../probe/rejections.ts';

/** Probes a limiter from npm behind a server of its own on loopback, in real time. */
export async function realRow(
  name: RealLimiterName,
  options: RealLimiterOptions,
): Promise<BenchRow> {
  const limiter = await startRealLimiter(name, options);
  const clock = createSystemClock();
  const { signal } = new AbortController();
  const budgetLeft = createBudgetLeft(BENCH_BUDGET, clock, signal);
  const transport = createUndiciTransport();
  const client = createClient({
    isThrottled: TYPED_ERRORS.isThrottled,
    config: { zapUrl: limiter.url, timeoutMs: 10_000, maxBodyBytes: 1_000_000 },
    transport,
    redactor: createRedactor({}),
    governor: budgetLeft,
    clock,
    attempts: 1,
  });
  const sender = createSender(client, MAX_WAIT_SECONDS, rejectionReading(TYPED_ERRORS));
  const { limit, windowSeconds } = options;
  const parameters = `limit=${limit},window=${windowSeconds}s`;
  try {
    return await probeRow(
      { source: 'npm', name, parameters, truth: NPM_TRUTHS[name](options) },
      { sender, clock, budgetLeft, signal, say: () => undefined, random: drawsOf(1) },
    );
  } finally {
    await transport.close();
    await limiter.close();
  }
}
