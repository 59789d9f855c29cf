/** Whether the figures of a load run count: what the generator did not do must not look like the service. */

import { probabilityInterval } from '../contracts/judging/chance/binomial.ts';
import type {
  LatencySummary,
  LoadCounts,
  LoadGenerator,
  RunLoad,
} from '../contracts/run/load/load-run.ts';
import { MAX_LAG_MS } from './samples/lateness.ts';

/** What a generator may fall short by. */
export const MAX_OFF = {
  /** Of the requests: more would show at the 99th percentile. */
  lateShare: 0.01,
  /** Of the latency at the 99th percentile, which the lag is part of. */
  lagShare: 0.2,
  eventLoopUtilization: 0.8,
  /** Of the requests: more would show at the 99th percentile. */
  waitedShare: 0.01,
} as const;

/** Whoever uses more makes itself late. */
const MUCH_OF_CORES = 0.4;

/** Fewer say nothing of a percentile. */
const MIN_SERVED = 20;

/** What the decision rests on. */
export interface ValidityInput {
  readonly generator: LoadGenerator;
  readonly counts: LoadCounts;
  /** Requests besides, which were given up as the run was ended early. */
  readonly unanswered?: number;
  /** Requests that may have been sent or not, as nobody knows; one of the problems says so. */
  readonly unknown?: number;
  /** Of served answers. */
  readonly latency: LatencySummary;
  /** The same of single steps: what is a small part of an overloaded one may be all of another. */
  readonly steps?: readonly { readonly latency: LatencySummary }[];
  /** Connections to one origin at most; absent if several machines had their own. */
  readonly connections?: number;
  /** Why this machine allows no more; absent if the user chose so many. */
  readonly whyFewConnections?: string;
  /** Whether the engine has a schedule to keep; without one it sends as fast as it is answered. */
  readonly isScheduled: boolean;
  /** What used the cores of this machine, and what share of them; absent if nobody knows. */
  readonly used?: CoresUsed;
  /** What the engine knows of why it was late, without a full stop. */
  readonly whyLate?: string;
  /** What else went wrong with the engine, as sentences. */
  readonly problems?: readonly string[];
}

/** What the generator used of the cores of its machine, from 0 to 1. */
export interface CoresUsed {
  /** E.g. `Assay`. */
  readonly by: string;
  readonly share: number;
  /** How many the machine has. */
  readonly cores: number;
}

/** Why figures do not count, and whether answers do all the same. */
export type Invalid = Pick<RunLoad, 'invalid' | 'invalidOnly'>;

/**
 * Why figures do not count. What is late, or waits, touches latencies and rates alone. Requests that were
 * never sent leave a load that is none of the scenario's.
 */
export function invalidities({
  generator,
  counts,
  unanswered = 0,
  unknown = 0,
  latency,
  steps = [],
  connections,
  isScheduled,
  problems = [],
  whyFewConnections,
  used,
  whyLate: known,
}: ValidityInput): Invalid {
  const { eventLoopUtilization, waitedAtCeiling, dropped } = generator;
  const most = MAX_OFF;
  const left = counts.sent + unanswered;
  const whole: string[] = [];
  const timing: string[] = [];
  if (left + unknown === 0) whole.push('Nothing was sent.');
  else if (counts.sent === 0 && unanswered > 0)
    whole.push('Nothing was answered before the run was ended.');
  if (dropped > 0) {
    whole.push(
      `${dropped} of ${Math.max(counts.offered, counts.sent + dropped)} requests of the schedule were never sent, so nothing is known of how long they would have taken.`,
    );
  }
  const tails = [{ latency }, ...steps].flatMap((one) =>
    one.latency.count >= MIN_SERVED ? (one.latency.p99Ms ?? []) : [],
  );
  const late = isScheduled
    ? lateWords(generator, left, Math.min(...tails), whyLate(used, known))
    : undefined;
  if (late !== undefined) timing.push(late);
  if ((eventLoopUtilization ?? 0) > most.eventLoopUtilization) {
    timing.push(busyWords(eventLoopUtilization ?? 0, used, isScheduled));
  }
  if (isSurelyMore(waitedAtCeiling, left + dropped, most.waitedShare)) {
    // A ceiling of the user's own is a part of what is asked; one of this machine is a failure of it.
    (whyFewConnections === undefined ? timing : whole).push(
      `${waitedAtCeiling} of ${left + dropped} requests waited for ${connections === undefined ? 'a free connection' : `one of ${connections} connections`} (at most ${percent(most.waitedShare)} is good): the service saw fewer at once than the schedule wanted. ${whyFewConnections ?? '--connections allows more'}.`,
    );
  }
  const invalid = [...problems, ...whole, ...timing];
  const isTimingOnly = timing.length > 0 && timing.length === invalid.length;
  return { invalid, ...(isTimingOnly ? { invalidOnly: 'timing' } : {}) };
}

