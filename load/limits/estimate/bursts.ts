/** Requests that went out at once. */

import type { ProbeEvent } from '../transcript.ts';

/** Events by bursts, in the order of sending; where these are not known, those that overlap are one. */
export function burstsOf(events: readonly ProbeEvent[]): ProbeEvent[][] {
  const bursts: ProbeEvent[][] = [];
  let endMs = -Infinity;
  for (const event of [...events].sort((a, b) => a.sentMs - b.sentMs)) {
    const last = bursts.at(-1);
    const number = last?.[0]?.burst;
    const isKnown = event.burst !== undefined && number !== undefined;
    const together = isKnown ? event.burst === number : event.sentMs < endMs;
    if (last !== undefined && together) {
      last.push(event);
      endMs = Math.min(endMs, event.receivedMs);
    } else {
      bursts.push([event]);
      endMs = event.receivedMs;
    }
  }
  return bursts;
}

/** The event without what the service said of its limit. */
export function withoutReport(event: ProbeEvent): ProbeEvent {
  const { report, ...rest } = event;
  return report === undefined ? event : rest;
}

/** Events of which those of bursts tell nothing of the limit: nobody knows which was counted first. */
export function withoutOverlapping(events: readonly ProbeEvent[]): ProbeEvent[] {
  const together = new Set(
    events.flatMap(({ burst }, at) => (burst === events[at + 1]?.burst ? [burst] : [])),
  );
  return events.map((event) => (together.has(event.burst) ? withoutReport(event) : event));
}

/** Rejections of a burst come after its admissions. */
export function rank({ outcome }: ProbeEvent): number {
  return outcome === 'rejected' ? 1 : 0;
}
