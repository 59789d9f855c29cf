import type { GeneratedRequest } from '../../fixtures/arbitraries/request.ts';
import type { Session } from '../driven-service.ts';
import type { TriedRequest } from './tried-request.ts';
import { bodyTextOf } from './tried-request.ts';

/** A request of the drive as one that a generator could have made. */
export function generatedOf(request: TriedRequest): GeneratedRequest {
  const { api, method, path, headers, purpose } = request;
  const body = bodyTextOf(request);
  return {
    api,
    method,
    path,
    purpose,
    ...(headers === undefined ? {} : { headers }),
    ...(body === undefined ? {} : { body }),
  };
}

/** A generated request as the drive sends it: its body to the byte, with the session's credential. */
export function triedOf(
  { service, keyedCredential }: Pick<Session, 'service' | 'keyedCredential'>,
  request: GeneratedRequest,
): TriedRequest {
  const isKeyed = service.keyedApis?.includes(request.api) === true;
  return { ...sentOf(request), ...(isKeyed ? { credential: keyedCredential } : {}) };
}

/** A generated request as it is sent without a credential: its body to the byte. */
export function sentOf(request: GeneratedRequest): TriedRequest {
  const { api, method, path, headers = [], body, purpose } = request;
  const isTyped = headers.some(([name]) => name.toLowerCase() === 'content-type');
  const typed =
    body === undefined || isTyped
      ? headers
      : [...headers, ['Content-Type', 'application/json'] as const];
  return {
    api,
    method,
    path,
    purpose,
    ...(typed.length === 0 ? {} : { headers: typed }),
    ...(body === undefined ? {} : { rawBody: body }),
  };
}
