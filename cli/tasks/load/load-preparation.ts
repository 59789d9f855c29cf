import type { Contract } from '../../../contracts/document/schema.ts';
import type { ApiName, Exchange } from '../../../contracts/wire/exchange.ts';
import { createClient } from '../../../fixtures/target/transport/client.ts';
import type { Clock } from '../../../fixtures/target/budget/clock.ts';
import type { OutgoingOptions } from '../../../fixtures/target/transport/outgoing.ts';
import { createGovernor } from '../../../fixtures/target/budget/governor.ts';
import type { Recorder } from '../../../fixtures/target/record/recorder.ts';
import {
  createUndiciTransport,
  type UndiciTransportOptions,
} from '../../../fixtures/target/transport/undici-transport.ts';
import type { Scenario } from '../../../load/scenarios/scenario.ts';
import { createRandom } from '../../../suites/drive/random.ts';
import type { SessionOptions } from '../../../suites/drive/session.ts';
import { createSession } from '../../../suites/drive/session.ts';
import { type PreparedMix, prepareMix } from '../../../suites/service/load-mix/prepare-mix.ts';
import { DRIVEN } from '../../../suites/service/driving.ts';

/** What preparing a mix takes. */
export interface PreparationInput extends Pick<SessionOptions, 'known' | 'keyedCredential'> {
  readonly outgoing: OutgoingOptions & { readonly config: { readonly maxRate?: number } };
  readonly connecting: Pick<UndiciTransportOptions, 'ca' | 'proxies'>;
  readonly contract: Contract;
  readonly clock: Clock;
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  readonly scenario: Scenario;
  readonly seed: number;
  readonly apis: ReadonlySet<ApiName>;
  readonly say: (line: string) => void;
}

/** What may be sent before the clock of a load run starts. */
export const PREPARATION: Readonly<
  Record<'requestsEach' | 'maxRequests' | 'maxSeconds' | 'maxRejects', number>
> = {
  requestsEach: 24,
  maxRequests: 1_000,
  maxSeconds: 180,
  maxRejects: 100,
};

/** A mix that was prepared, and the last answers of usual size. */
export interface Prepared extends PreparedMix {
  readonly answers: readonly Exchange[];
}

const MAX_ANSWERS = 100;
const MAX_CHARACTERS = 65_536;

function isUsual({ outcome }: Exchange): boolean {
  return outcome.kind === 'response' && outcome.response.body.text.length <= MAX_CHARACTERS;
}

/**
 * Prepares the requests of a mix, each sent once; exchanges go into the record, their ids beginning with
 * `p`, so that those of the load are others.
 */
export async function prepareLoad(input: PreparationInput): Promise<Prepared> {
  const answers: Exchange[] = [];
  const { outgoing, connecting, contract, clock, recorder, signal, scenario, seed } = input;
  const { requestsEach, maxRequests, maxSeconds, maxRejects } = PREPARATION;
  const { maxRate } = outgoing.config;
  const governor = createGovernor({
    budget: {
      ...{ maxRequests, maxSeconds, maxRejects },
      ...(maxRate === undefined ? {} : { maxRate }),
    },
    ...{ clock, waitIn: contract.errors.waitIn, signal },
  });
  const transport = createUndiciTransport(connecting);
  const client = createClient({
    isThrottled: contract.errors.isThrottled,
    ...outgoing,
    ...{ transport, governor, clock },
    recorder: {
      record: (exchange) => {
        recorder.record({ ...exchange, id: exchange.id.replace(/^x/, 'p') });
        if (isUsual(exchange) && answers.push(exchange) > MAX_ANSWERS) answers.shift();
      },
    },
  });
  const session = createSession({
    service: DRIVEN,
    ...{ client, contract, apis: input.apis, known: input.known },
    random: createRandom(seed),
    keyedCredential: input.keyedCredential,
    depth: {
      chainsAsked: 6,
      lifeCycles: 0,
      contractDepth: { requestsPerOperation: 0, mostRequests: 0 },
    },
    clock: governor,
    progress: input.say,
  });
  try {
    return { ...(await prepareMix(session, { seed, mix: scenario.mix, requestsEach })), answers };
  } finally {
    await transport.close();
  }
}
