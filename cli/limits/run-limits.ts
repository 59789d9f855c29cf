import { randomInt } from 'node:crypto';
import { createSystemClock, systemNowMs } from '../../target/budget/clock.ts';
import { budgetOf, choiceOf, ownRulesOf } from '../../target/config/config-types.ts';
import { secretsOf } from '../../target/config/secrets.ts';
import { proxiesOf } from '../../target/config/proxies.ts';
import type { ProbeTarget } from '../../load/probe/bucket.ts';
import { DEPTHS, type ProbeDepth } from '../../load/probe-depth.ts';
import { contractsOf } from '../flags/named-contracts.ts';
import type { ExitCode } from '../exit-code.ts';
import { endOfTask, runTaskEnded } from '../end-of-task.ts';
import { historyFolder } from '../flags/history-flag.ts';
import { endingMs, onInterruption } from '../interruption.ts';
import { writeLimits } from '../record/limits-record.ts';
import { otherAddressOf, probedApis, requireAllowed, requireLimited } from './limits-allowed.ts';
import { budgetLeftOf, resolveLimits } from './limits-setting.ts';
import { keysOf, openLimitsTarget } from './limits-target.ts';
import { notify } from '../output.ts';
import { processStartedMs, runTimes } from '../../target/budget/run-times.ts';
import { beginRun } from '../run/run-under-way.ts';
import { showingOf } from '../show.ts';
import { readCa } from '../read-ca.ts';
import { refuseSecrets, refuseOtherTarget } from '../check/refused-target.ts';
import { newRecordFolder } from '../record/record-folder.ts';
import { throttleStatuses } from '../throttle-status.ts';
import { startTask } from '../threads/task.ts';
import { probedServiceOf } from '../probed-service.ts';

/** Longer waits need `--long`. */
const MAX_WAIT_SECONDS = 900;
const LONG_WAIT_SECONDS = 86_400;
/** After the last answer a probe concludes from what it has. */
const FOR_CONCLUDING_MS = 1_500;
const WORDS = { name: 'probe', interrupted: 'what it had found was judged' };

type Flags = Readonly<Record<string, unknown>>;

/** Finds the limits of the target, judges them, and reports. */
export async function limits(flags: Flags): Promise<ExitCode> {
  const { env } = process;
  const cwd = process.cwd();
  const statuses = throttleStatuses(flags.throttleStatus);
  const startedAt = new Date(systemNowMs());
  const { config, said } = await resolveLimits({
    flags: { ...flags, contracts: contractsOf(flags) },
    env,
    cwd,
    defaultSeed: randomInt(2 ** 31),
  });
  refuseOtherTarget(config, flags.embedded === true);
  refuseSecrets(config);
  const ca = readCa(config.ca);
  for (const warning of config.warnings) notify(`assay: ${warning}`);
  requireLimited(config);
  const allowed = allowedHosts(flags);
  const proxies = proxiesOf(env);
  requireAllowed(config, allowed, proxies);
  const secrets = secretsOf(env);
  const recordDir = config.out ?? newRecordFolder(cwd, startedAt);
  const history = historyFolder(flags, { recordDir, isNamed: config.out !== undefined });
  const opened = await openLimitsTarget(config, secrets);
  try {
    const { described } = opened;
    const { address: otherAddress, notice } = await otherAddressOf(flags, opened.config);
    const target: ProbeTarget = {
      apis: probedApis(opened.config),
      keys: keysOf(secrets, described.kind === 'reference'),
      ...(otherAddress === undefined ? {} : { otherAddress }),
    };
    const long = flags.long === true;
    const isLocal = requireAllowed(
      opened.config,
      allowed,
      described.kind === 'reference' ? undefined : proxies,
    );
    const budget = budgetLeftOf(said, probedServiceOf(config).bucketsOf(target).length, {
      isLoopback: isLocal,
      long,
    });
    const startedMs = processStartedMs();
    const { seed, waivers, profile, timeoutMs } = config;
    const times = runTimes(startedMs, budget.maxSeconds, timeoutMs);
    const run = await beginRun({
      recordDir,
      config,
      kind: 'limits',
      setting: {
        budget: budgetOf({ ...config, ...budget }),
        ...{ startedAt, seed, profile, waivers, choice: choiceOf(config) },
        ...ownRulesOf(config),
        labels: config.labels,
        target: described,
      },
      times,
      ...{ showing: showingOf(flags), flags, ca, history },
    });
    writeLimits(recordDir, [], statuses);
    const urls = Object.entries(described.urls).map(([api, url]) => `${api} ${url}`);
    const where =
      described.kind === 'reference' ? 'the embedded reference service' : urls.join(', ');
    notify(
      `Finding the limits of ${where}, with at most ${budget.maxRequests} requests, ${budget.maxRejects} rejections and ${budget.maxSeconds} s`,
    );
    const clock = createSystemClock();
    const probing = startTask(
      'limits',
      {
        ...{ config: opened.config, recordDir, recordId: run.recordId, startedMs },
        ...{ target, budget, isLocal },
        ...(ca === undefined ? {} : { ca }),
        isEmbedded: described.kind === 'reference',
        mostWaitSeconds: long ? LONG_WAIT_SECONDS : MAX_WAIT_SECONDS,
        depth: depthOf(flags),
        throttleStatuses: statuses,
      },
      clock,
      times.driveEndMs,
    );
    const interruption = onInterruption(
      () => {
        probing.interrupt();
        probing.endBy(clock.nowMs() + endingMs(timeoutMs) + FOR_CONCLUDING_MS);
      },
      () => {
        probing.end('request');
        run.leave();
      },
    );
    try {
      const end = endOfTask(await runTaskEnded(probing), interruption.isAsked(), WORDS);
      const notices = notice === undefined ? end.notices : [notice, ...end.notices];
      return await run.finish({ ...end, notices });
    } finally {
      interruption.end();
    }
  } finally {
    await opened.close();
  }
}

/** Commander has refused any other. */
function depthOf({ depth }: Flags): ProbeDepth {
  return DEPTHS.find((one) => one === depth) ?? 'normal';
}

function allowedHosts({ allowLimits }: Flags): readonly string[] {
  return Array.isArray(allowLimits) ? (allowLimits as readonly string[]) : [];
}
