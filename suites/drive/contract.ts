import type { ContractDepth } from '../../contracts/judging/profile.ts';
import { placesBelow, type PlacesBelow } from '../../contracts/document/paths/places-below.ts';
import type { ContractOperation } from '../../contracts/document/schema.ts';
import { PLACE_PROBE, UNKNOWN_THING } from '../../contracts/judging/contract-probe.ts';
import type { ApiName, Exchange } from '../../contracts/wire/exchange.ts';
import type { GeneratedRequest } from '../../fixtures/arbitraries/request.ts';
import { type Known, operationRequests } from '../../fixtures/arbitraries/schema/operation.ts';
import { requestProblem } from '../../target/transport/sendable.ts';
import { UnsendableRequest } from '../../target/transport/transport.ts';
import { triedOf } from './as-generated.ts';
import type { KnownValues } from './known-values.ts';
import { knownValues } from './known-values.ts';
import { othersOf } from './other-requests.ts';
import type { Session } from '../driven-service.ts';
import { successText } from './session.ts';

/** What a contract has of an API beyond the document. */
export function operationsBeyond(
  { contract, service }: Session,
  api: ApiName,
): ContractOperation[] {
  return service.rules.operationsBeyond(contract).filter((operation) => operation.api === api);
}

/** The drive of what a contract has of an API beyond the document, in two parts that are asked in turn. */
export interface ContractDrive {
  /** Asks all but what deletes. @returns sentences on what could not be asked */
  readonly ask: () => Promise<string[]>;
  /** Asks what deletes, likewise; undefined if nothing does. */
  readonly askDeletes: (() => Promise<string[]>) | undefined;
}

/**
 * Asks the operations that a contract has beyond the document: each with its plain request, then with
 * those at the edges of what its schemas allow, then with others by the seed, in turn. Each is asked once,
 * however many there are; only what comes after that has a bound besides the budget of the run.
 *
 * All methods are driven, those that change something too: such operations only come from a contract
 * that the user named (`--contract`, `--ai-contract`) for this target. What creates comes before what
 * needs ids, so that those that are reported can be used; what deletes comes last. Nothing is obliged but
 * what the contract says of answers, so the requests are probes.
 */
export function driveContract(
  session: Session,
  api: ApiName,
  depth: ContractDepth = session.depth.contractDepth,
): ContractDrive {
  const { service, world } = session;
  const known = knownValues((name) => service.valuesOf?.(world, name) ?? []);
  const operations = operationsBeyond(session, api).toSorted((a, b) => rankOf(a) - rankOf(b));
  const deletes = operations.filter(({ method }) => method === 'DELETE');
  let left = depth.mostRequests;
  /** What stood before the path of an operation that was there. */
  let likely: string | undefined;
  /** Operations that were served. */
  const served = new Set<string>();
  /** All but the first, for which others are asked, so that they can be sent again. */
  const spareValues: Known = (name, collection) => {
    const [first, ...others] = new Set(known.valuesOf(name, collection));
    return others.length === 0 && first !== undefined ? [first] : others;
  };

  async function askAll(some: readonly ContractOperation[], valuesOf: Known): Promise<string[]> {
    const notices: string[] = [];
    const asked: { readonly name: string; readonly requests: readonly GeneratedRequest[] }[] = [];
    for (const operation of some) {
      const places = placesBelow(operation.servers, session.baseUrls?.[api]);
      if (places.prefixes.length === 0) {
        notices.push(
          `${nameOf(operation)} was not asked: the contract states another server for it.`,
        );
        continue;
      }
      const options = { boundariesSent: depth.requestsPerOperation - 1 };
      const requests = operationRequests(operation, valuesOf, options);
      if (requests.kind === 'unsupported') {
        notices.push(`${nameOf(operation)} was not asked: it ${requests.reason}.`);
        continue;
      }
      for (const reason of requests.leftOut) {
        notices.push(`A parameter of ${nameOf(operation)} was left out: ${reason}.`);
      }
      const { plain } = requests.generator;
      const place = await askFirst(session, known, operation, { plain, places, likely });
      const { answer } = place;
      if (isServed(answer)) served.add(operation.id);
      if (typeof answer === 'string') {
        notices.push(`${nameOf(operation)} was not asked: ${answer}.`);
        continue;
      }
      if (places.isCertain && place.isKnown) likely = place.prefix;
      if (!isThere(operation, answer)) {
        // Once more, since an operation may be missing for a moment while a service is put in place.
        if (isAbsent(answer) && places.prefixes.length === 1) {
          await ask(session, known, operation, requestAt(place, plain));
        }
        continue;
      }
      const others = othersOf(session.random, requests.generator, depth);
      asked.push({
        name: operation.id,
        requests: others.map((request) => requestAt(place, request)),
      });
    }
    for (let index = 0; index < depth.requestsPerOperation - 1; index += 1) {
      for (const { name, requests } of asked) {
        const request = requests[index];
        const operation = session.contract.operation(name);
        if (request === undefined || operation === undefined || left <= 0) continue;
        left -= 1;
        const answer = await ask(session, known, operation, request);
        if (isServed(answer)) served.add(operation.id);
        if (typeof answer === 'string') {
          notices.push(`A request of ${nameOf(operation)} was left out: ${answer}.`);
        }
      }
    }
    return notices;
  }

  async function askDeletes(): Promise<string[]> {
    const notices = await askAll(deletes, spareValues);
    // Of several ids that belong together the first may be the only ones that do.
    const unserved = deletes.filter(({ id }) => !served.has(id));
    return [...new Set([...notices, ...(await askAll(unserved, known.valuesOf))])];
  }

  return {
    ask: () =>
      askAll(
        operations.filter((operation) => !deletes.includes(operation)),
        known.valuesOf,
      ),
    askDeletes: deletes.length === 0 ? undefined : askDeletes,
  };
}

