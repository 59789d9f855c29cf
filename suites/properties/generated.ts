import * as fc from 'fast-check';
import { isObject, listOf } from '../../contracts/json.ts';
import { ZAP_TRIALS } from '../../contracts/rules/2-1-zap-relations.ts';
import { TRADE_TRIALS } from '../../contracts/rules/2-3-trade-relations.ts';
import type { ViewTrial } from '../../contracts/rules/trial.ts';
import { viewTrialOf } from '../../contracts/rules/trial.ts';
import type { GeneratedRequest, RequestGenerator } from '../../fixtures/arbitraries/request.ts';
import { stillMeant } from '../../fixtures/arbitraries/still-meant.ts';
import { UnsendableRequest } from '../../fixtures/target/transport.ts';
import { createRandom } from '../drive/random.ts';
import type { Session } from '../drive/session.ts';
import { tradeChanges } from '../drive/trade-relations.ts';
import type { Other, TriedRequest } from '../drive/trials.ts';
import { Trials } from '../drive/trials.ts';
import { zapChanges } from '../drive/zap-relations.ts';
import { triedOf } from './as-generated.ts';
import { bodyTextOf, objectIn } from './fields.ts';

/** What decides which generated cases are sent. */
export interface GeneratedPlan {
  readonly seed: number;
  /** Cases of each generator. */
  readonly casesEach: number;
  /** Whether another case may be begun. */
  readonly mayGoOn: () => boolean;
  /** Told of each case before it is sent, by its name: generator and number, e.g. `zap.quote:17`. */
  readonly mark: (name: string | undefined) => void;
  /** The one case to send; absent for all. */
  readonly only?: string;
  /** Operations whose rules lack evidence; their generators come first. */
  readonly wanted: () => ReadonlySet<string>;
}

/** What came of generating. */
export interface GeneratedReport {
  readonly cases: number;
  /** Cases that were not sent, since their bytes were not what they were meant to be. */
  readonly discarded: number;
  /** Cases that HTTP does not allow to be sent. */
  readonly unsendable: number;
}

/** Of the valid requests that others can be held against, one in so many is. */
const RELATED_EVERY = 2;

/** Rounds after which it is looked again which rules lack evidence. */
const REORDERED_EVERY = 10;

/** Sends generated requests to every operation in turn, those first whose rules lack evidence. */
export async function driveGenerated(
  session: Session,
  generators: readonly RequestGenerator[],
  plan: GeneratedPlan,
): Promise<GeneratedReport> {
  const { contract, apis } = session;
  const trials: Related = {
    zap: new Trials(session, ZAP_TRIALS.map(viewTrialOf)),
    trade: new Trials(session, TRADE_TRIALS as readonly ViewTrial[]),
  };
  const sources = generators
    .filter(({ plain }) => apis.has(plain.api))
    .map((generator) => ({ generator, cases: casesOf(generator, plan.seed, plan.casesEach) }));
  let [cases, discarded, unsendable] = [0, 0, 0];
  let ordered = sources;
  for (let number = 0; number < plan.casesEach; number += 1) {
    if (number % REORDERED_EVERY === 0) ordered = wantedFirst(session, sources, plan.wanted());
    for (const { generator, cases: of } of ordered) {
      const request = of[number];
      const name = `${generator.name}:${number}`;
      if (request === undefined || (plan.only !== undefined && plan.only !== name)) continue;
      if (!plan.mayGoOn()) return { cases, discarded, unsendable };
      if (!stillMeant(contract, request)) {
        discarded += 1;
        continue;
      }
      cases += 1;
      plan.mark(name);
      try {
        await sendCase(session, trials, request, { name, number, seed: plan.seed });
      } catch (error) {
        if (!(error instanceof UnsendableRequest)) throw error;
        unsendable += 1;
      }
    }
  }
  return { cases, discarded, unsendable };
}

interface Related {
  readonly zap: Trials;
  readonly trade: Trials;
}

/** The cases of a generator: its boundaries and others by the seed in turn, then more of the others. */
function casesOf(generator: RequestGenerator, seed: number, count: number): GeneratedRequest[] {
  const { boundaries = [], arbitrary, name } = generator;
  const numRuns = count - Math.min(boundaries.length, Math.floor(count / 2));
  const others = fc.sample(arbitrary, { seed: hashOf(name) ^ seed, numRuns });
  // Each seed begins with other boundaries.
  const first = Math.abs(hashOf(name) ^ seed);
  const mixed: GeneratedRequest[] = [];
  for (const [index, other] of others.entries()) {
    const boundary = boundaries[(first + index) % boundaries.length];
    if (index < boundaries.length && boundary !== undefined) mixed.push(boundary);
    mixed.push(other);
    if (mixed.length >= count) break;
  }
  return mixed.slice(0, count);
}

function wantedFirst<T extends { readonly generator: RequestGenerator }>(
  { contract }: Session,
  sources: readonly T[],
  wanted: ReadonlySet<string>,
): T[] {
  const isWanted = ({ generator: { plain } }: T): boolean =>
    wanted.has(contract.find(plain.api, plain.method, plain.path)?.id ?? '');
  return [...sources.filter(isWanted), ...sources.filter((source) => !isWanted(source))];
}

async function sendCase(
  session: Session,
  trials: Related,
  request: GeneratedRequest,
  { name, number, seed }: { name: string; number: number; seed: number },
): Promise<void> {
  const tried = triedOf(session, request);
  // Choices of its own, so that a case is the same whatever was sent before it.
  const own = { ...session, random: createRandom(hashOf(name) ^ seed) };
  const related = number % RELATED_EVERY === 1 ? changesOf(own, tried, number) : undefined;
  if (related === undefined) {
    await session.client.send(tried);
    return;
  }
  const { first, others, by } = related;
  const relations = others.map(({ relation }) => relation);
  await trials[by].run(first, relations, () => others);
}

/** The changes to hold against a valid request, if it is of a kind that has any: two of them. */
function changesOf(
  session: Session,
  request: TriedRequest,
  number: number,
): { first: TriedRequest; others: readonly Other[]; by: keyof Related } | undefined {
  const body = objectIn(bodyTextOf(request));
  if (body === undefined || request.purpose.kind !== 'valid') return undefined;
  const { api, path } = request;
  if (api === 'zap' && path === '/v1/quote' && typeof body.amount === 'string') {
    const { first, others } = zapChanges(session, body, number);
    const build = { relation: 'quote-build', request: { ...request, path: '/v1/buildTx' } };
    return number % 3 === 0
      ? { first: request, others: [build], by: 'zap' }
      : { first, others: session.random.sample(others, 2), by: 'zap' };
  }
  const [entry, ...more] = listOf(body.data);
  if (api === 'trade' && path === '/v1/buildTx' && more.length === 0 && isObject(entry)) {
    const { first, others } = tradeChanges(session, { body, entry }, [], number);
    return { first, others: session.random.sample(others, 2), by: 'trade' };
  }
  return undefined;
}

/** A 32-bit number that depends on every character (FNV-1a). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
}
