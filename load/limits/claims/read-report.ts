/** What a probe reads of the rate-limit fields: as much as anybody writes, whatever comes. */

import type { HeaderList } from '../../../contracts/wire/exchange.ts';
import {
  type RateLimitReport,
  readRateLimitHeaders,
} from '../../../contracts/wire/rate-limit-headers.ts';

/** A longer field holds no report that a client would read; it is read by no class, and costs nothing. */
const MAX_CHARACTERS = 1_000;
/** More fields of one response are not read. */
const MAX_FIELDS = 30;

const NAMED = /rate-?limit/i;

/**
 * As {@link readRateLimitHeaders}, in bounded time: a probe reads these fields at each answer and all of
 * them once more at its end, and a target may send 60 kB of them each time.
 */
export function readReport(headers: HeaderList): RateLimitReport {
  const fields = headers.filter(
    ([name, value]) => NAMED.test(name) && value.length <= MAX_CHARACTERS,
  );
  return readRateLimitHeaders(fields.slice(0, MAX_FIELDS));
}
