import * as fc from 'fast-check';
import type { ContractDepth } from '../../contracts/judging/profile.ts';
import type { GeneratedRequest, RequestGenerator } from '../../fixtures/arbitraries/request.ts';
import type { Random } from './random.ts';

/** So many requests are made by chance for each that is wanted, since some are alike. */
const TRIES = 4;

/** What comes after the plain request: boundaries, then others, no two alike as far as there are so many. */
export function othersOf(
  random: Random,
  { plain, boundaries = [], arbitrary }: RequestGenerator,
  { requestsPerOperation }: ContractDepth,
): GeneratedRequest[] {
  const seed = random.integer(0, 0x7fffffff);
  const wanted = requestsPerOperation - 1;
  const distinct = new Map([[textOf(plain), plain]]);
  const add = (request: GeneratedRequest): void => {
    const text = textOf(request);
    if (!distinct.has(text)) distinct.set(text, request);
  };
  boundaries.slice(0, wanted).forEach(add);
  const missing = requestsPerOperation - distinct.size;
  if (missing > 0) fc.sample(arbitrary, { seed, numRuns: TRIES * missing }).forEach(add);
  return [...distinct.values()].slice(1, requestsPerOperation);
}

function textOf({ method, path, headers, body }: GeneratedRequest): string {
  return JSON.stringify([method, path, headers, body]);
}
