/** Long because it wires all that a drive is made of. Drives one target from the first stage to the last, and judges what it answered as it comes. */

import type { MessagePort } from 'node:worker_threads';
import { Judge } from '../contracts/judging/judge.ts';
import type { Exchange } from '../contracts/wire/exchange.ts';
import type { ContractFiles } from '../contracts/document/contract-files.ts';
import { loadContractOf } from '../contracts/document/load-contract.ts';
import { printableLines } from '../contracts/run/printable.ts';
import { rulesOfRun } from '../contracts/judging/profile.ts';
import { choose } from '../contracts/judging/rule-choice.ts';
import { createClient, exchangeIds } from '../target/transport/client.ts';
import { openNodes } from '../target/rpc/open-nodes.ts';
import type { RpcSetting } from '../target/rpc/rpc-urls.ts';
import { createSystemClock } from '../target/budget/clock.ts';
import type { TargetConfig } from '../target/config/config-types.ts';
import { baseUrlOf, baseUrlsOf, ownCodeOf } from '../target/config/config-types.ts';
import { loadOwnCode } from './own-code/load-own-code.ts';
import { secretsOf } from '../target/config/secrets.ts';
import { afterLargeBody, collectGarbage, roomInHeap } from '../target/body/large-bodies.ts';
import { openRecorder } from '../target/record/recorder.ts';
import { createRedactor } from '../target/redaction/redactor.ts';
import { createJudgingTime } from '../target/budget/judging-time.ts';
import { spendingSinceMs } from '../target/budget/run-times.ts';
import { createUndiciTransport, proxiesOf } from '../target/transport/undici-transport.ts';
import { createGovernor } from '../target/budget/governor.ts';
import { createLockstep, inStep, NO_MORE } from '../target/lockstep.ts';
import type { DrivenService } from './driven-service.ts';
import { withOwnCode } from './own-code/own-service.ts';
import { keyedCredentialOf } from './drive/keyed-credential.ts';
import type { DriveReport } from './drive/index.ts';
import { partsNeededBy } from './drive/needed-stages.ts';
import { createRandom } from './drive/random.ts';
import type { Exploration } from './properties/explore.ts';
import { explore } from './properties/explore.ts';
import { readRegressions, keepRegression } from './properties/replay/regressions.ts';
import { hashOf } from './properties/hash.ts';
import { parseReplay } from './properties/replay/replay.ts';
import { progressLine } from './progress-line.ts';

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
  /** Of a drive beside that of another target: each tells the other how many requests it has begun. */
  readonly beside?: MessagePort;
}

/** This part of its seconds a drive may wait for the one beside it. */
const SHARE_FOR_WAITING = 0.1;

/**
 * Drives the target of a run.
 *
 * @param base the service that is driven, without what its configuration adds
 * @throws Error when a contract, or code of the configuration, cannot be loaded
 */
