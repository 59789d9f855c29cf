/** The requests of a limit probe: the cheapest ones that count. */

import type { Ask } from '../probe/bucket.ts';

/** The APIs whose limits the document speaks of (sections 5.1, 5.2 and 8), in the order of probing. */
export const LIMITED_APIS = ['zap', 'trade'] as const;

/** One of them. */
export type LimitedApi = (typeof LIMITED_APIS)[number];

/** The plain request of each API: it reads what is there, and builds nothing. */
export const PLAIN: Readonly<Record<LimitedApi, Ask>> = {
  zap: { api: 'zap', method: 'GET', path: '/v1/config/chains' },
  // No pairs, so nothing to quote; refusing it is as good an answer as an empty list.
  trade: { api: 'trade', method: 'POST', path: '/v1/quotes', json: { data: [] } },
};

/** A route besides the plain one that is as cheap. */
export const OTHER_ROUTE: Readonly<Record<LimitedApi, Ask>> = {
  zap: { api: 'zap', method: 'GET', path: '/v1/config/providers' },
  trade: { api: 'trade', method: 'POST', path: '/v1/buildTx', json: {} },
};

/** Requests that are refused for another reason than a limit. */
export const FAILING: Readonly<Record<LimitedApi, Ask>> = {
  zap: { api: 'zap', method: 'POST', path: '/v1/pool/details', json: {} },
  trade: { api: 'trade', method: 'POST', path: '/v1/buildTx', json: {} },
};
