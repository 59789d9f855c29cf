import type { Profile } from '../../contracts/judging/profile.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { ApiName, Exchange } from '../../contracts/wire/exchange.ts';
import type { Client, ClientRequest } from '../../fixtures/target/transport/client.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import type { Governor } from '../../fixtures/target/budget/governor.ts';
import { QuotesForm } from '../service/drive/quotes-form.ts';
import type { Random } from './random.ts';
import { LearnedWorld } from '../service/drive/world.ts';

/** What the hints of a configuration tell of a target that does not list it itself. */
export interface KnownChain {
  readonly id: number;
  readonly tokens: readonly string[];
  readonly providers: readonly string[];
}

/** One drive through a target: what sends, what chooses, and what has been learned. */
export interface Session {
  readonly client: Client;
  readonly contract: Contract;
  readonly random: Random;
  readonly world: LearnedWorld;
  readonly apis: ReadonlySet<ApiName>;
  readonly known: readonly KnownChain[];
  /** What trade requests authenticate with: the key where the environment holds one. */
  readonly tradeCredential: 'trade-key' | 'none';
  /** How far chains, life cycles, and operations beyond the document, are driven. */
  readonly depth: Pick<Profile, 'chainsAsked' | 'lifeCycles' | 'contractDepth'>;
  /**
   * How time passes where something is waited for; nothing is when absent. The governor's, so that no
   * wait goes on beyond the run.
   */
  readonly clock?: Pick<Governor, 'sleep'>;
  /** How often a request may still be sent again because of an outage. */
  repetitionsLeft: number;
  /** Trials begun so far, whoever holds them: each is a group of its own. */
  trials: number;
  /** In which form trade quotes are asked for. */
  readonly quotesForm: QuotesForm;
  /** Told when a stage begins or ends. */
  readonly progress: (line: string) => void;
}

/** The parsed JSON body of a 2xx answer, or undefined. */
export function successJson(exchange: Exchange): unknown {
  const { outcome } = exchange;
  if (outcome.kind !== 'response') return undefined;
  const { status, body } = outcome.response;
  if (status < 200 || status > 299) return undefined;
  return jsonOrUndefined(body.text);
}

/** Statuses that say that the service is not to be had just now (RFC 9110 section 15.6). */
const OUTAGES: readonly number[] = [502, 503, 504];
const MOST_ATTEMPTS = 3;

/**
 * Sends a request that the document obliges the service to take. During an outage it is sent again,
 * each attempt an exchange of its own, as long as the session has such repetitions left.
 */
export async function sendValid(
  session: Session,
  request: Omit<ClientRequest, 'purpose'>,
): Promise<unknown> {
  let exchange = await session.client.send({ ...request, purpose: { kind: 'valid' } });
  for (let attempts = 1; attempts < MOST_ATTEMPTS && isOutage(exchange); attempts += 1) {
    if (session.repetitionsLeft <= 0) break;
    session.repetitionsLeft -= 1;
    exchange = await session.client.send({ ...request, purpose: { kind: 'valid' } });
  }
  return successJson(exchange);
}

function isOutage({ outcome }: Exchange): boolean {
  return outcome.kind === 'response' && OUTAGES.includes(outcome.response.status);
}

/** A service that stays away is not asked more often than this in vain. */
const MOST_REPETITIONS = 20;

/** A session over a client; nothing is learned yet. */
export function createSession(
  options: Omit<Session, 'world' | 'repetitionsLeft' | 'trials' | 'quotesForm'>,
): Session {
  const world = new LearnedWorld();
  const quotesForm = new QuotesForm();
  return { ...options, world, quotesForm, repetitionsLeft: MOST_REPETITIONS, trials: 0 };
}

/** The same session but for these members; what is counted in one counts in the other. */
export function sessionWith(
  session: Session,
  changes: Partial<Pick<Session, 'client' | 'random' | 'world'>>,
): Session {
  return {
    ...session,
    ...changes,
    get trials() {
      return session.trials;
    },
    set trials(count) {
      session.trials = count;
    },
    get repetitionsLeft() {
      return session.repetitionsLeft;
    },
    set repetitionsLeft(count) {
      session.repetitionsLeft = count;
    },
  };
}
