import type { Contract } from '../../../contracts/document/schema.ts';
import type { ApiName, Exchange } from '../../../contracts/wire/exchange.ts';
import { given } from '../../../contracts/wire/json.ts';
import type { Clock } from '../../../target/budget/clock.ts';
import { createGovernor, type GovernorOptions } from '../../../target/budget/governor.ts';
import { afterLargeBody } from '../../../target/body/large-bodies.ts';
import type { Recorder } from '../../../target/record/recorder.ts';
import { type Client, type ClientOptions, createClient } from '../../../target/transport/client.ts';
import type { OutgoingOptions } from '../../../target/transport/outgoing.ts';
import {
  createUndiciTransport,
  type UndiciTransportOptions,
} from '../../../target/transport/undici-transport.ts';
import { plural } from '../../../reports/text.ts';
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

/** Characters of bodies after which no further requests of an operation are prepared. */
const MAX_PREPARED_CHARACTERS = 33_554_432;
/** Characters of large bodies of which the record keeps no more: judging them takes as long as the load may. */
const MAX_KEPT_CHARACTERS = 16_777_216;

const MAX_ANSWERS = 100;
const MAX_CHARACTERS = 65_536;

function charactersOf({ outcome }: Exchange): number {
  return outcome.kind === 'response' ? outcome.response.body.text.length : 0;
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
 * `p`, so that those of the load are others. Of large answers not all are kept, which a notice says.
 */
export async function prepareLoad(input: PreparationInput): Promise<Prepared> {
  const answers: Exchange[] = [];
  let [characters, keptCharacters, leftOut] = [0, 0, 0];
  const { contract, recorder, scenario, seed, apis, known, keyedCredential } = input;
  const { requestsEach, ...budget } = PREPARATION;
  const { maxRate } = input.outgoing.config;
  const { client, governor, close } = openClient(
    input,
    { ...budget, ...given({ maxRate }) },
    {
      recorder: {
        record: (exchange) => {
          const length = charactersOf(exchange);
          characters += length;
          const isUsual = length <= MAX_CHARACTERS;
          if (isUsual || keptCharacters < MAX_KEPT_CHARACTERS) {
            if (!isUsual) keptCharacters += length;
            recorder.record({ ...exchange, id: exchange.id.replace(/^x/, 'p') });
          } else leftOut += 1;
          afterLargeBody(exchange);
          const isAnswer = exchange.outcome.kind === 'response';
          if (isAnswer && isUsual && answers.push(exchange) > MAX_ANSWERS) answers.shift();
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
    const isEnough = (): boolean => characters > MAX_PREPARED_CHARACTERS;
    const plan = { seed, mix: scenario.mix, requestsEach, isEnough };
    const { notices, ...prepared } = await prepareMix(session, plan);
    const large = `${plural(leftOut, 'large answer')} of the preparation ${leftOut === 1 ? 'was' : 'were'} not kept in the record.`;
    return { ...prepared, notices: leftOut === 0 ? notices : [...notices, large], answers };
  } finally {
    await close();
  }
}
