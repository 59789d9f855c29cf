import type { Contract } from '../../../contracts/document/schema.ts';
import type { RequestGenerator } from '../../../fixtures/arbitraries/request.ts';
import { stillMeant } from '../../../fixtures/arbitraries/still-meant.ts';
import type { Session } from '../session/session.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import { triedOf } from '../../drive/as-generated.ts';
import { CaseStream } from '../../properties/cases.ts';

/** Cases that are looked at for one that the document obliges the service to take. */
const LOOKED_AT = 8;

/**
 * Requests to an operation that the document obliges the service to take, without end where a generator
 * makes them. The n-th is the same for the same seed and the same world. An operation that is asked by
 * its address alone has one.
 */
export function* candidatesOf(
  session: Session,
  generators: readonly RequestGenerator[],
  operation: string,
  seed: number,
): Generator<TriedRequest> {
  const { contract } = session;
  const own = generators.filter(({ plain }) => operationOf(contract, plain) === operation);
  const addressed = own.length === 0 ? byAddress(contract, operation) : undefined;
  if (addressed !== undefined) yield addressed;
  const streams = own
    // Each of its requests has a defect.
    .filter(({ space }) => space?.defects === undefined)
    .map((generator) => new CaseStream(generator, seed, 2 * LOOKED_AT));
  // Of the first cases some are the same.
  const seen = new Set<string>();
  for (let number = 0; streams.length > 0; number += LOOKED_AT) {
    let isAny = false;
    for (const stream of streams) {
      const cases = Array.from({ length: LOOKED_AT }, (_, at) => stream.at(number + at));
      for (const one of cases) {
        if (one?.request.purpose.kind !== 'valid' || !stillMeant(contract, one.request)) continue;
        isAny = true;
        const { path, headers = [], body = '' } = one.request;
        const bytes = JSON.stringify([path, headers, body]);
        if (seen.has(bytes)) continue;
        seen.add(bytes);
        yield triedOf(session, one.request);
      }
    }
    if (!isAny) return;
  }
}

function operationOf(contract: Contract, { api, method, path }: RequestGenerator['plain']): string {
  return contract.find(api, method, path)?.id ?? '';
}

/** The request of an operation that takes nothing but its address. */
function byAddress(contract: Contract, id: string): TriedRequest | undefined {
  const operation = contract.operation(id);
  if (operation?.method !== 'GET' || operation.pathTemplate.includes('{')) return undefined;
  if (operation.inputs.parameters.some(({ required }) => required)) return undefined;
  const { api, method, pathTemplate: path } = operation;
  return { api, method, path, purpose: { kind: 'valid' } };
}
