/** The rate-limit fields of many answers, one series for each limit that they name. */

import type { RateLimitReading } from '../../../contracts/wire/rate-limit-headers.ts';
import { readClaims } from './claims-read.ts';
import type { ToldEvent } from './header-claims.ts';

/** What one answer says of one limit. */
export interface ToldReading {
  readonly reading: RateLimitReading;
  readonly event: ToldEvent;
}

/** Readings by family and name, as in `structured burst`, in the order of the events. */
export function toldByName(events: readonly ToldEvent[]): ReadonlyMap<string, ToldReading[]> {
  const byName = new Map<string, ToldReading[]>();
  for (const event of events) {
    for (const reading of readClaims(event.headers).readings) {
      const { family, name } = reading;
      const key = name === undefined ? family : `${family} ${name}`;
      const told = byName.get(key) ?? [];
      told.push({ reading, event });
      byName.set(key, told);
    }
  }
  return byName;
}
