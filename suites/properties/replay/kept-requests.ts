import { isObject } from '../../../contracts/wire/json.ts';
import type { HeaderList, Purpose } from '../../../contracts/wire/exchange.ts';
import { isApiName } from '../../../contracts/wire/exchange.ts';
import type { GeneratedRequest } from '../../../fixtures/arbitraries/request.ts';
import { requestProblem } from '../../../target/transport/sendable.ts';

/** A request that was written down, and its place where the rule compares two. */
export interface KeptRequest {
  readonly request: GeneratedRequest;
  readonly role?: string;
  /** Distinguishes the groups of that relation, if the rule wants several. */
  readonly group?: string;
  /** That relation, if the rule is about others as well, or about none. */
  readonly kind?: string;
  /** Its purpose when it was written down, if that is no longer taken for granted. */
  readonly was?: Purpose;
}

const MAX_REQUESTS = 50;
const MAX_HEADERS = 100;

/** What is read of the purpose that a request is said to have. */
export type PurposeReader = (purpose: unknown) => Purpose;

/**
 * Requests that somebody wrote down, `[{ request: { api, method, path, headers?, body?, purpose },
 * role? }]`, as far as they can be sent to a target.
 *
 * @returns the requests, why one of them cannot be sent, or undefined if it is something else
 */
export function keptRequestsIn(
  json: unknown,
  purposeOf: PurposeReader,
): readonly KeptRequest[] | string | undefined {
  const given: readonly unknown[] = Array.isArray(json) ? json : [];
  if (given.length === 0 || given.length > MAX_REQUESTS) return undefined;
  const requests: KeptRequest[] = [];
  for (const one of given) {
    const kept = keptIn(one, purposeOf);
    if (kept === undefined) return undefined;
    const problem = requestProblem(kept.request);
    if (problem !== undefined) return problem;
    requests.push(kept);
  }
  return requests;
}

function keptIn(json: unknown, purposeOf: PurposeReader): KeptRequest | undefined {
  if (!isObject(json) || !isObject(json.request)) return undefined;
  const { api, method, path, headers, body, purpose } = json.request;
  if (!isApiName(api) || typeof method !== 'string' || typeof path !== 'string') {
    return undefined;
  }
  if (method === '' || !path.startsWith('/')) return undefined;
  const fields = headersIn(headers);
  if (fields === undefined) return undefined;
  const request: GeneratedRequest = {
    api,
    method,
    path,
    purpose: purposeOf(purpose),
    ...(fields.length > 0 ? { headers: fields } : {}),
    ...(typeof body === 'string' ? { body } : {}),
  };
  const was = purposeAsItWas(purpose);
  return {
    request,
    ...(typeof json.role === 'string' ? { role: json.role } : {}),
    ...(typeof json.group === 'string' ? { group: json.group } : {}),
    ...(typeof json.kind === 'string' ? { kind: json.kind } : {}),
    ...(was.kind === request.purpose.kind ? {} : { was }),
  };
}

/** Pairs of texts; none if nothing is stated, undefined if it is something else. */
function headersIn(json: unknown): HeaderList | undefined {
  if (json === undefined) return [];
  if (!Array.isArray(json) || json.length > MAX_HEADERS) return undefined;
  const pairs = json.filter(
    (pair: unknown): pair is [string, string] =>
      Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'string'),
  );
  return pairs.length < json.length ? undefined : pairs;
}

/** What was valid once may name a token that the target no longer lists, so nothing is obliged. */
export function purposeOfLongAgo(purpose: unknown): Purpose {
  const isInvalid = isObject(purpose) && purpose.kind === 'invalid';
  return isInvalid && typeof purpose.defect === 'string'
    ? { kind: 'invalid', defect: purpose.defect }
    : { kind: 'unknown' };
}

/** The purpose as it was when the request was written down. */
export function purposeAsItWas(purpose: unknown): Purpose {
  if (!isObject(purpose)) return { kind: 'unknown' };
  const { kind, about } = purpose;
  if (kind === 'valid') return { kind };
  return kind === 'probe' && typeof about === 'string'
    ? { kind, about }
    : purposeOfLongAgo(purpose);
}
