import { isStrayPage } from '../../../contracts/judging/replies/reply.ts';
import { View } from '../../../contracts/judging/view.ts';
import { generatorsOf } from '../../../fixtures/service/generators/index.ts';
import { ApiUnreachable, BudgetExceeded } from '../../../target/budget/governor.ts';
import { UnsendableRequest } from '../../../target/transport/transport.ts';
import type { PreparedRequest } from '../../../load/engine.ts';
import { driveListings } from '../drive/listings.ts';
import type { Session } from '../session/session.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import { candidatesOf } from './candidates.ts';

/** What a mix is prepared from. */
export interface MixPlan {
  readonly seed: number;
  /** Weights by operation; the weights themselves do not matter here. */
  readonly mix: Readonly<Record<string, number>>;
  /** Different requests of each operation. */
  readonly requestsEach: number;
  /** Whether one request of each operation has to do, as what was answered is large. */
  readonly isEnough?: () => boolean;
}

/** The requests of a mix, or why there are fewer than were wanted. */
export interface PreparedMix {
  readonly requests: readonly PreparedRequest[];
  /** Operations of which each request was refused, or not answered. */
  readonly unserved: readonly string[];
  /** Sentences about operations that nothing could be prepared for. */
  readonly notices: readonly string[];
}

/** Candidates that are sent for one that is wanted: a service may have its reasons to refuse some. */
const TRIED_FOR_ONE = 3;
/** Requests of an operation that may stay unanswered, each of which takes the whole time of a request. */
const MAX_UNANSWERED = 3;

/**
 * Prepares what a load run sends. Learns what the target lists of itself, makes requests that the
 * document obliges it to take, and sends each once. Only those that were served go into the mix, so that
 * an error under load is one that load brought. The same seed and the same world make the same mix.
 *
 * @throws Interrupted when the run is interrupted
 */
export async function prepareMix(session: Session, plan: MixPlan): Promise<PreparedMix> {
  const notices: string[] = [];
  const unserved: string[] = [];
  const reported = (error: unknown): void => {
    const notice = noticeOf(error);
    if (notice === undefined) throw error;
    if (!notices.includes(notice)) notices.push(notice);
  };
  session.progress('chains, providers and pools');
  if (session.apis.has('zap')) await driveListings(session).catch(reported);
  session.progress('requests of the mix, each once');
  const prepared = await allEnded(
    Object.keys(plan.mix).map(async (operation): Promise<PreparedRequest[]> => {
      const api = session.contract.operation(operation)?.api;
      if (api === undefined || !session.apis.has(api)) {
        notices.push(`${operation} was left out of the mix: its API has no URL.`);
        return [];
      }
      const { served, tried } = await rehearsed(session, operation, plan, reported);
      if (served.length === 0) {
        if (tried > 0) unserved.push(operation);
        const notServed =
          tried === 1
            ? 'the one request tried for it was not served'
            : `none of ${tried} requests tried for it was served`;
        const why = tried > 0 ? notServed : 'no request to it could be made';
        notices.push(`${operation} was left out of the mix: ${why}.`);
      }
      return served.map((request) => ({ operation, request }));
    }),
  );
  return { requests: prepared.flat(), unserved, notices };
}

/** Of the client that rehearses, which is none of those that send the load. */
const NO_MORE_PREPARED =
  'the client that prepares the load sends it no more requests, and the load those that were served';

/** What ended the preparation, but not the load; undefined of other errors. */
function noticeOf(error: unknown): string | undefined {
  if (error instanceof ApiUnreachable) return error.saying(NO_MORE_PREPARED);
  if (!(error instanceof BudgetExceeded)) return undefined;
  // Of a preparation no option changes the others.
  return error.which === 'record bytes'
    ? error.message
    : `Of preparing the mix ${error.spent}, and no option allows it more: no more requests are prepared.`;
}

/** All of them, once each has ended: whoever closes the client then cuts nothing off. */
async function allEnded<T>(all: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}

interface Rehearsed {
  readonly served: TriedRequest[];
  tried: number;
}

/** Sends the candidates of an operation until enough of them were served, or what is reported ends that. */
async function rehearsed(
  session: Session,
  operation: string,
  { seed, requestsEach, isEnough = () => false }: MixPlan,
  report: (error: unknown) => void,
): Promise<Readonly<Rehearsed>> {
  const { world } = session;
  const all: Rehearsed = { served: [], tried: 0 };
  const tryOut = async (): Promise<void> => {
    const generators = generatorsOf(world, session.contract);
    const most = all.tried + TRIED_FOR_ONE * requestsEach;
    let unanswered = 0;
    for (const request of candidatesOf(session, generators, operation, seed)) {
      if (all.served.length >= requestsEach || all.tried >= most) return;
      if (all.served.length > 0 && isEnough()) return;
      all.tried += 1;
      const fate = await fateOf(session, request);
      if (fate === 'served') all.served.push(request);
      if (fate === 'unanswered') unanswered += 1;
      if (unanswered >= MAX_UNANSWERED) return;
    }
  };
  try {
    await tryOut();
    if (all.served.length > 0 || !operation.startsWith('trade.') || world.simulationFails)
      return all;
    // Senders that are made up hold nothing, so that a simulation may rightly fail (section 2.3).
    world.simulationFails = true;
    await tryOut();
  } catch (error) {
    report(error);
  }
  return all;
}

type Fate = 'served' | 'refused' | 'unanswered';

async function fateOf(session: Session, request: TriedRequest): Promise<Fate> {
  try {
    const exchange = await session.client.send(request);
    if (exchange.outcome.kind === 'failure') return 'unanswered';
    const view = new View(exchange, session.contract);
    return view.succeeded && !isStrayPage(view) ? 'served' : 'refused';
  } catch (error) {
    if (error instanceof UnsendableRequest) return 'refused';
    throw error;
  }
}
