/** What a configuration brings to drive by: a service of its own, relations, and generators. */

import { plainService } from '../../contracts/plain-service.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { OwnCode } from './load-own-code.ts';
import type { ReadRelation } from '../../target/config/own-relations.ts';
import type { RequestGenerator } from '../../fixtures/arbitraries/request.ts';
import { stillMeant } from '../../fixtures/arbitraries/still-meant.ts';
import { triedOf } from '../drive/as-generated.ts';
import { contractStages } from '../drive/contract-stages.ts';
import { changesBy, type MetamorphicRelation, type Other, relation } from '../drive/relation.ts';
import { bodyTextOf, type TriedRequest } from '../drive/tried-request.ts';
import { RelationChecker } from '../drive/relation-checker.ts';
import type { DrivenService, RelatedRequests, Session, Stage } from '../driven-service.ts';

type OwnMetamorphicRelation = MetamorphicRelation<TriedRequest>;

/** This many changes of one request are tried. */
const CHANGES = 2;
/**
 * At most this many requests of each generator are sent by the drive, before others are made by chance.
 */
const MAX_SENT_EACH = 50;

/**
 * A service of which nothing is known but its APIs. All operations of the contracts that its user names
 * are asked, and what is generated more comes from the configuration.
 */
export function drivenByContract(apis: readonly ApiName[]): DrivenService {
  return {
    ...plainService(apis),
    createWorld: () => undefined,
    renewWorld: () => undefined,
    usualRequests: 200,
    stagesOf: (session, unasked) => contractStages(session, apis, unasked),
    generatorsOf: () => [],
    relations: [],
  };
}

/** A service with the relations and the generators of a configuration beside its own. */
export function withOwnCode(
  service: DrivenService,
  { relations, generators }: Pick<OwnCode, 'relations' | 'generators'>,
): DrivenService {
  if (relations.length === 0 && generators.length === 0) return service;
  const own = relations.map(relationOf);
  return {
    ...service,
    stagesOf: (session, unasked) =>
      withStages(service.stagesOf(session, unasked), session, own, generators),
    generatorsOf: (world, contract) => [...service.generatorsOf(world, contract), ...generators],
    relations: [...service.relations, ...own],
    relatedTo: (session, request, number) => {
      const others = othersOf(session, request, own);
      const related = service.relatedTo?.(session, request, number);
      // Where both have something to hold against it they take turns.
      const isOwnTurn = related === undefined || Math.floor(number / 2) % 2 === 0;
      return others.length > 0 && isOwnTurn ? { first: request, others } : related;
    },
  };
}

/** The stages of generators come before those that only add to what verdicts rest on. */
function withStages(
  stages: readonly Stage[],
  session: Session,
  own: readonly OwnMetamorphicRelation[],
  generators: readonly RequestGenerator[],
): Stage[] {
  const checker = new RelationChecker(session);
  const added = generators.map((generator): Stage => ({
    name: `requests of the generator ${generator.name}`,
    api: generator.plain.api,
    run: () => sendUsual(session, checker, own, generator),
  }));
  const first = stages.findIndex(({ isAdditional }) => isAdditional === true);
  const at = first < 0 ? stages.length : first;
  return [...stages.slice(0, at), ...added, ...stages.slice(at)];
}

/** The usual request and each other choice alone, compared with what relations make of them. */
async function sendUsual(
  session: Session,
  checker: RelationChecker,
  own: readonly OwnMetamorphicRelation[],
  { plain, boundaries = [] }: RequestGenerator,
): Promise<void> {
  for (const request of [plain, ...boundaries.slice(0, MAX_SENT_EACH - 1)]) {
    // What is no longer valid by the contract is counted if more are generated.
    if (!stillMeant(session.contract, request)) continue;
    const tried = triedOf(session, request);
    const others = changesBy(fittingOf(session, tried, own), tried);
    if (others.length === 0) await session.client.send(tried);
    else await checker.run(tried, others);
  }
}

function relationOf({ row, change }: ReadRelation): OwnMetamorphicRelation {
  return relation({
    rules: [row],
    change: (request: TriedRequest) => {
      const { method, path } = request;
      const json = jsonOrUndefined(bodyTextOf(request) ?? '');
      const changed = change({ method, path, ...(json === undefined ? {} : { body: json }) });
      if (changed === undefined) return undefined;
      const { api, purpose, credential } = request;
      const { headers, body } = changed;
      const typed =
        body === undefined ? headers : [...headers, ['Content-Type', 'application/json'] as const];
      return {
        ...{ api, purpose },
        ...(credential === undefined ? {} : { credential }),
        method: changed.method,
        path: changed.path,
        ...(typed.length === 0 ? {} : { headers: typed }),
        ...(body === undefined ? {} : { rawBody: body }),
      };
    },
  });
}

function othersOf(
  session: Session,
  request: TriedRequest,
  own: readonly OwnMetamorphicRelation[],
): RelatedRequests['others'] {
  const others: readonly Other[] = changesBy(fittingOf(session, request, own), request);
  return session.random.sample(others, CHANGES);
}

/** The relations that speak of the operation of a valid request. */
function fittingOf(
  { contract }: Session,
  { api, method, path, purpose }: TriedRequest,
  own: readonly OwnMetamorphicRelation[],
): readonly OwnMetamorphicRelation[] {
  if (purpose.kind !== 'valid') return [];
  const operation = contract.find(api, method, path)?.id ?? '';
  return own.filter(({ rules: [row] }) => row?.operations.includes(operation) === true);
}
