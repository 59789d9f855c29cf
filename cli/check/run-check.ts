import { randomInt } from 'node:crypto';
import type { RunJson } from '../../contracts/run/run.ts';
import { given } from '../../contracts/wire/json.ts';
import type { DriveReport } from '../../suites/drive/index.ts';
import { readRegressions } from '../../suites/properties/replay/regressions.ts';
import { createSystemClock, systemNowMs } from '../../target/budget/clock.ts';
import { processStartedMs, runTimes } from '../../target/budget/run-times.ts';
import { budgetOf, choiceOf, ownRulesOf } from '../../target/config/config-types.ts';
import { NO_MORE } from '../../target/lockstep.ts';
import { type RpcSetting, rpcSettingOf } from '../../target/rpc/rpc-urls.ts';
import { readConfig } from '../config.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { historyFolder } from '../flags/history-flag.ts';
import { contractsOf } from '../flags/named-contracts.ts';
import { endingMs, type Interruption, onInterruption } from '../interruption.ts';
import { notify } from '../output.ts';
import { ROOT, tool } from '../package.ts';
import { readCa } from '../read-ca.ts';
import { newRecordFolder } from '../record/record-folder.ts';
import { allureOfCheck } from '../report/allure-check.ts';
import { type BaselineAtHand, baselineOf } from '../run/baseline.ts';
import { pruningOf } from '../run/prune-regressions.ts';
import { beginRun, type RunUnderWay } from '../run/run-under-way.ts';
import { withoutSecrets } from '../safe-text.ts';
import { showingOf } from '../show.ts';
import type { StepWire } from '../threads/step-wire.ts';
import { startTask, type Task } from '../threads/task.ts';
import { secondTargetOf } from './against.ts';
import { checkCommand } from './check-command.ts';
import { endOfDrive, INTERRUPTED, meaningOf } from './end-of-drive.ts';
import { refuseReplayOfNothing } from './refused-replay.ts';
import {
  hasUrl,
  refuseNodesOfEmbedded,
  refuseOtherTarget,
  refuseSecrets,
  unusedNodes,
} from './refused-target.ts';
import { type SecondRun, startSecondRun } from './run-against.ts';
import { openTarget } from './target.ts';

type Flags = Readonly<Record<string, unknown>>;

/**
 * Drives the target, judges the record, and reports.
 *
 * @param wire of the run of a second target: to the drive of the first, to keep in step with
 */
export async function check(flags: Flags, wire?: StepWire): Promise<ExitCode> {
  const wish = await wishOf(flags);
  const target = await openTarget(wish.config);
  const { described } = target;
  const underWay: UnderWay = {};
  // Before anything that listens to signals itself.
  const interruption = interruptionOf(underWay, wish);
  try {
    const run = (underWay.run = await begin(wish, described, underWay));
    if (interruption.isAsked()) return await run.finish({ cutShort: true, notices: [INTERRUPTED] });
    const second = (underWay.second = await beside(wish));
    if (!wish.isSilent) notify(`Checking ${describe(described)}${besides(second)}`);
    underWay.drive = startDrive({ wish, target, run }, wire ?? second?.wire);
    const driveEnd = await endOfDrive(underWay.drive);
    second?.wire.announce(NO_MORE);
    if (second?.isUnderWay() === true && !wish.isSilent)
      notify('Waiting for the run of the second target');
    const { end, leaveOut } = meaningOf(driveEnd, interruption.isAsked(), run);
    return await run.finish(end, leaveOut);
  } finally {
    interruption.end();
    await underWay.second?.close();
    await target.close();
  }
}

/** What a run is made of so far, for whoever interrupts it. */
interface UnderWay {
  drive?: Task<DriveReport>;
  run?: RunUnderWay;
  second?: SecondRun | undefined;
}

type Wish = Awaited<ReturnType<typeof wishOf>>;

/**
 * What is asked for, read and found possible. There is no record yet.
 *
 * @throws MendableError when it is not possible
 */
async function wishOf(flags: Flags) {
  const { env } = process;
  const cwd = process.cwd();
  const startedAt = new Date(systemNowMs());
  const config = await readConfig({
    flags: { ...flags, contracts: contractsOf(flags) },
    env,
    cwd,
    defaultSeed: randomInt(2 ** 31),
  });
  refuseOtherTarget(config, flags.embedded === true);
  const isOfEmbedded = flags.embedded === true || !hasUrl(config);
  refuseNodesOfEmbedded(flags, isOfEmbedded);
  const rpc = isOfEmbedded ? undefined : rpcSettingOf(flags, env);
  refuseSecrets(config);
  refuseReplayOfNothing(config, flags.embedded === true);
  const ca = readCa(config.ca);
  const unused = unusedNodes(env, isOfEmbedded);
  for (const warning of [...config.warnings, ...unused]) notify(`assay: ${warning}`);
  if (config.regressions !== undefined) readRegressions(config.regressions);
  const clock = createSystemClock();
  const secondTarget = secondTargetOf(flags, config, env);
  const baseline = await baselineOf(flags, config.seed, clock);
  const { known, prune } = pruningOf(flags, config.regressions);
  const recordDir = config.out ?? newRecordFolder(cwd, startedAt);
  const history = historyFolder(flags, { recordDir, isNamed: config.out !== undefined });
  const startedMs = processStartedMs();
  const times = runTimes(startedMs, config.maxSeconds, config.timeoutMs);
  const allure = allureOfCheck(flags.allure, recordDir, clock, times.judgeEndMs);
  const showing = showingOf(flags);
  return {
    ...{ flags, env, cwd, config, rpc, ca, clock, recordDir, times, startedAt, startedMs },
    ...{ secondTarget, baseline, known, history, showing, isSilent: showing === 'quiet' },
    alsoReport: async (judged: RunJson) => {
      await allure?.(judged);
      prune(judged);
    },
  };
}

