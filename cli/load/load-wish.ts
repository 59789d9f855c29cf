import { randomInt } from 'node:crypto';
import { given, omit } from '../../contracts/wire/json.ts';
import { type Clock, createSystemClock, systemNowMs } from '../../target/budget/clock.ts';
import { type TargetConfig } from '../../target/config/config-types.ts';
import { readConfig } from '../config.ts';
import { processStartedMs, type RunTimes, runTimes } from '../../target/budget/run-times.ts';
import { type Secrets, secretsOf } from '../../target/config/secrets.ts';
import { findK6 } from '../../load/engines/k6/k6-binary.ts';
import type { Scenario } from '../../load/scenarios/scenario.ts';
import { type Schedule, scheduleOf } from '../../load/scenarios/schedule.ts';
import { contractsOf } from '../flags/named-contracts.ts';
import { UsageError } from '../exit-code.ts';
import {
  COMPARING_SECONDS,
  lookAtEarlier,
  lookAtLimits,
  partedThresholds,
} from './load-compare.ts';
import { type EngineWish } from '../tasks/load/load-engine.ts';
import { type LoadFlags, readLoadFlags } from './load-flags.ts';
import { rateByLimits } from './load-limits.ts';
import { requireRoundsPossible, sendingSeconds } from './load-rounds.ts';
import { chooseScenario } from './load-scenario.ts';
import { refuseOwnService } from '../apis.ts';
import { notify } from '../output.ts';
import { readCa } from '../read-ca.ts';
import { newRecordFolder } from '../record/record-folder.ts';
import { type Showing, showingOf } from '../show.ts';
import { refuseSecrets, refuseOtherTarget } from '../check/refused-target.ts';
import type { Threshold } from '../../contracts/run/load/threshold.ts';
import { PREPARATION } from '../tasks/load/load-preparation.ts';

/** After the schedule: answers that are late, ending the engine, and judging what was kept, which may be a large record. */
const FOR_ENDING_SECONDS = 120;

/** What a load run is asked for, found possible. */
export interface LoadWish {
  readonly flags: Flags;
  readonly config: Awaited<ReturnType<typeof readConfig>>;
  readonly read: LoadFlags;
  readonly scenario: Scenario;
  readonly schedule: Schedule;
  /** Those that the run itself is to keep. */
  readonly thresholds: readonly Threshold[];
  /** Those that earlier runs decide. */
  readonly ofComparison: readonly Threshold[];
  readonly isCompared: boolean;
  /** What of earlier runs stood there before this one; undefined if it is not compared. */
  readonly seen: Awaited<ReturnType<typeof lookAtEarlier>> | undefined;
  readonly engine: EngineWish;
  /** Certificate authorities to trust besides those of Node, in PEM. */
  readonly ca: string | undefined;
  readonly clock: Clock;
  readonly recordDir: string;
  readonly startedAt: Date;
  readonly startedMs: number;
  readonly times: RunTimes;
  readonly showing: Showing;
  readonly isSilent: boolean;
  readonly secrets: Secrets;
}

type Flags = Readonly<Record<string, unknown>>;

/**
 * What is asked for, read and found possible. Nothing is sent or written yet.
 *
 * @throws MendableError when it is not possible
 */
export async function loadWishOf(flags: Flags): Promise<LoadWish> {
  const cwd = process.cwd();
  const startedAt = new Date(systemNowMs());
  const config = await readConfig({
    // Those two are ceilings of the scenario here, not the budget of a check.
    flags: { ...omit(omit(flags, 'maxRequests'), 'maxSeconds'), contracts: contractsOf(flags) },
    env: process.env,
    cwd,
    defaultSeed: randomInt(2 ** 31),
  });
  refuseOwnService(config, 'load');
  const read = readLoadFlags(flags);
  const clock = createSystemClock();
  const { scenario, thresholds: all } = await scenarioOf(read, config, clock);
  const schedule = scheduleOf(scenario);
  requireRoundsPossible(read.rounds, scenario, schedule);
  const { ofRun: thresholds, ofComparison } = partedThresholds(all, read.earlier);
  refuseOtherTarget(config, flags.embedded === true);
  refuseSecrets(config);
  const ca = readCa(config.ca);
  for (const warning of config.warnings) notify(`assay: ${warning}`);
  const engine = await engineWish(read);
  if (read.otlp !== undefined) await requireTelemetry();
  if (engine.name === 'k6' && config.contracts.length > 0) {
    throw new UsageError(
      'k6 judges by the built-in contract alone: leave --engine k6 out, or the contract',
    );
  }
  const recordDir = config.out ?? newRecordFolder(cwd, startedAt);
  const isCompared = ofComparison.length > 0;
  const { earlier } = read;
  const seen = isCompared ? await lookAtEarlier({ earlier, recordDir }, clock) : undefined;
  const startedMs = processStartedMs();
  const wholeSeconds =
    PREPARATION.maxSeconds +
    sendingSeconds(read.rounds, schedule.seconds, config.timeoutMs) +
    FOR_ENDING_SECONDS +
    (isCompared ? 2 * COMPARING_SECONDS : 0);
  const showing = showingOf(flags);
  return {
    ...{ flags, config, read, scenario, schedule, thresholds, ofComparison, isCompared, seen },
    ...{ engine, ca, clock, recordDir, startedAt, startedMs, showing },
    times: runTimes(startedMs, wholeSeconds, config.timeoutMs),
    isSilent: showing === 'quiet' || showing === 'json',
    secrets: secretsOf(process.env),
  };
}

/** The scenario that is asked for, its rate below or above measured limits if those are given. */
async function scenarioOf(
  { wish, limits, addressHeader }: LoadFlags,
  { maxRate, load: configured }: TargetConfig,
  clock: Clock,
): Promise<ReturnType<typeof chooseScenario>> {
  const asked = { ...wish, ...given({ maxRate }) };
  const plain = chooseScenario({ ...asked, ...(limits && { scale: 1 }) }, configured);
  const peakPerSecond = limits && rateByLimits(plain.scenario, limits);
  if (limits !== undefined) await lookAtLimits(limits, clock);
  const chosen =
    peakPerSecond === undefined ? plain : chooseScenario({ ...asked, peakPerSecond }, configured);
  const { name, clients } = chosen.scenario;
  if (addressHeader !== undefined && clients.kind !== 'addresses') {
    throw new UsageError(
      `--address-header is for clients with an address each, as of per-address: the scenario ${name} has none`,
    );
  }
  return chosen;
}

const TELEMETRY = [
  '@opentelemetry/api',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/exporter-metrics-otlp-http',
] as const;

/** @throws UsageError when the SDK is not installed, which only who sends metrics needs */
async function requireTelemetry(): Promise<void> {
  try {
    for (const name of TELEMETRY) await import(name);
  } catch {
    throw new UsageError(
      `--otlp needs the SDK of OpenTelemetry: \`npm install ${TELEMETRY.join(' ')}\``,
    );
  }
}

/** The engine that is asked for, k6 found. */
async function engineWish({ engine: name, k6, k6Outputs }: LoadFlags): Promise<EngineWish> {
  if (name === 'k6') return { name, k6: await findK6(k6, process.env), k6Outputs };
  if (k6 === undefined && k6Outputs.length === 0) return { name };
  throw new UsageError(`--k6 and --k6-out are for --engine k6, and the engine is ${name}`);
}
