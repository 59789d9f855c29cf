import { randomInt } from 'node:crypto';
import type { InHand } from '../../contracts/judging/judge.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { createSystemClock, systemNowMs } from '../../target/budget/clock.ts';
import { NO_MORE } from '../../target/lockstep.ts';
import { type RpcSetting, rpcSettingOf } from '../../target/rpc/rpc-urls.ts';
import { given } from '../../contracts/wire/json.ts';
import { budgetOf, choiceOf, ownRulesOf } from '../../target/config/config-types.ts';
import { readConfig } from '../config.ts';
import type { DriveReport } from '../../suites/drive/index.ts';
import { readRegressions } from '../../suites/properties/replay/regressions.ts';
import { allureOfCheck } from '../report/allure-check.ts';
import { type SecondTarget, secondTargetOf } from './against.ts';
import { type BaselineAtHand, baselineOf } from '../run/baseline.ts';
import { contractsOf } from '../flags/named-contracts.ts';
import { checkCommand } from './check-command.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { historyFolder } from '../flags/history-flag.ts';
import { withoutSecrets } from '../safe-text.ts';
import { endingMs, onInterruption } from '../interruption.ts';
import { tell } from '../output.ts';
import { ROOT, tool } from '../package.ts';
import { type SecondRun, startSecondRun } from './run-against.ts';
import type { RunEnd } from '../run-setting.ts';
import { processStartedMs, runTimes } from '../../target/budget/run-times.ts';
import { pruningOf } from '../run/prune-regressions.ts';
import { beginRun, type RunUnderWay } from '../run/run-under-way.ts';
import type { StepWire } from '../threads/step-wire.ts';
import { startTask, type Task, type TaskEnd } from '../threads/task.ts';
import { newRecordFolder } from '../record/record-folder.ts';
import { showingOf } from '../show.ts';
import { readCa } from '../read-ca.ts';
import { refuseReplayOfNothing } from './refused-replay.ts';
import {
  hasUrl,
  refuseNodesOfEmbedded,
  refuseOtherTarget,
  refuseSecrets,
} from './refused-target.ts';
import { openTarget } from './target.ts';

/**
 * Drives the target, judges the record, and reports.
 *
 * @param wire of the run of a second target: to the drive of the first, to keep in step with
 */
export async function check(
  flags: Readonly<Record<string, unknown>>,
  wire?: StepWire,
): Promise<ExitCode> {
  const { env } = process;
  const showing = showingOf(flags);
  const isSilent = showing === 'quiet';
  const cwd = process.cwd();
  const startedAt = new Date(systemNowMs());
  const config = await readConfig({
    flags: { ...flags, contracts: contractsOf(flags) },
    env,
    cwd,
    defaultSeed: randomInt(2 ** 31),
  });
  refuseOtherTarget(config, flags.embedded === true);
  const rpc = rpcSettingOf(flags, env);
  refuseNodesOfEmbedded(flags, flags.embedded === true || !hasUrl(config));
  refuseSecrets(config);
  refuseReplayOfNothing(config, flags.embedded === true);
  const ca = readCa(config.ca);
  for (const warning of config.warnings) tell(`assay: ${warning}`);
  // A regression that cannot be read is refused before there is a record.
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
  const target = await openTarget(config);
  let drive: Task<DriveReport> | undefined;
  let run: RunUnderWay | undefined;
  let second: SecondRun | undefined;
  // Before anything that listens to signals itself.
  const interruption = onInterruption(
    () => {
      second?.stop();
      drive?.interrupt();
      // What is on its way may still come in.
      drive?.endBy(clock.nowMs() + endingMs(config.timeoutMs));
    },
    () => {
      // There is no record yet that could say anything.
      if (run === undefined) process.exit(EXIT.undecided);
      drive?.end('request');
      second?.leave();
      run.leave();
    },
  );
  try {
    const { seed, waivers, profile, replay } = config;
    const { described } = target;
    run = await beginRun({
      recordDir,
      config,
      kind: 'check',
      setting: {
        budget: budgetOf(config),
        ...{ startedAt, seed, profile, waivers, target: described, choice: choiceOf(config) },
        ...ownRulesOf(config),
        labels: config.labels,
        command: checkCommand({
          ...{ flags, config, cwd, withoutSecrets, root: ROOT },
          isEmbedded: described.kind === 'reference',
          entry: process.argv[1] ?? 'assay',
        }),
        ...(replay === undefined ? {} : { replay }),
      },
      times,
      ...{ showing, flags, ca, history, known },
      alsoReport: async (judged) => {
        await allure?.(judged);
        prune(judged);
      },
      baseline: baselineFrom(baseline, secondTarget, () => second),
    });
    if (replay !== undefined && run.ruleAt(1) === undefined) throw noRule(replay);
    if (interruption.isAsked()) return await run.finish({ cutShort: true, notices: [INTERRUPTED] });
    if (secondTarget !== undefined) {
      const options = { second: secondTarget, flags, config, times, recordDir, env, clock };
      second = await startSecondRun(options);
    }
    if (!isSilent) tell(`Checking ${describe(described)}${besides(second)}`);
    const { recordId, contractFiles } = run;
    drive = startTask(
      'drive',
      {
        config: target.config,
        ...{ seed, recordDir, recordId, contractFiles, startedMs },
        version: tool().version,
        ...(ca === undefined ? {} : { ca }),
        isEmbedded: target.described.kind === 'reference',
        isSilent,
        // The embedded service names nodes of its own, of chains that are made up like itself.
        ...given({ rpc: target.described.kind === 'reference' ? EMBEDDED_NODES : rpc }),
      },
      clock,
      times.driveEndMs,
      wire ?? second?.wire,
    );
    const driveEnd = await endOfDrive(drive);
    second?.wire.tell(NO_MORE);
    if (second?.isUnderWay() === true && !isSilent)
      tell('Waiting for the run of the second target');
    const { end, leaveOut } = endOf(driveEnd, interruption.isAsked(), run);
    return await run.finish(end, leaveOut);
  } finally {
    interruption.end();
    await second?.close();
    await target.close();
  }
}

