import { given, omit } from '../../contracts/wire/json.ts';
import { budgetOf, choiceOf, ownRulesOf } from '../../target/config/config-types.ts';
import { createRedactor } from '../../target/redaction/redactor.ts';
import { TRADE_KEY } from '../../target/config/secrets.ts';
import { proxiesOf } from '../../target/config/proxies.ts';
import type { LoadEngine } from '../../load/engine.ts';
import type { Scenario } from '../../load/scenarios/scenario.ts';
import { sentWords } from '../../load/scenarios/segment.ts';
import { type Control, startControl } from '../../load/trend/control/control-process.ts';
import { type ExitCode, UsageError } from '../exit-code.ts';
import { endOfTask, runTaskEnded } from '../end-of-task.ts';
import { endingMs, onInterruption } from '../interruption.ts';
import { type Comparing, compareWithEarlier, comparingTask } from './load-compare.ts';
import { engineOf } from '../tasks/load/load-engine.ts';
import { writeLoad } from '../record/load-record.ts';
import { type LoadTarget, openLoadTarget, requireLoadAllowed } from './load-target.ts';
import { notify } from '../output.ts';
import { affordableConnections } from '../open-files.ts';
import { beginRun, type RunBeginning, type RunUnderWay } from '../run/run-under-way.ts';
import type { RunEnd } from '../run-setting.ts';
import { type LoadWish, loadWishOf } from './load-wish.ts';
import { plural } from '../../reports/text.ts';
import { startTask, type Task } from '../threads/task.ts';

/** After the last answer a load run sums up what it has. */
const FOR_CONCLUDING_MS = 5_000;
const WORDS = {
  name: 'load',
  interrupted: 'what it had measured was kept',
  lost: 'The load was ended before it added up rates and latencies: nothing is known of them, nor of answers that it did not record.',
};

type Flags = Readonly<Record<string, unknown>>;

/** Sends load to the target, judges its answers, and reports. */
export async function load(flags: Flags): Promise<ExitCode> {
  const wish = await loadWishOf(flags);
  const { config, scenario, read, secrets } = wish;
  const opened = await openLoadTarget(config, scenario, secrets, read.addressHeader);
  let control: Control | undefined;
  try {
    requirePossible(wish, opened);
    const setting = settingOf(wish, opened);
    if (read.rounds !== undefined) control = await startControl();
    const run = await begin(wish, setting);
    if (!wish.isSilent) notify(announcement(wish, opened));
    const loading = startLoading(wish, { opened, setting, run, control });
    return await concluded(wish, { loading, run, setting });
  } finally {
    await control?.stop();
    await opened.close();
  }
}

/** @throws UsageError when the target may not be put under this load, or the engine cannot send it */
function requirePossible(
  { read, engine, scenario, thresholds, secrets }: LoadWish,
  { described, apis, keys, config }: LoadTarget,
): void {
  const proxies = described.kind === 'reference' ? undefined : proxiesOf(process.env);
  requireLoadAllowed(config, apis, read.allowed, proxies);
  const names = Object.keys({ ...secrets, ...keys });
  const made = engineOf(engine, {
    outgoing: { config, redactor: createRedactor(secrets) },
    keyNames: names.filter((name) => name.startsWith(TRADE_KEY)),
    ...given({ addressHeader: read.addressHeader }),
    ...{ judgeShare: read.judgeShare, thresholds, rules: [] },
  });
  const impossible = whyNot(made, scenario);
  if (impossible !== undefined) throw new UsageError(impossible);
}

/** What the record says of the run besides its figures. */
function settingOf(
  { config, scenario, startedAt }: LoadWish,
  { described }: LoadTarget,
): RunBeginning['setting'] {
  const { seed, profile, waivers, labels } = config;
  return {
    ...{ startedAt, seed, profile, waivers, labels, target: described, choice: choiceOf(config) },
    ...ownRulesOf(config),
    budget: {
      ...omit(budgetOf(config), 'maxRejects'),
      maxRequests: scenario.ceilings.requests,
      maxSeconds: scenario.ceilings.seconds,
    },
  };
}

