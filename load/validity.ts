/** Whether the figures of a load run count: what the generator did not do must not look like the service. */

import type { LoadCounts, LoadGenerator, LatencySummary } from '../contracts/run/load/load-run.ts';

/** What a generator may fall short by. */
export const MAX_OFF = {
  /** Requests that leave so much too late at the 99th percentile are reported only if it shows in latencies. */
  fireLagMs: 20,
  /** Of the latency at the 99th percentile, which the lag is part of. */
  lagShare: 0.1,
  eventLoopUtilization: 0.8,
  /** Of the requests: more would show at the 99th percentile. */
  waitedShare: 0.01,
} as const;

/** What the decision rests on. */
export interface ValidityInput {
  readonly generator: LoadGenerator;
  readonly counts: LoadCounts;
  /** Of served answers. */
  readonly latency: LatencySummary;
  /** Connections to one origin at most; absent where several machines had their own. */
  readonly connections?: number;
  /** Whether the engine has a schedule to keep; without one it sends as fast as it is answered. */
  readonly isScheduled: boolean;
}

/** Why the figures do not count, as sentences; empty when they do. */
export function invalidities({
  generator,
  counts,
  latency,
  connections,
  isScheduled,
}: ValidityInput): string[] {
  const { fireLagP99Ms, eventLoopUtilization, waitedAtCeiling, dropped } = generator;
  const most = MAX_OFF;
  const why: string[] = [];
  if (counts.sent === 0) why.push('Nothing was sent.');
  if (dropped > 0) {
    why.push(
      `${dropped} of ${counts.offered} requests of the schedule were never sent, so nothing is known of how long they would have taken.`,
    );
  }
  const lagShows = fireLagP99Ms > most.lagShare * latency.p99Ms || latency.count === 0;
  if (isScheduled && fireLagP99Ms > most.fireLagMs && lagShows) {
    why.push(
      `One request in 100 left ${rounded(fireLagP99Ms)} ms or more after its time (at most ${most.fireLagMs} ms, or a tenth of the latency, is good): the machine had other things to do. That time is in the latencies.`,
    );
  }
  if ((eventLoopUtilization ?? 0) > most.eventLoopUtilization) {
    why.push(
      `The sending thread was busy ${percent(eventLoopUtilization ?? 0)} of its time (at most ${percent(most.eventLoopUtilization)} is good): the figures are those of the generator. A lower rate, a smaller --judge-share or several machines help.`,
    );
  }
  if (waitedAtCeiling > most.waitedShare * counts.sent) {
    why.push(
      `${waitedAtCeiling} of ${counts.sent} requests waited for ${connections === undefined ? 'a free connection' : `one of ${connections} connections`} (at most ${percent(most.waitedShare)} is good): the service saw fewer at once than the schedule wanted. --connections allows more.`,
    );
  }
  return why;
}

function percent(share: number): string {
  return `${rounded(100 * share)} %`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