const EMBEDDED_NODES: RpcSetting = { urls: {}, ofService: true };

/** The record that a run is compared with: of an earlier run, or of a second target. */
function baselineFrom(
  baseline: string | undefined,
  wanted: SecondTarget | undefined,
  second: () => SecondRun | undefined,
): (() => Promise<BaselineAtHand>) | undefined {
  if (wanted !== undefined) {
    return () => second()?.ended ?? Promise.resolve({ why: 'the second target was not asked' });
  }
  if (baseline === undefined) return undefined;
  return () => Promise.resolve({ dir: baseline, isBeside: false });
}

function noRule(replay: string): UsageError {
  const [rule = ''] = replay.split('@');
  return new UsageError(`--replay is for the rule ${rule}, and there is none of this name.`);
}

const INTERRUPTED = 'The run was interrupted; what it had recorded was judged.';

/** How a drive came to its end: as tasks do, or by an error, which no service causes. */
type DriveEnd = TaskEnd<DriveReport> | { readonly kind: 'failed'; readonly failure: string };

async function endOfDrive({ ended }: Pick<Task<DriveReport>, 'ended'>): Promise<DriveEnd> {
  try {
    return await ended;
  } catch (error) {
    return { kind: 'failed', failure: error instanceof Error ? error.message : String(error) };
  }
}

/** What the end of the drive means for the run. */
function endOf(
  ended: DriveEnd,
  wasInterrupted: boolean,
  run: RunUnderWay,
): { readonly end: RunEnd; readonly leaveOut: readonly InHand[] } {
  const interrupted = wasInterrupted ? [INTERRUPTED] : [];
  if (ended.kind === 'done') {
    const { cutShort, notices, recorded, search, replayed, regressions } = ended.value;
    const end = {
      cutShort,
      notices: [...interrupted, ...notices.filter((notice) => !interrupted.includes(notice))],
      ...(recorded === undefined ? {} : { recorded }),
      ...(search === undefined ? {} : { search }),
      ...(replayed === undefined ? {} : { replayed }),
      ...(regressions === undefined ? {} : { regressions }),
    };
    return { end, leaveOut: [] };
  }
  const end: RunEnd = { cutShort: true, notices: interrupted };
  if (ended.kind === 'failed') return { end: { ...end, failure: ended.failure }, leaveOut: [] };
  const { by, inHand } = ended;
  if (by === 'request' || (by === 'time' && wasInterrupted)) return { end, leaveOut: [] };
  const rule = run.ruleAt(inHand.rule);
  const where =
    inHand.exchange === 0
      ? ''
      : ` It had exchange number ${inHand.exchange} of the record in hand${rule === undefined ? '' : `, to be judged by ${rule}`}.`;
  const words = {
    time: 'The time of the run ended before the drive did, which was ended from outside.',
    silence: 'The drive stood still for 10 seconds and was ended from outside.',
    memory: 'The drive took more memory than it may and was ended.',
  };
  return {
    end: { ...end, notices: [...end.notices, words[by] + where] },
    // It would stand still there again.
    leaveOut: by !== 'time' && rule !== undefined ? [inHand] : [],
  };
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
