/** The rate-limit fields of many answers, one series for each limit that they name. */

import type { RateLimitReading } from '../../../contracts/wire/rate-limit-headers.ts';
import { readReport } from './read-report.ts';
import type { ReportedEvent } from './reported-event.ts';

/** What one answer says of one limit. */
export interface ReportedReading {
  readonly reading: RateLimitReading;
  readonly event: ReportedEvent;
}

/** Readings by family and name, as in `structured burst`, in the order of the events. */
export function readingsByName(
  events: readonly ReportedEvent[],
): ReadonlyMap<string, ReportedReading[]> {
  const byName = new Map<string, ReportedReading[]>();
  for (const event of events) {
    for (const reading of readReport(event.headers).readings) {
      const { family, name } = reading;
      const key = name === undefined ? family : `${family} ${name}`;
      const reported = byName.get(key) ?? [];
      reported.push({ reading, event });
      byName.set(key, reported);
    }
  }
  return byName;
}
