import { join } from 'node:path';
import { createClient } from '../../target/transport/client.ts';
import { createSystemClock } from '../../target/budget/clock.ts';
import { baseUrlOf, type TargetConfig } from '../../target/config/config-types.ts';
import { openRecorder } from '../../target/record/recorder.ts';
import { createRedactor } from '../../target/redaction/redactor.ts';
import { secretsOf } from '../../target/config/secrets.ts';
import { spendingSinceMs } from '../../target/budget/run-times.ts';
import { createUndiciTransport, proxiesOf } from '../../target/transport/undici-transport.ts';
import type { ProbeDepth } from '../../load/probe-depth.ts';
import type { ProbeTarget } from '../../load/probe/bucket.ts';
import { createSender } from '../../load/probe/sender.ts';
import { drawsOf } from '../../load/probe/draws.ts';
import { panelOf } from '../../load/probe/facts/panel.ts';
import { probeTarget } from '../../load/probe/probe-target.ts';
import { rejectionReading } from '../../load/probe/rejections.ts';
import { createBudgetLeft, type TargetBudget } from '../../load/probe/budget-left.ts';
import { renderLimitPlot } from '../../reports/plots/limit-plot.ts';
import { PLOT_FILE, writeLimits } from '../record/limits-record.ts';
import { writeWhole } from '../record/write-whole.ts';
import { notify } from '../output.ts';
import { tool } from '../package.ts';
import type { RunEnd } from '../run-setting.ts';
import type { TaskSetting } from './task-setting.ts';
import { probedServiceOf } from '../probed-service.ts';

/** What probing a target takes. */
export interface LimitsInput {
  readonly config: TargetConfig;
  readonly recordDir: string;
  readonly recordId: string;
  /** When the run began, on the clock of the system. */
  readonly startedMs: number;
  readonly target: ProbeTarget;
  readonly budget: TargetBudget;
  readonly mostWaitSeconds: number;
  readonly depth: ProbeDepth;
  readonly isLocal: boolean;
  /** Statuses that are rejections by a limit, besides 429. */
  readonly throttleStatuses: readonly number[];
  /** Certificate authorities to trust besides those of Node, in PEM. */
  readonly ca?: string;
  /** Whether the target is of this process: no proxy knows it. */
  readonly isEmbedded: boolean;
}

/** Probes the limits of a target; exchanges, limits and plot go into the record. */
export async function limitsTask(
  {
    config,
    recordDir,
    recordId,
    startedMs,
    target,
    budget,
    mostWaitSeconds,
    depth,
    isLocal,
    throttleStatuses,
    ca,
    isEmbedded,
  }: LimitsInput,
  { signal }: Pick<TaskSetting, 'signal'>,
): Promise<RunEnd> {
  const recorder = openRecorder(recordDir, { recordId, maxRecordBytes: config.maxRecordBytes });
  const clock = createSystemClock();
  const budgetLeft = createBudgetLeft(
    budget,
    clock,
    signal,
    spendingSinceMs(startedMs, clock.nowMs()),
  );
  const proxies = isEmbedded ? undefined : proxiesOf(process.env);
  const transport = createUndiciTransport({
    ...(ca === undefined ? {} : { ca }),
    ...(proxies === undefined ? {} : { proxies }),
  });
  const service = probedServiceOf(config);
  const rejections = rejectionReading(service.errors, throttleStatuses);
  const client = createClient({
    config,
    transport,
    redactor: createRedactor(secretsOf(process.env)),
    governor: budgetLeft,
    clock,
    version: tool().version,
    recorder,
    attempts: 1,
    isThrottled: rejections.isThrottled,
  });
  const say = (line: string): void => {
    const elapsed = ((clock.nowMs() - startedMs) / 1000).toFixed(1).padStart(7);
    notify(`${elapsed} s  ${line}`);
  };
  try {
    const found = await probeTarget(
      { service, target, mostWaitSeconds, depth, isLocal },
      {
        sender: createSender(client, mostWaitSeconds, rejections),
        ...{ clock, budgetLeft, signal, say, random: drawsOf(config.seed) },
        // A run that is killed leaves what it had found.
        keep: (limits) => {
          writeLimits(recordDir, limits, throttleStatuses);
        },
      },
    );
    writeLimits(recordDir, found.limits, throttleStatuses);
    // No more than whose it is: a path may hold a secret.
    const urls = target.apis.flatMap((api) => {
      const url = baseUrlOf(config, api);
      return url === undefined ? [] : new URL(url).origin;
    });
    const subject = { targets: urls, startedAt: new Date(startedMs).toISOString() };
    const plot = renderLimitPlot(found.probed.map(panelOf), subject);
    writeWhole(join(recordDir, PLOT_FILE), plot);
    return {
      ...{ cutShort: found.cutShort, notices: found.notices },
      recorded: recorder.recorded(),
    };
  } finally {
    recorder.close();
    await transport.close();
  }
}
