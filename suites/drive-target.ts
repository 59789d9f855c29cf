/** Drives one target from the first stage to the last, and judges what it answered as it comes. */

import { given } from '../contracts/wire/json.ts';
import { printableLines } from '../contracts/run/printable.ts';
import { baseUrlOf, baseUrlsOf } from '../target/config/config-types.ts';
import { collectGarbage, roomInHeap } from '../target/body/large-bodies.ts';
import { NO_MORE } from '../target/lockstep.ts';
import type { DrivenService } from './driven-service.ts';
import { keyedCredentialOf } from './drive/keyed-credential.ts';
import type { DriveReport } from './drive/index.ts';
import { createRandom } from './drive/random.ts';
import type { Exploration } from './properties/explore.ts';
import { explore } from './properties/explore.ts';
import { hashOf } from './properties/hash.ts';
import { parseReplay } from './properties/replay/replay.ts';
import {
  type DriveInput,
  type DriveSetting,
  type Judging,
  judgingOf,
  type KeptRegressions,
  keptRegressions,
  openSender,
  type Pace,
  paceOf,
  type Sender,
} from './drive-means.ts';
import { progressLine } from './progress-line.ts';

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
    // Also if the end of an API ended nothing but what was left of a drive, or shrinking.
    const lost = [...pace.governor.unreachable.values()].map(({ message }) => message);
    const reported = new Set([...explored.notices, ...lost]);
    const others = [...memory.unkept(), ...sender.redactor.notices()];
    return {
      ...explored,
      ...given({
        regressions: explored.regressions && memory.asFound(explored.regressions, judging.judge),
      }),
      notices: [...memory.notices, ...reported, ...others],
      cutShort: explored.cutShort || lost.length > 0,
      recorded: sender.recorder.recorded(),
    };
  } finally {
    beside?.postMessage(NO_MORE);
    await sender.close();
  }
}

/** A line for each stage of a run that takes seconds would push the report off the screen. */
const LEAST_SECONDS_BETWEEN_LINES = 10;

interface Parts {
  readonly judging: Judging;
  readonly pace: Pace;
  readonly sender: Sender;
  readonly memory: KeptRegressions;
}

function explorationOf(
  { config, seed, recordId, isSilent }: DriveInput,
  { judging, pace: { governor }, sender, memory }: Parts,
): Exploration {
  const { clock, service, contract, judge, judgingTime, needed } = judging;
  const { client, nodes, recorder, redactor, secrets } = sender;
  const replay = config.replay === undefined ? undefined : parseReplay(config.replay);
  let nextLineSeconds = 0;
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
      const { requests, seconds } = governor.spent;
      if (isSilent || seconds < nextLineSeconds) return;
      nextLineSeconds = seconds + LEAST_SECONDS_BETWEEN_LINES;
      const { maxRequests, maxSeconds } = config;
      const { brokenSoFar: broken } = judge;
      const line = progressLine({ stage, requests, maxRequests, seconds, maxSeconds, broken });
      process.stderr.write(`${printableLines(redactor.text(line))}\n`);
    },
  };
}
