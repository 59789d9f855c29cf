import { randomInt } from 'node:crypto';
import { given, omit } from '../../contracts/wire/json.ts';
import { createSystemClock, systemNowMs } from '../../target/budget/clock.ts';
import { budgetOf, choiceOf, ownRulesOf } from '../../target/config/config-types.ts';
import { readConfig } from '../config.ts';
import { createRedactor } from '../../target/redaction/redactor.ts';
import { processStartedMs, runTimes } from '../../target/budget/run-times.ts';
import { secretsOf, TRADE_KEY } from '../../target/config/secrets.ts';
import { proxiesOf } from '../../target/config/proxies.ts';
import type { LoadEngine } from '../../load/engine.ts';
import { findK6 } from '../../load/engines/k6/k6-binary.ts';
import type { Scenario } from '../../load/scenarios/scenario.ts';
import { scheduleOf } from '../../load/scenarios/schedule.ts';
import { type Control, startControl } from '../../load/trend/control/control-process.ts';
import { contractsOf } from '../flags/named-contracts.ts';
import { type ExitCode, UsageError } from '../exit-code.ts';
import { endOfTask, runTaskEnded } from '../end-of-task.ts';
import { endingMs, onInterruption } from '../interruption.ts';
import {
  type Comparing,
  compareWithEarlier,
  COMPARING_SECONDS,
  comparingTask,
  lookAtEarlier,
  lookAtLimits,
  partedThresholds,
} from './load-compare.ts';
import { engineOf, type EngineWish } from '../tasks/load/load-engine.ts';
import { type LoadFlags, readLoadFlags } from './load-flags.ts';
import { rateByLimits } from './load-limits.ts';
import { writeLoad } from '../record/load-record.ts';
import { requireRoundsPossible, sendingSeconds } from './load-rounds.ts';
import { chooseScenario } from './load-scenario.ts';
import { type LoadTarget, openLoadTarget, requireLoadAllowed } from './load-target.ts';
import { refuseOwnService } from '../apis.ts';
import { tell } from '../output.ts';
import { affordableConnections } from '../open-files.ts';
import { readCa } from '../read-ca.ts';
import { newRecordFolder } from '../record/record-folder.ts';
import { beginRun } from '../run/run-under-way.ts';
import { showingOf } from '../show.ts';
import { refuseSecrets, refuseOtherTarget } from '../check/refused-target.ts';
import { plural } from '../../reports/text.ts';
import { PREPARATION } from '../tasks/load/load-preparation.ts';
import { startTask } from '../threads/task.ts';

/** After the schedule: answers that are late, ending the engine, and judging what was kept, which may be a large record. */
const FOR_ENDING_SECONDS = 120;
/** After the last answer a load run sums up what it has. */
const FOR_CONCLUDING_MS = 5_000;
const WORDS = { name: 'load', interrupted: 'what it had measured was kept' };

