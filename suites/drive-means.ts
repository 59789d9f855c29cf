/** What a drive is made of: what judges, what keeps it inside its budget, what sends, and what earlier runs left. */

import type { MessagePort } from 'node:worker_threads';
import { Judge } from '../contracts/judging/judge.ts';
import type { Exchange } from '../contracts/wire/exchange.ts';
import { given } from '../contracts/wire/json.ts';
import type { ContractFiles } from '../contracts/document/contract-files.ts';
import type { Contract } from '../contracts/document/schema.ts';
import type { RegressionRow } from '../contracts/run/run.ts';
import { loadContractOf } from '../contracts/document/load-contract.ts';
import { rulesOfRun } from '../contracts/judging/profile.ts';
import { choose } from '../contracts/judging/rule-choice.ts';
import { type Client, createClient, exchangeIds } from '../target/transport/client.ts';
import type { Nodes } from '../target/rpc/nodes.ts';
import { openNodes } from '../target/rpc/open-nodes.ts';
import type { RpcSetting } from '../target/rpc/rpc-urls.ts';
import { type Clock, createSystemClock } from '../target/budget/clock.ts';
import type { TargetConfig } from '../target/config/config-types.ts';
import { baseUrlsOf, ownCodeOf } from '../target/config/config-types.ts';
import { loadOwnCode } from './own-code/load-own-code.ts';
import { type Secrets, secretsOf } from '../target/config/secrets.ts';
import { afterLargeBody } from '../target/body/large-bodies.ts';
import { openRecorder, type Recorder } from '../target/record/recorder.ts';
import { createRedactor, type Redactor } from '../target/redaction/redactor.ts';
import { createJudgingTime, type JudgingTime } from '../target/budget/judging-time.ts';
import { spendingSinceMs } from '../target/budget/run-times.ts';
import { createUndiciTransport, proxiesOf } from '../target/transport/undici-transport.ts';
import { createGovernor, type Governor } from '../target/budget/governor.ts';
import { createLockstep, inStep } from '../target/lockstep.ts';
import type { DrivenService, NeededParts } from './driven-service.ts';
import { withOwnCode } from './own-code/own-service.ts';
import { besideOthers, shownSince } from './properties/replay/drive-regressions.ts';
import { partsNeededBy } from './drive/needed-stages.ts';
import {
  type FoundRegression,
  keepRegression,
  readRegressions,
  type Regression,
} from './properties/replay/regressions.ts';

/** What a drive takes: plain data, since it runs in a worker thread. */
export interface DriveInput {
  readonly config: TargetConfig;
  readonly seed: number;
  /** The folder of the run record; it exists. */
  readonly recordDir: string;
  /** What was read of the contracts that the configuration names. */
  readonly contractFiles: ContractFiles;
  /** What the chain of its exchanges begins with. */
  readonly recordId: string;
  /** When the process began, in ms on the clock of the system. */
  readonly startedMs: number;
  /** Version of Assay, for the User-Agent. */
  readonly version: string;
  /** Certificate authorities to trust besides those of Node, in PEM. */
  readonly ca?: string;
  /** Whether the target is of this process: no proxy knows it. */
  readonly isEmbedded: boolean;
  /** Whether nothing is said of how the run goes. */
  readonly isSilent: boolean;
  /** Nodes that execute what the target builds; none are asked when absent. Never recorded. */
  readonly rpc?: RpcSetting;
}

/** What a drive has from the thread that watches it. */
export interface DriveSetting {
  /** What its judge has in hand. */
  readonly inHand: Int32Array;
  /** Asks to send nothing more; its reason ends the drive. */
  readonly signal: AbortSignal;
  /** Of a drive beside that of another target: each reports to the other how many requests it has begun. */
  readonly beside?: MessagePort;
}

/** This part of its seconds a drive may wait for the one beside it. */
const SHARE_FOR_WAITING = 0.1;

/** What judges a drive as it goes. */
export interface Judging {
  readonly clock: Clock;
  readonly service: DrivenService;
  readonly contract: Contract;
  readonly judge: Judge;
  readonly judgingTime: JudgingTime;
  /** What the rules that were chosen need; undefined if none were. */
  readonly needed: NeededParts | undefined;
}

/** What keeps a drive inside its budget. */
export interface Pace {
  readonly governor: Governor;
  /** The one that is asked before each request: in step with the drive beside it, if there is one. */
  readonly asked: Governor;
  /** Since when its seconds are spent, in ms on the clock. */
  readonly sinceMs: number;
}

/** What sends the requests of a drive, and records them. */
export interface Sender {
  readonly client: Client;
  readonly nodes: Nodes | undefined;
  readonly recorder: Recorder;
  readonly redactor: Redactor;
  readonly secrets: Secrets;
  readonly close: () => Promise<void>;
}

/** The regressions of a folder, which a drive begins with and adds to. */
export interface KeptRegressions {
  readonly regressions: readonly Regression[];
  /** What could not be read, in sentences. */
  readonly notices: readonly string[];
  readonly keep: (found: FoundRegression) => void;
  /** What could not be kept by now, in sentences. */
  readonly unkept: () => string[];
  /** What became of earlier ones by the whole run: those that were found again are shown. */
  readonly asFound: (rows: readonly RegressionRow[], judge: Judge) => readonly RegressionRow[];
}

