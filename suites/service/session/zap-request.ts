import type { TriedRequest } from '../../drive/tried-request.ts';

/** The body of a zap request (document, section 2.1). */
export type ZapBody = Readonly<Record<string, unknown>>;

/** A request that the document obliges the service to take. */
export function validPost(path: string, json: ZapBody): TriedRequest {
  return { api: 'zap', method: 'POST', path, json, purpose: { kind: 'valid' } };
}