/** Sends load to the target, judges its answers, and reports. */
export async function load(flags: Readonly<Record<string, unknown>>): Promise<ExitCode> {
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
  const { wish, allowed, judgeShare, limits, segment, rounds, earlier } = read;
  const { throttleStatuses, addressHeader } = read;
  const { maxRate, timeoutMs, seed, profile, waivers } = config;
  const ceiling = given({ maxRate });
  const plain = chooseScenario({ ...wish, ...ceiling, ...(limits && { scale: 1 }) }, config.load);
  const peak = limits === undefined ? {} : { peakPerSecond: rateByLimits(plain.scenario, limits) };
  const clock = createSystemClock();
  if (limits !== undefined) await lookAtLimits(limits, clock);
  const { scenario, thresholds: all } =
    limits === undefined ? plain : chooseScenario({ ...wish, ...ceiling, ...peak }, config.load);
  if (addressHeader !== undefined && scenario.clients.kind !== 'addresses') {
    throw new UsageError(
      `--address-header is for clients with an address each, as of per-address: the scenario ${scenario.name} has none`,
    );
  }
  const { seconds, slots } = scheduleOf(scenario);
  requireRoundsPossible(rounds, scenario, { seconds, slots });
  const { ofRun: thresholds, ofComparison } = partedThresholds(all, earlier);
  const isCompared = ofComparison.length > 0;
  refuseOtherTarget(config, flags.embedded === true);
  refuseSecrets(config);
  const ca = readCa(config.ca);
  for (const warning of config.warnings) tell(`assay: ${warning}`);
  const engine = await engineWish(read);
  if (read.otlp !== undefined) await requireTelemetry();
  if (engine.name === 'k6' && config.contracts.length > 0) {
    throw new UsageError(
      'k6 judges by the built-in contract alone: leave --engine k6 out, or the contract',
    );
  }
  const secrets = secretsOf(process.env);
  const redactor = createRedactor(secrets);
  const recordDir = config.out ?? newRecordFolder(cwd, startedAt);
  const seen = isCompared ? await lookAtEarlier({ earlier, recordDir }, clock) : undefined;
  const opened = await openLoadTarget(config, scenario, secrets, addressHeader);
  let control: Control | undefined;
  try {
    const { described, apis, keys } = opened;
    const isEmbedded = described.kind === 'reference';
    const proxies = isEmbedded ? undefined : proxiesOf(process.env);
    requireLoadAllowed(opened.config, apis, allowed, proxies);
    const keyNames = Object.keys({ ...secrets, ...keys }).filter((name) =>
      name.startsWith(TRADE_KEY),
    );
    const outgoing = { config: opened.config, redactor };
    const ofClients = { keyNames, ...given({ addressHeader }) };
    const made = engineOf(engine, { outgoing, ...ofClients, judgeShare, thresholds, rules: [] });
    const impossible = whyNot(made, scenario);
    if (impossible !== undefined) throw new UsageError(impossible);
    const startedMs = processStartedMs();
    const wholeSeconds =
      PREPARATION.maxSeconds +
      sendingSeconds(rounds, seconds, timeoutMs) +
      FOR_ENDING_SECONDS +
      (isCompared ? 2 * COMPARING_SECONDS : 0);
    const times = runTimes(startedMs, wholeSeconds, timeoutMs);
    const setting = {
      ...{ startedAt, seed, profile, waivers, target: described, choice: choiceOf(config) },
      ...ownRulesOf(config),
      labels: config.labels,
      budget: {
        ...omit(budgetOf(config), 'maxRejects'),
        maxRequests: scenario.ceilings.requests,
        maxSeconds: scenario.ceilings.seconds,
      },
    };
    const showing = showingOf(flags);
    if (rounds !== undefined) control = await startControl();
    const run = await beginRun({
      ...{ recordDir, config, setting, times, showing, flags, ca, kind: 'load' },
      operations: Object.keys(scenario.mix),
    });
    writeLoad(recordDir, throttleStatuses.length === 0 ? {} : { throttleStatuses });
    const origins = new Set(Object.values(described.urls).map((url) => new URL(url).origin)).size;
    const affordable = affordableConnections(origins, isEmbedded ? 2 : 1);
    const connections = Math.min(read.connections, affordable);
    const isSilent = showing === 'quiet' || showing === 'json';
    if (!isSilent) tell(announcement(scenario, opened, { seconds, slots, rounds }));
    const loading = startTask(
      'load',
      {
        ...{ config: opened.config, recordDir, recordId: run.recordId, startedMs, setting },
        ...{ contractFiles: run.contractFiles, scenario, engine, connections, judgeShare },
        connectionsWanted: read.connections,
        ...{ throttleStatuses, apis, keys, isSilent, isEmbedded },
        thresholds: thresholds.map(({ expression }) => expression),
        // A rate that keeps to a limit leaves room for nothing else.
        mayAskBeside: limits === undefined && maxRate === undefined,
        ...given({
          ...{ part: segment, ca, addressHeader, columns: terminalColumns(), otlp: read.otlp },
          rounds: control && { count: rounds ?? 1, controlUrl: control.url },
        }),
      },
      clock,
      times.driveEndMs,
    );
    let comparing: Comparing | undefined;
    const interruption = onInterruption(
      () => {
        loading.interrupt();
        loading.endBy(clock.nowMs() + endingMs(timeoutMs) + FOR_CONCLUDING_MS);
        comparing?.leave();
      },
      () => {
        loading.end('request');
        run.leave();
      },
    );
    try {
      const ended = await runTaskEnded(loading);
      const end = endOfTask(ended, interruption.isAsked(), WORDS);
      if (!isCompared || end.cutShort) return await run.finish(end);
      if (!isSilent) tell('Comparing with earlier runs.');
      comparing = compareWithEarlier(
        {
          ...{ earlier, recordDir, recordId: run.recordId, setting },
          thresholds: ofComparison.map(({ expression }) => expression),
          ...given({ seen }),
        },
        comparingTask(clock),
      );
      const failure = await comparing.ended;
      return await run.finish({ ...end, ...given({ failure }) });
    } finally {
      interruption.end();
    }
  } finally {
    await control?.stop();
    await opened.close();
  }
}

const TELEMETRY = [
  '@opentelemetry/api',
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

/** Of the terminal that waits for lines on standard error; undefined if that is none, or obeys nothing. */
function terminalColumns(): number | undefined {
  const { stderr, env } = process;
  return stderr.isTTY && env.TERM !== 'dumb' ? stderr.columns : undefined;
}

/** The engine that is asked for, k6 found. */
async function engineWish({ engine: name, k6, k6Outputs }: LoadFlags): Promise<EngineWish> {
  if (name === 'k6') return { name, k6: await findK6(k6, process.env), k6Outputs };
  if (k6 === undefined && k6Outputs.length === 0) return { name };
  throw new UsageError(`--k6 and --k6-out are for --engine k6, and the engine is ${name}`);
}

/** Why an engine cannot run a scenario. */
function whyNot(engine: LoadEngine, scenario: Scenario): string | undefined {
  if (scenario.pacer === 'saturation' && engine.name !== 'autocannon') {
    return `the scenario ${scenario.name} keeps no schedule: --engine autocannon runs it`;
  }
  return engine.cannot(scenario);
}

function announcement(
  { name, purpose }: Scenario,
  { described }: LoadTarget,
  asked: { readonly seconds: number; readonly slots: number; readonly rounds: number | undefined },
): string {
  const urls = Object.entries(described.urls).map(([api, url]) => `${api} ${url}`);
  const where = described.kind === 'reference' ? 'the embedded reference service' : urls.join(', ');
  const { seconds, slots, rounds } = asked;
  const once = `${slots} requests in ${Math.round(seconds)} s`;
  const times =
    rounds === undefined
      ? once
      : `${plural(rounds, 'round')} of ${once}, each beside one on a control`;
  return `Load on ${where}: ${name}, ${times}. ${purpose}`;
}