export async function driveTarget(
  base: DrivenService,
  {
    config,
    seed,
    recordDir,
    contractFiles,
    recordId,
    startedMs,
    version,
    ca,
    isEmbedded,
    isSilent,
    rpc,
  }: DriveInput,
  { inHand, signal, beside }: DriveSetting,
): Promise<DriveReport> {
  const clock = createSystemClock();
  const loadingSinceMs = clock.nowMs();
  const own = await loadOwnCode(ownCodeOf(config), base.apis);
  const service = withOwnCode(base, own);
  const contract = await loadContractOf(service, { files: contractFiles, isChecked: true });
  // The same for a replay, which counts the requests of the drive.
  const isChosen = config.only.length + config.skip.length > 0;
  const replay = config.replay === undefined ? undefined : parseReplay(config.replay);
  const registry = service.rules.with(own.rules);
  const all = registry.ofRun(contract);
  const { rules } = rulesOfRun(all, { ...config, choice: config });
  const judge = new Judge(rules, contract, { inHand });
  const judgingTime = createJudgingTime({
    ...{ clock, startedMs, maxSeconds: config.maxSeconds },
    loadingMs: clock.nowMs() - loadingSinceMs,
  });
  const governor = createGovernor({
    budget: config,
    clock,
    waitIn: contract.errors.waitIn,
    startedMs: spendingSinceMs(startedMs, clock.nowMs()),
    sendUntilMs: judgingTime.sendUntilMs,
    signal,
  });
  const lockstep =
    beside === undefined
      ? undefined
      : createLockstep({
          tell: (mine) => {
            beside.postMessage(mine);
          },
          clock,
          patienceMs: SHARE_FOR_WAITING * 1000 * config.maxSeconds,
          signal,
        });
  beside?.on('message', (theirs: number) => {
    lockstep?.see(theirs);
  });
  beside?.unref();
  const { regressions } = config;
  const kept = regressions === undefined ? undefined : readRegressions(regressions);
  const unkept: string[] = [];
  const recorder = openRecorder(recordDir, { recordId, maxRecordBytes: config.maxRecordBytes });
  const proxies = isEmbedded ? undefined : proxiesOf(process.env);
  const transport = createUndiciTransport({
    ...(ca === undefined ? {} : { ca }),
    ...(proxies === undefined ? {} : { proxies }),
  });
  const secrets = secretsOf(process.env);
  const redactor = createRedactor(secrets);
  const hasRoom = roomInHeap();
  // What whoever sends in this run has in common.
  const sending = {
    recorder: {
      record: (exchange: Exchange) => {
        judgingTime.timed(() => {
          recorder.record(exchange);
        });
      },
    },
    redactor,
    clock,
    listeners: [
      (exchange: Exchange) => {
        judgingTime.timed(() => {
          judge.add(exchange);
        });
        afterLargeBody(exchange);
      },
    ],
    version,
    nextId: exchangeIds(),
  };
  const client = createClient({
    ...sending,
    isThrottled: contract.errors.isThrottled,
    config,
    transport,
    governor: lockstep === undefined ? governor : inStep(governor, lockstep),
    run: recordId,
  });
  const nodes =
    rpc &&
    openNodes({
      ...sending,
      ...{ setting: rpc, transport, signal },
      ...{ maxSeconds: config.maxSeconds, timeoutMs: config.timeoutMs },
      startedMs: spendingSinceMs(startedMs, clock.nowMs()),
      sendUntilMs: judgingTime.sendUntilMs,
      baseUrls: baseUrlsOf(config),
      ...(ca === undefined ? {} : { ca }),
    });
  const exploration: Exploration = {
    service,
    client,
    // Its waits end with the run.
    clock: governor,
    ...(nodes === undefined ? {} : { nodes }),
    judge,
    seed,
    profile: config.profile,
    requestsLeft: () => config.maxRequests - governor.spent.requests,
    secondsLeft: () =>
      Math.min(
        config.maxSeconds - governor.spent.seconds,
        (judgingTime.sendUntilMs() - clock.nowMs()) / 1000,
      ),
    hasRoom,
    regressions: kept?.regressions ?? [],
    ...(replay === undefined ? {} : { replay }),
    ...(isChosen ? { needed: partsNeededBy(choose(all, config).rules) } : {}),
    isWithoutSecrets: (text) => redactor.text(text) === text,
    onFound: (found, reproducer, then) => {
      recorder.keep(found);
      if (regressions === undefined) return;
      const tried = keepRegression(regressions, { rule: found.rule, reproducer, then });
      if ('notice' in tried && !unkept.includes(tried.notice)) unkept.push(tried.notice);
    },
    contract,
    // A key for idempotency that an earlier run has used would bring back the answer of then.
    random: createRandom(replay?.kept === undefined ? seed : hashOf(recordId)),
    apis: new Set(service.apis.filter((api) => baseUrlOf(config, api) !== undefined)),
    baseUrls: baseUrlsOf(config),
    known: config.known?.chains ?? [],
    keyedCredential: keyedCredentialOf(service, secrets),
    progress: (stage) => {
      if (isSilent) return;
      const { requests, seconds } = governor.spent;
      const { maxRequests, maxSeconds } = config;
      const { brokenSoFar: broken } = judge;
      const line = progressLine({ stage, requests, maxRequests, seconds, maxSeconds, broken });
      process.stderr.write(`${printableLines(redactor.text(line))}\n`);
    },
  };
  try {
    // What loading left behind would otherwise stay, beside what the run takes.
    collectGarbage();
    // Ready to begin, which the other waits for.
    beside?.postMessage(0);
    const explored = await explore(exploration);
    // Also where the end of an API ended nothing but what was left of a drive, or shrinking.
    const lost = [...governor.unreachable.values()].map(({ message }) => message);
    const reported = new Set([...explored.notices, ...lost]);
    return {
      ...explored,
      notices: [...(kept?.notices ?? []), ...reported, ...unkept, ...redactor.notices()],
      cutShort: explored.cutShort || lost.length > 0,
      recorded: recorder.recorded(),
    };
  } finally {
    beside?.postMessage(NO_MORE);
    recorder.close();
    await Promise.all([transport.close(), nodes?.close()]);
  }
}
