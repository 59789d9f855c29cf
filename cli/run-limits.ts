import { randomInt } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadContract } from '../contracts/load-contract.ts';
import { createClient } from '../fixtures/target/client.ts';
import { createSystemClock } from '../fixtures/target/clock.ts';
import { contractOverrides } from '../fixtures/target/contract-overrides.ts';
import { openRecorder } from '../fixtures/target/recorder.ts';
import { createRedactor } from '../fixtures/target/redactor.ts';
import { secretsOf } from '../fixtures/target/secrets.ts';
import { createUndiciTransport } from '../fixtures/target/undici-transport.ts';
import { bucketsOf, type ProbeTarget } from '../load/probe/buckets.ts';
import { createCourier } from '../load/probe/courier.ts';
import { panelOf } from '../load/probe/panel.ts';
import { probeTarget, type ProbedTarget } from '../load/probe/probe-target.ts';
import { createPurse } from '../load/probe/purse.ts';
import { renderLimitPlot } from '../reports/limit-plot.ts';
import { contractsOf } from './check.ts';
import type { ExitCode } from './exit-code.ts';
import { exitCodeOf, UsageError } from './exit-code.ts';
import { PLOT_FILE, writeLimits } from './limits-record.ts';
import {
  type LimitsTarget,
  keysOf,
  openLimitsTarget,
  otherAddressOf,
  probedApis,
  purseOf,
  requireAllowed,
  resolveLimits,
} from './limits-target.ts';
import { tool } from './package.ts';
import { judgeRecord, writeJudged, writeRun } from './record.ts';
import { show } from './show.ts';
import { stampOf } from './stamp.ts';
import { tell } from './output.ts';

/** Longer waits need `--long`. */
const MOST_WAIT_SECONDS = 900;
const LONG_WAIT_SECONDS = 86_400;

type Flags = Readonly<Record<string, unknown>>;
type Resolved = Awaited<ReturnType<typeof resolveLimits>>;

/** Finds the limits of the target, judges them, and reports. */
export async function limits(flags: Flags): Promise<ExitCode> {
  const { env } = process;
  const cwd = process.cwd();
  const startedAt = new Date();
  const resolved = await resolveLimits({
    flags: { ...flags, contracts: contractsOf(flags) },
    env,
    cwd,
    defaultSeed: randomInt(2 ** 31),
  });
  const { config } = resolved;
  for (const warning of config.warnings) tell(`assay: ${warning}`);
  const named = ['docsUrl', 'aiUrl'] as const;
  if (probedApis(config).length === 0 && named.some((key) => config[key] !== undefined)) {
    throw new UsageError('only the zap and the trade API have limits to find: name one of them');
  }
  requireAllowed(config, allowedHosts(flags));
  const secrets = secretsOf(env);
  createRedactor(secrets);
  const contract = await loadContract({ overrides: contractOverrides(config) });
  const recordDir = config.out ?? join(cwd, 'reports', 'out', stampOf(startedAt));
  const recorder = openRecorder(recordDir);
  writeLimits(recordDir, []);
  const target = await openLimitsTarget(config, secrets);
  const { seed, waivers, profile } = config;
  const judged = async (
    cutShort: boolean,
    notices: readonly string[],
  ): ReturnType<typeof judgeRecord> =>
    judgeRecord(recordDir, contract, {
      tool: tool(),
      startedAt,
      endedAt: new Date(),
      seed,
      profile,
      target: target.described,
      waivers,
      cutShort,
      notices,
    });
  // Should the process be killed, this is what the record says of itself.
  writeRun(recordDir, await judged(true, ['The run did not come to its end.']));
  const interrupt = interruption();
  try {
    const found = await probe(flags, { ...resolved, target, recorder, signal: interrupt.signal });
    writeLimits(recordDir, found.limits);
    writeFileSync(join(recordDir, PLOT_FILE), renderLimitPlot(found.probed.map(panelOf)));
    const notices = interrupt.signal.aborted
      ? [...found.notices, 'The run was interrupted; what it had found was judged.']
      : found.notices;
    const run = await judged(found.cutShort, notices);
    writeJudged(recordDir, run);
    show(run, recordDir);
    return exitCodeOf(run.outcome);
  } finally {
    interrupt.end();
    recorder.close();
    await target.close();
  }
}

interface ProbeSetting extends Resolved {
  readonly target: LimitsTarget;
  readonly recorder: ReturnType<typeof openRecorder>;
  readonly signal: AbortSignal;
}

async function probe(
  flags: Flags,
  { said, target, recorder, signal }: ProbeSetting,
): Promise<ProbedTarget> {
  const { config, described } = target;
  const secrets = secretsOf(process.env);
  const otherAddress = otherAddressOf(flags, config);
  const probed: ProbeTarget = {
    apis: probedApis(config),
    keys: keysOf(secrets, described.kind === 'reference'),
    ...(otherAddress === undefined ? {} : { otherAddress }),
  };
  const long = flags.long === true;
  const mostWaitSeconds = long ? LONG_WAIT_SECONDS : MOST_WAIT_SECONDS;
  const isLoopback = requireAllowed(config, allowedHosts(flags));
  const budget = purseOf(said, bucketsOf(probed).length, { isLoopback, long });
  const clock = createSystemClock();
  const purse = createPurse(budget, clock, signal);
  const transport = createUndiciTransport();
  const redactor = createRedactor(secrets);
  const { version } = tool();
  const client = createClient({
    config,
    transport,
    redactor,
    governor: purse,
    clock,
    version,
    recorder,
    attempts: 1,
  });
  const startedMs = clock.nowMs();
  const say = (line: string): void => {
    const elapsed = ((clock.nowMs() - startedMs) / 1000).toFixed(1).padStart(7);
    tell(`${elapsed} s  ${line}`);
  };
  const urls = Object.entries(described.urls).map(([api, url]) => `${api} ${url}`);
  const where = described.kind === 'reference' ? 'the embedded reference service' : urls.join(', ');
  tell(
    `Finding the limits of ${where}, with at most ${budget.maxRequests} requests, ${budget.maxRejects} rejections and ${budget.maxSeconds} s`,
  );
  try {
    return await probeTarget(
      {
        target: probed,
        mostWaitSeconds,
        scenario: flags.scenario !== false,
        isLocal: isLoopback,
      },
      { courier: createCourier(client, mostWaitSeconds), clock, purse, signal, say },
    );
  } finally {
    await transport.close();
  }
}

function allowedHosts({ allowLimits }: Flags): readonly string[] {
  return Array.isArray(allowLimits) ? (allowLimits as readonly string[]) : [];
}

/** Ctrl-C ends the probe; a second one ends the process. */
function interruption(): { readonly signal: AbortSignal; readonly end: () => void } {
  const controller = new AbortController();
  // A burst of requests waits for its turns, each with a listener.
  setMaxListeners(100, controller.signal);
  const onSignal = (): void => {
    end();
    tell('Interrupted: judging what was found so far. Ctrl-C again to leave at once.');
    controller.abort(new Error('the run was interrupted'));
  };
  const end = (): void => {
    process.removeListener('SIGINT', onSignal);
    process.removeListener('SIGTERM', onSignal);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return { signal: controller.signal, end };
}