/** What several parts or rounds and the whole of them say together. */
export function togetherInvalid(all: readonly Invalid[]): Invalid {
  const some = all.filter(({ invalid }) => invalid.length > 0);
  const isTimingOnly = some.length > 0 && some.every((one) => one.invalidOnly === 'timing');
  return {
    invalid: some.flatMap(({ invalid }) => invalid),
    ...(isTimingOnly ? { invalidOnly: 'timing' } : {}),
  };
}

function lateWords(
  { fireLagP99Ms, lateRequests, hiccups = 0 }: LoadGenerator,
  sent: number,
  leastP99Ms: number,
  why: string,
): string | undefined {
  const { lagShare, lateShare } = MAX_OFF;
  if (fireLagP99Ms === undefined) return undefined;
  const isShown = fireLagP99Ms > lagShare * leastP99Ms || leastP99Ms === Infinity;
  if (fireLagP99Ms <= MAX_LAG_MS || !isShown) return undefined;
  // Records of earlier versions hold the percentile alone.
  if (lateRequests === undefined) {
    return `One request in 100 left ${rounded(fireLagP99Ms)} ms or more after its time (at most ${MAX_LAG_MS} ms, or a fifth of the latency, is good). ${why} That time is in the latencies.`;
  }
  // Those of one hiccup are late together, so there are as many tries as there could have been hiccups.
  const each = hiccups === 0 ? 1 : lateRequests / hiccups;
  if (!isSurelyMore(hiccups, sent / each, lateShare)) return undefined;
  return `${lateRequests} of ${sent} requests left, or were read, more than ${MAX_LAG_MS} ms after their time, one in 100 by ${rounded(fireLagP99Ms)} ms or more (surely more than ${percent(lateShare)}; at most that is good). ${why} That time is in the latencies.`;
}

/** An event loop counts time in which its thread was ready and had no core; CPU time alone shows that it worked. */
function busyWords(active: number, used: CoresUsed | undefined, isScheduled: boolean): string {
  const good = `(at most ${percent(MAX_OFF.eventLoopUtilization)} is good)`;
  const cores = used === undefined ? undefined : used.share * used.cores;
  if (used === undefined || cores === undefined)
    return `The event loop that sends was active ${percent(active)} of its time ${good}: the figures are those of the generator. Why is not known; ${USUAL_REASON}.`;
  if (cores <= MAX_OFF.eventLoopUtilization)
    return `The sending thread had no core for much of its time, or waited for a disk: its event loop was active ${percent(active)} ${good}, and ${used.by} used ${percent(cores)} of one core. The figures are those of this machine; fewer programs beside it help.`;
  return `The sending thread was busy ${percent(active)} of its time ${good}: the figures are those of the generator. ${isScheduled ? 'A lower rate, a smaller' : 'A smaller'} --judge-share or several machines help.`;
}

/** Whoever uses little of a machine may have been late for any reason, one of its own as well. */
function whyLate(used: CoresUsed | undefined, known: string | undefined): string {
  if (known !== undefined) return `${known}.`;
  if (used === undefined) return `Why is not known; ${USUAL_REASON}.`;
  const fact = `${used.by} used ${percent(used.share)} of all cores`;
  return used.share > MUCH_OF_CORES
    ? `${fact}, so a lower rate, a smaller --judge-share or more cores help.`
    : `${fact}, so why is not known; ${USUAL_REASON}.`;
}

const USUAL_REASON = 'often other programs kept the machine busy';

/** Whether more than such a share happens for certain, and not by chance in a few tries. */
function isSurelyMore(events: number, tries: number, share: number): boolean {
  if (events === 0 || tries <= 0) return false;
  return probabilityInterval(Math.min(events, tries), tries)[0] > share;
}

function percent(share: number): string {
  return `${rounded(100 * share)} %`;
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
