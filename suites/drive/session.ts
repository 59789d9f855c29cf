import type { Contract } from '../../contracts/schema.ts';
import type { ApiName, Exchange } from '../../contracts/wire/exchange.ts';
import type { Client, ClientRequest } from '../../fixtures/target/client.ts';
import type { Random } from './random.ts';
import { LearnedWorld } from './world.ts';

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
  /** How many sandwiches were sent; numbers their groups. */
  sandwiches: number;
  /** Told when a stage begins or ends. */
  readonly progress: (line: string) => void;
}

/** The parsed JSON body of a 2xx answer, or undefined. */
export function successJson(exchange: Exchange): unknown {
  const { outcome } = exchange;
  if (outcome.kind !== 'response') return undefined;
  const { status, body } = outcome.response;
  if (status < 200 || status > 299) return undefined;
  try {
    return JSON.parse(body.text) as unknown;
  } catch {
    return undefined;
  }
}

/** Sends a request that the document obliges the service to take. */
export async function sendValid(
  session: Session,
  request: Omit<ClientRequest, 'purpose'>,
): Promise<unknown> {
  return successJson(await session.client.send({ ...request, purpose: { kind: 'valid' } }));
}

/** A session over a client; nothing is learned yet. */
export function createSession(options: Omit<Session, 'world' | 'sandwiches'>): Session {
  return { ...options, world: new LearnedWorld(), sandwiches: 0 };
}
