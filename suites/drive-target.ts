/** Drives one target from the first stage to the last, and judges what it answered as it comes. */

import type { MessagePort } from 'node:worker_threads';
import { Judge } from '../contracts/judging/judge.ts';
import type { Exchange } from '../contracts/wire/exchange.ts';
import { given } from '../contracts/wire/json.ts';
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
  input: DriveInput,
  setting: DriveSetting,
): Promise<DriveReport> {
  const { beside } = setting;
  const judging = await judgingOf(base, input, setting);
  const pace = paceOf(input, setting, judging);
  const sender = openSender(input, setting, { judging, pace });
  const memory = keptRegressions(input.config);
  try {
    // What loading left behind would otherwise stay, beside what the run takes.
    collectGarbage();
    // Ready to begin, which the other waits for.
    beside?.postMessage(0);
    const explored = await explore(explorationOf(input, { judging, pace, sender, memory }));
    // Also where the end of an API ended nothing but what was left of a drive, or shrinking.
    const lost = [...pace.governor.unreachable.values()].map(({ message }) => message);
    const reported = new Set([...explored.notices, ...lost]);
    const others = [...memory.notices(), ...sender.redactor.notices()];
    return {
      ...explored,
      notices: [...memory.atFirst, ...reported, ...others],
      cutShort: explored.cutShort || lost.length > 0,
      recorded: sender.recorder.recorded(),
    };
  } finally {
    beside?.postMessage(NO_MORE);
    await sender.close();
  }
}

type Judging = Awaited<ReturnType<typeof judgingOf>>;
type Pace = ReturnType<typeof paceOf>;
type Sender = ReturnType<typeof openSender>;
type Memory = ReturnType<typeof keptRegressions>;

/** What is judged as it comes: by the service, its contract, and the rules that were chosen. */
async function judgingOf(
  base: DrivenService,
  { config, contractFiles, startedMs }: DriveInput,
  { inHand }: DriveSetting,
) {
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

/** What keeps the drive inside its budget, and in step with the one beside it. */
function paceOf(
  { config, startedMs }: DriveInput,
  { signal, beside }: DriveSetting,
  { clock, contract, judgingTime }: Judging,
) {
  const sinceMs = spendingSinceMs(startedMs, clock.nowMs());
  const governor = createGovernor({
    ...{ budget: config, clock, waitIn: contract.errors.waitIn, startedMs: sinceMs, signal },
    sendUntilMs: judgingTime.sendUntilMs,
  });
  if (beside === undefined) return { governor, sinceMs, asked: governor };
  const lockstep = createLockstep({
    tell: (mine) => {
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

/** What sends, and records what it sent and what came of it. */
function openSender(
  { config, recordDir, recordId, version, ca, isEmbedded, rpc }: DriveInput,
  { signal }: DriveSetting,
  { judging, pace }: { readonly judging: Judging; readonly pace: Pace },
) {
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

/** The regressions that a run begins with, and what could not be kept among them. */
function keptRegressions({ regressions: dir }: TargetConfig) {
  const kept = dir === undefined ? undefined : readRegressions(dir);
  const unkept = new Set<string>();
  return {
    ...{ regressions: kept?.regressions ?? [], atFirst: kept?.notices ?? [] },
    keep: (regression: Parameters<typeof keepRegression>[1]): void => {
      if (dir === undefined) return;
      const tried = keepRegression(dir, regression);
      if ('notice' in tried) unkept.add(tried.notice);
    },
    notices: () => [...unkept],
  };
}

interface Parts {
  readonly judging: Judging;
  readonly pace: Pace;
  readonly sender: Sender;
  readonly memory: Memory;
}

function explorationOf(
  { config, seed, recordId, isSilent }: DriveInput,
  { judging, pace: { governor }, sender, memory }: Parts,
): Exploration {
  const { clock, service, contract, judge, judgingTime, needed } = judging;
  const { client, nodes, recorder, redactor, secrets } = sender;
  const replay = config.replay === undefined ? undefined : parseReplay(config.replay);
  return {
    ...{ service, contract, client, judge, seed, profile: config.profile },
    ...{ regressions: memory.regressions, known: config.known?.chains ?? [] },
    ...{ baseUrls: baseUrlsOf(config), keyedCredential: keyedCredentialOf(service, secrets) },
    apis: new Set(service.apis.filter((api) => baseUrlOf(config, api) !== undefined)),
    // Its waits end with the run.
    clock: governor,
    // A replay counts the requests of the drive, so they are the same for it.
    ...given({ nodes, replay, needed }),
    requestsLeft: () => config.maxRequests - governor.spent.requests,
    secondsLeft: () =>
      Math.min(
        config.maxSeconds - governor.spent.seconds,
        (judgingTime.sendUntilMs() - clock.nowMs()) / 1000,
      ),
    hasRoom: roomInHeap(),
    isWithoutSecrets: (text) => redactor.text(text) === text,
    onFound: (found, reproducer, then) => {
      recorder.keep(found);
      memory.keep({ rule: found.rule, reproducer, then });
    },
    // A key for idempotency that an earlier run has used would bring back the answer of then.
    random: createRandom(replay?.kept === undefined ? seed : hashOf(recordId)),
    progress: (stage) => {
      if (isSilent) return;
      const { requests, seconds } = governor.spent;
      const { maxRequests, maxSeconds } = config;
      const { brokenSoFar: broken } = judge;
      const line = progressLine({ stage, requests, maxRequests, seconds, maxSeconds, broken });
      process.stderr.write(`${printableLines(redactor.text(line))}\n`);
    },
  };
}
