/** The limit and the windows that a service reports of itself. */

import type { ProbeEvent } from '../transcript.ts';
import type { ReportedLimit } from './weight.ts';

/** Windows that responses reported, ms. */
export function reportedWindowsMs(events: readonly ProbeEvent[]): number[] {
  const windows = events.flatMap(({ report }) => report?.windowSeconds ?? []);
  return [...new Set(windows)].slice(0, 8).map((seconds) => seconds * 1000);
}

/** The limit that all responses report alike. */
export function reportedLimit(events: readonly ProbeEvent[]): ReportedLimit | undefined {
  const [first] = events;
  const { limit, windowSeconds } = first?.report ?? {};
  if (limit === undefined || windowSeconds === undefined) return undefined;
  const isOne = events.every(
    ({ report }) =>
      report === undefined || (report.limit === limit && report.windowSeconds === windowSeconds),
  );
  return isOne ? { limit, windowMs: windowSeconds * 1000 } : undefined;
}