/**
 * Loads the service, its contract, and the rules that were chosen.
 *
 * @throws Error when a contract, or code of the configuration, cannot be loaded
 */
export async function judgingOf(
  base: DrivenService,
  { config, contractFiles, startedMs }: DriveInput,
  { inHand }: DriveSetting,
): Promise<Judging> {
  const clock = createSystemClock();
  const loadingSinceMs = clock.nowMs();
  const own = await loadOwnCode(ownCodeOf(config), base.apis);
  const service = withOwnCode(base, own);
  const contract = await loadContractOf(service, { files: contractFiles, isChecked: true });
  const all = service.rules.with(own.rules).ofRun(contract);
  const { rules } = rulesOfRun(all, { ...config, choice: config });
  const judge = new Judge(rules, contract, { inHand });
  const judgingTime = createJudgingTime({
    ...{ clock, startedMs, maxSeconds: config.maxSeconds },
    loadingMs: clock.nowMs() - loadingSinceMs,
  });
  const isChosen = config.only.length + config.skip.length > 0;
  const needed = isChosen ? partsNeededBy(choose(all, config).rules) : undefined;
  return { clock, service, contract, judge, judgingTime, needed };
}

/** The pace of a drive, whose time may have begun before it. */
export function paceOf(
  { config, startedMs }: DriveInput,
  { signal, beside }: DriveSetting,
  { clock, contract, judgingTime }: Judging,
): Pace {
  const sinceMs = spendingSinceMs(startedMs, clock.nowMs());
  const governor = createGovernor({
    ...{ budget: config, clock, waitIn: contract.errors.waitIn, startedMs: sinceMs, signal },
    sendUntilMs: judgingTime.sendUntilMs,
  });
  if (beside === undefined) return { governor, sinceMs, asked: governor };
  const lockstep = createLockstep({
    announce: (mine) => {
      beside.postMessage(mine);
    },
    ...{ clock, patienceMs: SHARE_FOR_WAITING * 1000 * config.maxSeconds, signal },
  });
  beside.on('message', (theirs: number) => {
    lockstep.see(theirs);
  });
  beside.unref();
  return { governor, sinceMs, asked: inStep(governor, lockstep) };
}

/** Opens the record, and what sends into it. */
export function openSender(
  { config, recordDir, recordId, version, ca, isEmbedded, rpc }: DriveInput,
  { signal }: DriveSetting,
  { judging, pace }: { readonly judging: Judging; readonly pace: Pace },
): Sender {
  const { clock, contract, judge, judgingTime } = judging;
  const recorder = openRecorder(recordDir, { recordId, maxRecordBytes: config.maxRecordBytes });
  const proxies = isEmbedded ? undefined : proxiesOf(process.env);
  const transport = createUndiciTransport(given({ ca, proxies }));
  const secrets = secretsOf(process.env);
  const redactor = createRedactor(secrets);
  // What whoever sends in this run has in common.
  const sending = {
    recorder: {
      record: (exchange: Exchange) => {
        judgingTime.timed(() => {
          recorder.record(exchange);
        });
      },
    },
    listeners: [
      (exchange: Exchange) => {
        judgingTime.timed(() => {
          judge.add(exchange);
        });
        afterLargeBody(exchange);
      },
    ],
    ...{ redactor, clock, version, nextId: exchangeIds() },
  };
  const client = createClient({
    ...{ ...sending, config, transport, run: recordId, governor: pace.asked },
    isThrottled: contract.errors.isThrottled,
  });
  const nodes =
    rpc &&
    openNodes({
      ...{ ...sending, setting: rpc, transport, signal, startedMs: pace.sinceMs },
      ...{ maxSeconds: config.maxSeconds, timeoutMs: config.timeoutMs },
      ...{ sendUntilMs: judgingTime.sendUntilMs, baseUrls: baseUrlsOf(config) },
      ...given({ ca }),
    });
  const close = async (): Promise<void> => {
    recorder.close();
    await Promise.all([transport.close(), nodes?.close()]);
  };
  return { client, nodes, recorder, redactor, secrets, close };
}

/** Reads the regressions of the folder that a configuration names, if it does. */
export function keptRegressions({ regressions: dir }: TargetConfig): KeptRegressions {
  const { regressions, notices } =
    dir === undefined ? { regressions: [], notices: [] } : readRegressions(dir);
  const unkept = new Set<string>();
  const foundAgain: Pick<RegressionRow, 'name' | 'rule'>[] = [];
  const keep = (found: FoundRegression): void => {
    if (dir === undefined) return;
    const tried = keepRegression(dir, found);
    if ('notice' in tried) unkept.add(tried.notice);
    else foundAgain.push({ name: tried.name, rule: found.rule });
  };
  const asFound: KeptRegressions['asFound'] = (rows, judge) => {
    const results = rows.length === 0 ? [] : judge.resultsOfRun();
    return rows.map((row) => {
      const own = regressions.find(({ name, rule }) => name === row.name && rule === row.rule);
      const shown = shownSince(row, foundAgain);
      if (own === undefined) return shown;
      return besideOthers(shown, own, results, (api, request) => judge.operationOf(api, request));
    });
  };
  return { regressions, notices, keep, unkept: () => [...unkept], asFound };
}
