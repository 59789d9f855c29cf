import { setMaxListeners } from 'node:events';
import type { ContractFiles } from '../../../contracts/document/contract-files.ts';
import { throttledByStatus } from '../../../contracts/document/throttled-by-status.ts';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import type { ApiName, Exchange } from '../../../contracts/wire/exchange.ts';
import { given } from '../../../contracts/wire/json.ts';
import { proxiesOf } from '../../../target/config/proxies.ts';
import type { Clock } from '../../../target/budget/clock.ts';
import { createSystemClock } from '../../../target/budget/clock.ts';
import type { TargetConfig } from '../../../target/config/config-types.ts';
import { BudgetExceeded, Interrupted } from '../../../target/budget/governor.ts';
import { openRecorder } from '../../../target/record/recorder.ts';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import { secretsOf, TRADE_KEY } from '../../../target/config/secrets.ts';
import { chooserOf } from '../../../load/scenarios/choose.ts';
import { planDigest } from '../../../load/engines/plan-digest.ts';
import type { Scenario } from '../../../load/scenarios/scenario.ts';
import { scheduleOf } from '../../../load/scenarios/schedule.ts';
import { type Segment, sentWords } from '../../../load/scenarios/segment.ts';
import { parseThreshold } from '../../../contracts/run/load/threshold.ts';
import { openLiveJudge } from '../../../load/judging/live-judge.ts';
import type { RunDescription } from '../../../load/run/run-description.ts';
import { loadRules } from './load-rules.ts';
import { type RoundsWish, startSending } from './load-sending.ts';
import { neverAskedNotices } from '../../../load/never-asked.ts';
import { openFileLimit } from '../../open-files.ts';
import { machineFacts } from '../../machine.ts';
import { engineOf, engineVersion, type EngineWish } from './load-engine.ts';
import { endLine, notify, notifyOver } from '../../output.ts';
import { tool } from '../../package.ts';
import { keyedCredentialOf } from '../../../suites/drive/keyed-credential.ts';
import { SERVICE as DRIVEN } from '../../driven-service.ts';
import type { RunEnd, RunSetting } from '../../run-setting.ts';
import { throttleNotices } from '../../throttle-status.ts';
import type { TaskSetting } from '../task-setting.ts';
import { keepLoad } from './keep-load.ts';
import { openLoadMetrics } from './load-otlp.ts';
import { registryWith } from '../../own-rules.ts';
import { JUDGED_SERVICE } from '../../service.ts';
import { meanOf } from '../../../load/sums.ts';
import { askBeside } from './load-beside.ts';
import { prepareLoad } from './load-preparation.ts';

/** Of fewer requests, warming the judge takes longer than judging all of them cold. */
const WORTH_WARMING = 1_000;

/** What loading a target takes. */
export interface LoadInput {
  readonly config: TargetConfig;
  readonly recordDir: string;
  readonly recordId: string;
  readonly contractFiles: ContractFiles;
  readonly setting: Pick<RunSetting, 'startedAt' | 'waivers' | 'choice' | 'ownRules'>;
  /** When the run began, on the clock of the system. */
  readonly startedMs: number;
  readonly scenario: Scenario;
  readonly engine: EngineWish;
  /** As they are written. */
  readonly thresholds: readonly string[];
  /** Statuses that count as throttled besides what the document says. */
  readonly throttleStatuses: readonly number[];
  /** Of the answers, from 0 to 1. */
  readonly judgeShare: number;
  readonly connections: number;
  /** As many were asked for; this process may have fewer files open. */
  readonly connectionsWanted: number;
  readonly apis: readonly ApiName[];
  /** Keys of the embedded service, by the name that stands for each in records. */
  readonly keys: Readonly<Record<string, string>>;
  /** The part of the run that this machine does. */
  readonly part?: Segment;
  /** Rounds beside a control; sent once, without one, when absent. */
  readonly rounds?: RoundsWish;
  /** Certificate authorities to trust besides those of Node, in PEM. */
  readonly ca?: string;
  /** The header field that the target believes for the address of a client. */
  readonly addressHeader?: string;
  /** Whether requests apart from the schedule may be sent meanwhile. */
  readonly mayAskBeside: boolean;
  /** Whether the target is of this process: no proxy knows it. */
  readonly isEmbedded: boolean;
  /** Of the collector that metrics are sent to meanwhile; none when absent. */
  readonly otlp?: string;
  /** Of the terminal that lines are shown on, its width; absent if standard error is none. */
  readonly columns?: number;
  /** Whether nothing is said of how the run goes. */
  readonly isSilent: boolean;
}

/** How often a line says how it goes: one that is written over, and one that stays. */
const LOOKED_EVERY_SECONDS = { over: 1, plain: 10 } as const;

