import type { RelatedRequests } from '../../driven-service.ts';
import { changesBy } from '../../drive/relation.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';
import { bodyTextOf, objectIn } from '../../drive/tried-request.ts';
import type { Session } from '../session/session.ts';
import { BUILD_RELATIONS, buildSource, singleOf } from './trade.ts';
import { QUOTE_RELATIONS, quoteAndBuild, quoteSource } from './zap.ts';

/** One quote in so many is compared with its build, others with changed quotes. */
const BUILT_EVERY = 3;
/** This many changes of one request are tried. */
const CHANGES = 2;

/** What a generated request is compared with, if it is valid and of a kind that anything can be. */
export function relatedTo(
  session: Session,
  request: TriedRequest,
  number: number,
): RelatedRequests | undefined {
  const body = objectIn(bodyTextOf(request));
  if (body === undefined || request.purpose.kind !== 'valid') return undefined;
  const { api, path } = request;
  if (api === 'zap' && path === '/v1/quote' && typeof body.amount === 'string') {
    if (number % BUILT_EVERY === 0) {
      return { first: request, others: changesBy([quoteAndBuild], { first: request }) };
    }
    const source = quoteSource(session, body, number);
    const others = changesBy(QUOTE_RELATIONS, source);
    return { first: source.first, others: session.random.sample(others, CHANGES) };
  }
  const single = api === 'trade' && path === '/v1/buildTx' ? singleOf(body) : undefined;
  if (single === undefined) return undefined;
  const source = buildSource(session, single, [], number);
  const others = changesBy(BUILD_RELATIONS, source);
  return { first: source.first, others: session.random.sample(others, CHANGES) };
}
