import type { ProbedService } from '../probed-service.ts';
import { LIMITED_APIS } from './ask.ts';
import { bucketsOf } from './buckets.ts';
import { quoteOfListed } from './listed-quote.ts';

/** How the limits of the service are probed that Assay is made for. */
export const PROBED: ProbedService = {
  limitedApis: LIMITED_APIS,
  listingApi: 'zap',
  bucketsOf,
  servedAsk: async (api, { apis }, sender) => {
    const ask = apis.includes('zap') && api === 'trade' ? await quoteOfListed(sender) : undefined;
    return ask === undefined ? undefined : { ask, called: 'a quote' };
  },
};