/** Prepares a mix, sends it, judges what comes back; what it came to goes into the record. */
export async function loadTask(
  input: LoadInput,
  { signal }: Pick<TaskSetting, 'signal'>,
): Promise<RunEnd> {
  setMaxListeners(100, signal);
  const { config, recordDir, recordId, scenario, ca, part, rounds, throttleStatuses } = input;
  const clock = createSystemClock();
  const contract = throttledByStatus(
    await loadContract({ files: input.contractFiles, isChecked: true }),
    throttleStatuses,
  );
  const secrets = { ...secretsOf(process.env), ...input.keys };
  const redactor = createRedactor(secrets);
  const recorder = openRecorder(recordDir, { recordId, maxRecordBytes: config.maxRecordBytes });
  const proxies = input.isEmbedded ? undefined : proxiesOf(process.env);
  const connecting = given({ ca, proxies });
  const outgoing = { config, redactor, version: tool().version, run: recordId };
  const say = sayer(input, clock);
  const keep = (exchange: Exchange): boolean => {
    try {
      recorder.record(exchange);
      return true;
    } catch (error) {
      if (error instanceof BudgetExceeded) return false;
      throw error;
    }
  };
  try {
    const prepared = await prepareLoad({
      ...{ outgoing, connecting, contract, clock, recorder, signal, scenario, say },
      seed: config.seed,
      apis: new Set(input.apis),
      known: config.known?.chains ?? [],
      keyedCredential: keyedCredentialOf(DRIVEN, secrets),
    });
    if (prepared.requests.length === 0) {
      const none = 'No request of the mix could be prepared, so no load was sent.';
      return {
        ...{ cutShort: true, notices: [...prepared.notices, none] },
        recorded: recorder.recorded(),
      };
    }
    const schedule = scheduleOf(scenario);
    const { ownRules } = input.setting;
    const { registry } = await registryWith(ownRules, contract);
    const rules = loadRules(registry, contract, input.setting, new Set(input.apis));
    const { contractFiles, judgeShare } = input;
    const isJudged = judgeShare > 0 && input.engine.name !== 'k6';
    const requests = schedule.slots * (rounds?.count ?? 1);
    const judge = isJudged
      ? await openLiveJudge(
          { scenario, requests, keep },
          {
            by: {
              service: JUDGED_SERVICE,
              contractFiles,
              throttleStatuses,
              ...given({ ownRules }),
            },
            ...{ contract, rules: rules.all, live: rules.judged, share: judgeShare },
            warmUp: requests < WORTH_WARMING ? [] : prepared.answers,
          },
        )
      : undefined;
    const thresholds = input.thresholds.map(parseThreshold);
    const job: RunDescription['job'] = {
      ...{ scenario, schedule, requests: prepared.requests, connections: input.connections },
      ...given({
        whyFewConnections: whyFewConnections(input),
        answerMs: meanOf(prepared.answers.map((one) => one.latencyMs)),
      }),
      choose: chooserOf(prepared.requests, scenario.mix, config.seed),
      isThrottled: contract.errors.isThrottled,
      waitIn: contract.errors.waitIn,
      ...{ timeoutMs: config.timeoutMs, maxBodyBytes: config.maxBodyBytes, signal },
    };
    const times = rounds === undefined ? '' : `, ${rounds.count} times beside a control`;
    say(`sending ${sentWords(scenario, schedule, part)}${times} (${input.engine.name})`);
    const engineSetting = {
      ...{ outgoing, connecting, judgeShare, thresholds, rules: rules.judged.map(({ id }) => id) },
      keyNames: Object.keys(secrets).filter((name) => name.startsWith(TRADE_KEY)),
      ...given({ segment: part, addressHeader: input.addressHeader }),
    };
    // What is asked beside rounds would be asked of the target's halves alone.
    const beside =
      input.mayAskBeside && rounds === undefined
        ? askBeside({
            ...{ outgoing, connecting, contract, clock, signal, scenario, schedule, keep },
            ...{ requests: prepared.requests, rules: rules.all },
          })
        : undefined;
    const { otlp: url } = input;
    const metrics =
      url === undefined
        ? undefined
        : await openLoadMetrics({ url, version: tool().version, run: recordId, scenario, say });
    const run: RunDescription = {
      ...{ job, keep, machine: machineFacts(), thresholds, failsRun: rules.failsRun },
      engine: (round) => engineOf(input.engine, engineSetting, round),
      version: engineVersion(input.engine),
      ...given({
        ...{ beside, onSample: metrics?.sample },
        part: part && { ...part, plan: planDigest(job), beganAtMs: Math.round(clock.nowMs()) },
      }),
    };
    const under = startSending(run, judge, rounds);
    metrics?.begin(under.offered);
    const everySeconds = LOOKED_EVERY_SECONDS[input.columns === undefined ? 'plain' : 'over'];
    const timer = setInterval(() => {
      say(under.look((input.columns ?? Infinity) - 1), input.columns);
    }, everySeconds * 1000);
    const { load, notices } = await under.ended.finally(() => {
      clearInterval(timer);
      endLine();
    });
    const { unserved } = prepared;
    const whole = unserved.length === 0 ? load : { ...load, unprepared: unserved };
    keepLoad(recordDir, whole, throttleStatuses);
    const unconfirmed = (await metrics?.end()) ?? [];
    const asReported = throttleNotices(throttleStatuses);
    return {
      cutShort: signal.aborted,
      notices: [
        ...asReported,
        ...prepared.notices,
        ...neverAskedNotices(prepared.requests, load),
        ...notices,
        ...unconfirmed,
      ],
      recorded: recorder.recorded(),
    };
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    return { cutShort: true, notices: [], recorded: recorder.recorded() };
  } finally {
    recorder.close();
  }
}

/** Why there are fewer connections than were wanted; undefined if there are as many. */
function whyFewConnections({ connections, connectionsWanted }: LoadInput): string | undefined {
  if (connections >= connectionsWanted) return undefined;
  return `${connectionsWanted} were wanted, and this process may have ${openFileLimit()} files open: \`ulimit -n\` allows more`;
}

/** @returns says a line; on a terminal of so many columns, if they are given, over the one before */
function sayer(
  { isSilent, startedMs }: LoadInput,
  clock: Clock,
): (line: string, columns?: number) => void {
  return (line, columns) => {
    if (isSilent) return;
    const elapsed = ((clock.nowMs() - startedMs) / 1000).toFixed(1).padStart(7);
    if (columns === undefined) notify(`${elapsed} s  ${line}`);
    else notifyOver(line, columns);
  };
}