/** What is asked first of an operation, and where. */
interface FirstRequest {
  readonly plain: GeneratedRequest;
  readonly places: PlacesBelow;
  /** What stood before the path of another. */
  readonly likely: string | undefined;
}

/** Where an operation is asked. */
interface AskedPlace {
  /** What stands before its path. */
  readonly prefix: string;
  /** Whether something that is certainly of the contract has answered there. */
  readonly isKnown: boolean;
}

/** Asks an operation by its plain request, at one of its places after the other until it is there. */
async function askFirst(
  session: Session,
  known: KnownValues,
  operation: ContractOperation,
  { plain, places: { prefixes, isCertain }, likely }: FirstRequest,
): Promise<AskedPlace & { readonly answer: Exchange | string }> {
  const inTurn = prefixes.toSorted((a, b) => Number(b === likely) - Number(a === likely));
  const places = inTurn.map((prefix) => ({
    prefix,
    isKnown: isCertain && (prefixes.length === 1 || prefix === likely),
  }));
  let first: Awaited<ReturnType<typeof askFirst>> | undefined;
  for (const place of places) {
    const answer = await ask(session, known, operation, requestAt(place, plain));
    first ??= { ...place, answer };
    if (typeof answer === 'string') return { ...place, answer };
    if (answer.outcome.kind === 'response' && !isAbsent(answer)) {
      const isKnown = place.isKnown || !NOT_ALLOWED.includes(answer.outcome.response.status);
      return { ...place, isKnown, answer };
    }
  }
  return first ?? { prefix: '', isKnown: false, answer: 'it has no place' };
}

function requestAt({ prefix, isKnown }: AskedPlace, request: GeneratedRequest): GeneratedRequest {
  const isOfUnknownThing =
    request.purpose.kind === 'probe' && request.purpose.about.endsWith(UNKNOWN_THING);
  const about = isOfUnknownThing ? `${PLACE_PROBE}${UNKNOWN_THING}` : PLACE_PROBE;
  const purpose = isKnown ? request.purpose : ({ kind: 'probe', about } as const);
  return { ...request, path: prefix + request.path, purpose };
}

/** @returns the exchange, or why the request cannot be sent, as a clause */
async function ask(
  session: Session,
  known: KnownValues,
  { pathTemplate }: ContractOperation,
  request: GeneratedRequest,
): Promise<Exchange | string> {
  const problem = requestProblem(request);
  if (problem !== undefined) return problem;
  let answer: Exchange;
  try {
    answer = await session.client.send(triedOf(session, request));
  } catch (error) {
    if (error instanceof UnsendableRequest) return error.message;
    throw error;
  }
  known.note(pathTemplate, successText(answer));
  return answer;
}

function isServed(answer: Exchange | string): boolean {
  if (typeof answer === 'string' || answer.outcome.kind === 'failure') return false;
  const { status } = answer.outcome.response;
  return status >= 200 && status < 300;
}

/** Statuses after which further requests would be answered alike, unless an id was to blame. */
const NOT_THERE: readonly number[] = [404, 405, 501];
const NOT_ALLOWED: readonly number[] = [401, 403];

function isAbsent({ outcome }: Exchange): boolean {
  return outcome.kind === 'response' && NOT_THERE.includes(outcome.response.status);
}

/** Whether it is worth asking an operation further. */
function isThere({ pathTemplate }: ContractOperation, { outcome }: Exchange): boolean {
  if (outcome.kind === 'failure') return true;
  const { status } = outcome.response;
  if (NOT_ALLOWED.includes(status)) return false;
  return !NOT_THERE.includes(status) || pathTemplate.includes('{');
}

/** The turn of an operation: what reads or makes ids before what needs them. */
function rankOf({ method, pathTemplate }: ContractOperation): number {
  const ids = pathTemplate.split('{').length - 1;
  const changes = ['GET', 'HEAD', 'OPTIONS'].includes(method) ? 0 : method === 'POST' ? 1 : 2;
  return ids * 3 + changes;
}

function nameOf({ id, method, pathTemplate }: ContractOperation): string {
  return `${id} (${method} ${pathTemplate})`;
}