function interruptionOf(underWay: UnderWay, { clock, config }: Wish): Interruption {
  return onInterruption(
    () => {
      underWay.second?.stop();
      underWay.drive?.interrupt();
      // What is on its way may still come in.
      underWay.drive?.endBy(clock.nowMs() + endingMs(config.timeoutMs));
    },
    () => {
      // There is no record yet that could say anything.
      if (underWay.run === undefined) process.exit(EXIT.undecided);
      underWay.drive?.end('request');
      underWay.second?.leave();
      underWay.run.leave();
    },
  );
}

/** Begins the record. */
async function begin(
  wish: Wish,
  described: RunJson['target'],
  underWay: UnderWay,
): Promise<RunUnderWay> {
  const { flags, cwd, config, ca, recordDir, times, startedAt, history, known } = wish;
  const { seed, waivers, profile, replay, labels } = config;
  const run = await beginRun({
    ...{ recordDir, config, kind: 'check', times, flags, ca, history, known },
    setting: {
      ...{ startedAt, seed, profile, waivers, labels, target: described },
      ...{ budget: budgetOf(config), choice: choiceOf(config) },
      ...ownRulesOf(config),
      command: checkCommand({
        ...{ flags, config, cwd, withoutSecrets, root: ROOT },
        isEmbedded: described.kind === 'reference',
        entry: process.argv[1] ?? 'assay',
      }),
      ...given({ replay }),
    },
    showing: wish.showing,
    alsoReport: wish.alsoReport,
    baseline: baselineFrom(wish, underWay),
  });
  if (replay !== undefined && run.ruleAt(1) === undefined) throw noRule(replay);
  return run;
}

/** The record that a run is compared with: of an earlier run, or of a second target. */
function baselineFrom(
  { baseline, secondTarget }: Wish,
  underWay: UnderWay,
): (() => Promise<BaselineAtHand>) | undefined {
  if (secondTarget !== undefined) {
    return () =>
      underWay.second?.ended ?? Promise.resolve({ why: 'the second target was not asked' });
  }
  if (baseline === undefined) return undefined;
  return () => Promise.resolve({ dir: baseline, isBeside: false });
}

function noRule(replay: string): UsageError {
  const [rule = ''] = replay.split('@');
  return new UsageError(`--replay is for the rule ${rule}, and there is none of this name.`);
}

/** The run of the second target, if one is asked for. */
async function beside(wish: Wish): Promise<SecondRun | undefined> {
  const { secondTarget: second, flags, config, times, recordDir, env, clock } = wish;
  if (second === undefined) return undefined;
  return startSecondRun({ second, flags, config, times, recordDir, env, clock });
}

/** The embedded service names nodes of its own, of chains that are made up like itself. */
const EMBEDDED_NODES: RpcSetting = { urls: {}, ofService: true };

interface Driven {
  readonly wish: Wish;
  readonly target: Awaited<ReturnType<typeof openTarget>>;
  readonly run: RunUnderWay;
}

function startDrive({ wish, target, run }: Driven, wire: StepWire | undefined): Task<DriveReport> {
  const { config, recordDir, startedMs, isSilent, ca, clock, times } = wish;
  const isEmbedded = target.described.kind === 'reference';
  const { recordId, contractFiles } = run;
  return startTask(
    'drive',
    {
      ...{ config: target.config, seed: config.seed, version: tool().version },
      ...{ recordDir, recordId, contractFiles, startedMs, isEmbedded, isSilent },
      ...given({ ca, rpc: isEmbedded ? EMBEDDED_NODES : wish.rpc }),
    },
    clock,
    times.driveEndMs,
    wire,
  );
}

function describe({ urls, kind }: RunJson['target']): string {
  return kind === 'reference' ? 'the embedded reference service' : listed(urls);
}

function besides(second: SecondRun | undefined): string {
  return second === undefined ? '' : ` beside ${listed(second.urls)}`;
}

function listed(urls: RunJson['target']['urls']): string {
  return Object.entries(urls)
    .map(([api, url]) => `${api} ${url}`)
    .join(', ');
}
