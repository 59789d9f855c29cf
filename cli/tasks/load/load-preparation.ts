import type { Contract } from '../../../contracts/document/schema.ts';
import type { ApiName, Exchange } from '../../../contracts/wire/exchange.ts';
import { given } from '../../../contracts/wire/json.ts';
import type { Clock } from '../../../fixtures/target/budget/clock.ts';
import { createGovernor, type GovernorOptions } from '../../../fixtures/target/budget/governor.ts';
import type { Recorder } from '../../../fixtures/target/record/recorder.ts';
import {
  type Client,
  type ClientOptions,
  createClient,
} from '../../../fixtures/target/transport/client.ts';
import type { OutgoingOptions } from '../../../fixtures/target/transport/outgoing.ts';
import {
  createUndiciTransport,
  type UndiciTransportOptions,
} from '../../../fixtures/target/transport/undici-transport.ts';
import type { Scenario } from '../../../load/scenarios/scenario.ts';
import { createRandom } from '../../../suites/drive/random.ts';
import { createSession, type SessionOptions } from '../../../suites/drive/session.ts';
import { type PreparedMix, prepareMix } from '../../../suites/service/load-mix/prepare-mix.ts';
import { DRIVEN } from '../../../suites/service/driving.ts';

/** What preparing a mix takes. */
export interface PreparationInput extends Pick<SessionOptions, 'known' | 'keyedCredential'> {
  readonly outgoing: OutgoingOptions & { readonly config: { readonly maxRate?: number } };
  readonly connecting: Pick<UndiciTransportOptions, 'ca' | 'proxies'>;
  readonly contract: Contract;
  readonly clock: Clock;
  readonly recorder: Pick<Recorder, 'record'>;
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

/** A client for what is sent apart from the schedule, what holds it to a budget, and what closes its connections. */
export function openClient(
  input: Pick<PreparationInput, 'outgoing' | 'connecting' | 'contract' | 'clock' | 'signal'>,
  budget: GovernorOptions['budget'],
  rest: Pick<ClientOptions, 'attempts' | 'recorder'>,
): Pick<ClientOptions, 'governor'> & {
  readonly client: Client;
  readonly close: () => Promise<void>;
} {
  const { outgoing, connecting, clock, signal } = input;
  const { isThrottled, waitIn } = input.contract.errors;
  const governor = createGovernor({ budget, clock, waitIn, signal });
  const transport = createUndiciTransport(connecting);
  const client = createClient({ isThrottled, ...outgoing, transport, governor, clock, ...rest });
  return { client, governor, close: () => transport.close() };
}

/**
 * Prepares the requests of a mix, each sent once; exchanges go into the record, their ids beginning with
 * `p`, so that those of the load are others.
 */
export async function prepareLoad(input: PreparationInput): Promise<Prepared> {
  const answers: Exchange[] = [];
  const { contract, recorder, scenario, seed, apis, known, keyedCredential } = input;
  const { requestsEach, ...budget } = PREPARATION;
  const { maxRate } = input.outgoing.config;
  const { client, governor, close } = openClient(
    input,
    { ...budget, ...given({ maxRate }) },
    {
      recorder: {
        record: (exchange) => {
          recorder.record({ ...exchange, id: exchange.id.replace(/^x/, 'p') });
          if (isUsual(exchange) && answers.push(exchange) > MAX_ANSWERS) answers.shift();
        },
      },
    },
  );
  const session = createSession({
    service: DRIVEN,
    ...{ client, contract, apis, known, keyedCredential },
    random: createRandom(seed),
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
    await close();
  }
}
