import type { HeaderList } from '../../contracts/wire/exchange.ts';
import { announcedSeconds } from '../../contracts/wire/http/retry-after.ts';

/** The waits that a throttled answer asks for, in milliseconds; see {@link announcedSeconds}. */
export function requestedWaitsMs(bodyWait: unknown, headers: HeaderList, nowMs: number): number[] {
  return announcedSeconds(bodyWait, headers, nowMs).map((seconds) => seconds * 1000);
}
