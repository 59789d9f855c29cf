import type { TriedRequest } from '../../drive/tried-request.ts';
import type { Route } from '../../../fixtures/service/generators/routes.ts';
import type { Session } from './session.ts';

/** The body of a zap request (document, section 2.1). */
export type ZapBody = Readonly<Record<string, unknown>>;

/** A request that the document obliges the service to take. */
export function validPost(path: string, json: ZapBody): TriedRequest {
  return { api: 'zap', method: 'POST', path, json, purpose: { kind: 'valid' } };
}

/** A route that was served. */
export interface ServedRoute {
  readonly kind: Route['kind'];
  readonly body: ZapBody;
  /** The parsed answer to its quote. */
  readonly json: unknown;
}

/** A valid zap request for a route. */
export function zapBody(session: Session, idea: Route, amount: string, slippage: number): ZapBody {
  const account = session.random.address();
  return {
    srcToken: idea.source.address,
    srcChainId: idea.source.chainId,
    destToken: idea.destination.address,
    destChainId: idea.destination.chainId,
    recipient: session.random.pick([account, session.random.address()]),
    slippage,
    account,
    amount,
  };
}