/** Begins the record. */
async function begin(wish: LoadWish, setting: RunBeginning['setting']): Promise<RunUnderWay> {
  const { recordDir, config, times, showing, flags, ca, scenario } = wish;
  const run = await beginRun({
    ...{ recordDir, config, setting, times, showing, flags, ca, kind: 'load' },
    operations: Object.keys(scenario.mix),
  });
  const { throttleStatuses } = wish.read;
  writeLoad(recordDir, throttleStatuses.length === 0 ? {} : { throttleStatuses });
  return run;
}

interface Begun {
  readonly opened: LoadTarget;
  readonly setting: RunBeginning['setting'];
  readonly run: RunUnderWay;
  readonly control: Control | undefined;
}

function startLoading(wish: LoadWish, { opened, setting, run, control }: Begun): Task<RunEnd> {
  const { config, scenario, engine, read, thresholds, ca, recordDir, startedMs, isSilent } = wish;
  const { judgeShare, throttleStatuses, addressHeader, segment: part, rounds, otlp } = read;
  const { described, apis, keys } = opened;
  const isEmbedded = described.kind === 'reference';
  const origins = new Set(Object.values(described.urls).map((url) => new URL(url).origin)).size;
  const connections = Math.min(
    read.connections,
    affordableConnections(origins, isEmbedded ? 2 : 1),
  );
  return startTask(
    'load',
    {
      ...{ config: opened.config, recordDir, recordId: run.recordId, startedMs, setting },
      ...{ contractFiles: run.contractFiles, scenario, engine, connections, judgeShare },
      connectionsWanted: read.connections,
      ...{ throttleStatuses, apis, keys, isSilent, isEmbedded },
      thresholds: thresholds.map(({ expression }) => expression),
      // A rate that keeps to a limit leaves room for nothing else.
      mayAskBeside: read.limits === undefined && config.maxRate === undefined,
      ...given({
        ...{ part, ca, addressHeader, columns: terminalColumns(), otlp },
        rounds: control && { count: rounds ?? 1, controlUrl: control.url },
      }),
    },
    wish.clock,
    wish.times.driveEndMs,
  );
}

/** Waits for the end of the load, compares it with earlier runs if that is asked for, and shows what became of it. */
async function concluded(
  {
    read: { earlier },
    config,
    recordDir,
    ofComparison,
    isCompared,
    seen,
    isSilent,
    clock,
  }: LoadWish,
  { loading, run, setting }: Pick<Begun, 'run' | 'setting'> & { readonly loading: Task<RunEnd> },
): Promise<ExitCode> {
  let comparing: Comparing | undefined;
  const interruption = onInterruption(
    () => {
      loading.interrupt();
      loading.endBy(clock.nowMs() + endingMs(config.timeoutMs) + FOR_CONCLUDING_MS);
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
    if (!isSilent) notify('Comparing with earlier runs.');
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
}

/** Of the terminal that waits for lines on standard error; undefined if that is none, or obeys nothing. */
function terminalColumns(): number | undefined {
  const { stderr, env } = process;
  return stderr.isTTY && env.TERM !== 'dumb' ? stderr.columns : undefined;
}

/** Why an engine cannot run a scenario. */
function whyNot(engine: LoadEngine, scenario: Scenario): string | undefined {
  if (scenario.pacer === 'saturation' && engine.name !== 'autocannon') {
    return `the scenario ${scenario.name} keeps no schedule: --engine autocannon runs it`;
  }
  return engine.cannot(scenario);
}

function announcement(
  { scenario, schedule, read: { rounds, segment } }: LoadWish,
  { described }: LoadTarget,
): string {
  const urls = Object.entries(described.urls).map(([api, url]) => `${api} ${url}`);
  const target =
    described.kind === 'reference' ? 'the embedded reference service' : urls.join(', ');
  const { name, purpose } = scenario;
  const once = sentWords(scenario, schedule, segment);
  const times =
    rounds === undefined
      ? once
      : `${plural(rounds, 'round')} of ${once}, each beside one on a control`;
  return `Load on ${target}: ${name}, ${times}. ${purpose}`;
}
