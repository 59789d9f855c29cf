import { isError, reasonOf } from '../../contracts/run/load/fates.ts';
import { classOf } from '../../contracts/run/load/latency-classes.ts';
import type { LatencySummary, LoadMoment } from '../../contracts/run/load/load-run.ts';
import { given } from '../../contracts/wire/json.ts';
import type { Sample } from '../load-sink.ts';
import { summedLists } from '../sums.ts';
import { LatencyHistogram } from './latency-histogram.ts';

const COUNTED = ['sent', 'cameBack', 'answered', 'errors', 'throttled', 'violations'] as const;

/** What became of the requests that were due in one moment. */
interface Moment extends Record<(typeof COUNTED)[number], number> {
  /** Of two digits: for plots. */
  served: LatencyHistogram | undefined;
  /** By class of latency. */
  byLatency: number[] | undefined;
  requestMs: number;
  worstLagMs: number;
  /** Errors by reason; undefined where there are none. */
  byReason: Map<string, number> | undefined;
}

/** More make no plot better. */
const MAX_MOMENTS = 600;

/**
 * The run from moment to moment. A request belongs to the moment in which it was due, whatever came of
 * it later, so a moment's parts add up to what was offered in it. A moment is a second; once there are
 * more than 600 of them, two become one, counts and histograms added, and so on.
 */
export class Moments {
  #moments: (Moment | undefined)[] = [];
  #seconds = 1;

  add(sample: Sample): void {
    const moment = this.#at(sample.dueMs);
    moment.sent += 1;
    if (sample.firstDueMs !== undefined) moment.cameBack += 1;
    if (isError(sample.fate))
      countError(moment, reasonOf({ fate: sample.fate, status: sample.status }));
    if (sample.fate === 'throttled') moment.throttled += 1;
    if (sample.fate === 'served') {
      moment.served ??= LatencyHistogram.create(2);
      const ms = sample.endMs - sample.dueMs;
      moment.served.record(ms);
      const at = classOf(ms);
      const counts = (moment.byLatency ??= []);
      while (counts.length <= at) counts.push(0);
      counts[at] = (counts[at] ?? 0) + 1;
      this.#at(sample.endMs).answered += 1;
    }
    moment.worstLagMs = Math.max(moment.worstLagMs, sample.calledMs - sample.dueMs);
    this.#addInFlight(sample.calledMs, sample.endMs);
  }

  /** Each moment takes the part of the time in which a request was on its way. */
  #addInFlight(fromMs: number, toMs: number): void {
    for (let ms = fromMs; ms < toMs;) {
      const moment = this.#at(ms);
      const lengthMs = this.#seconds * 1000;
      const end = Math.min(toMs, (Math.floor(ms / lengthMs) + 1) * lengthMs);
      moment.requestMs += end - ms;
      ms = end;
    }
  }

  addBroken(dueMs: number): void {
    this.#at(dueMs).violations += 1;
  }

  /**
   * All moments from the first second on, those in which nothing was due too.
   *
   * @param untilMs end of the run; moments after it are reported only if something was sent in them
   * @param isScheduled whether requests have times at which they are due
   * @param slotsIn how many requests the schedule wants sent from one time to another
   */
  rows(
    untilMs: number,
    slotsIn: (fromMs: number, toMs: number) => number,
    isScheduled = true,
  ): LoadMoment[] {
    const seconds = this.#seconds;
    const asked = Math.min(MAX_MOMENTS, Math.ceil(untilMs / (seconds * 1000)));
    // Where requests were on their way alone is after the end.
    const last = this.#moments.findLastIndex((one) => one !== undefined && isAny(one));
    const count = Math.max(asked, last + 1);
    return Array.from({ length: count }, (_, at) => {
      const moment = this.#moments[at] ?? nothing();
      const { served, answered, throttled, errors, byReason, byLatency, violations } = moment;
      const { p50Ms, p95Ms, p99Ms }: Partial<LatencySummary> = served?.summary() ?? {};
      const [fromMs, toMs] = [at * seconds * 1000, (at + 1) * seconds * 1000];
      const slots = slotsIn(fromMs, Math.min(toMs, untilMs));
      return {
        second: at * seconds,
        seconds,
        offered: Math.max(slots + moment.cameBack, moment.sent),
        admitted: served?.count ?? 0,
        ...{ answered, throttled, errors, violations },
        ...(byReason === undefined ? {} : { byReason: Object.fromEntries(byReason) }),
        requestSeconds: Math.round(moment.requestMs * 1000) / 1e6,
        ...given({
          worstLagMs:
            isScheduled && moment.sent > 0 ? Math.round(moment.worstLagMs * 10) / 10 : undefined,
          ...{ byLatency, p50Ms, p95Ms, p99Ms },
        }),
      };
    });
  }

  #at(ms: number): Moment {
    const second = ms > 0 && ms < Infinity ? ms / 1000 : 0;
    while (second >= this.#seconds * MAX_MOMENTS) this.#fold();
    const at = Math.floor(second / this.#seconds);
    const found = this.#moments[at];
    if (found !== undefined) return found;
    // Filled without holes, so that its length is that of the run so far.
    while (this.#moments.length <= at) this.#moments.push(undefined);
    return (this.#moments[at] = nothing());
  }

  #fold(): void {
    const folded: (Moment | undefined)[] = [];
    for (let at = 0; at < this.#moments.length; at += 2) {
      folded.push(sumOf(this.#moments[at], this.#moments[at + 1]));
    }
    this.#moments = folded;
    this.#seconds *= 2;
  }
}

function isAny({ sent, violations }: Moment): boolean {
  return sent + violations > 0;
}

function nothing(): Moment {
  const counts = { sent: 0, cameBack: 0, answered: 0, errors: 0, throttled: 0, violations: 0 };
  const none = { served: undefined, byReason: undefined, byLatency: undefined };
  return { ...counts, ...none, requestMs: 0, worstLagMs: 0 };
}

/** A plot has room for no more, and an answer may have any status. */
const MAX_REASONS = 12;
/** What others are counted as. */
const OTHER = 'other';

function countError(moment: Moment, reason: string): void {
  moment.errors += 1;
  count(moment, reason, 1);
}

function count(moment: Moment, wanted: string, times: number): void {
  const byReason = (moment.byReason ??= new Map<string, number>());
  const isRoom = byReason.has(wanted) || byReason.size < MAX_REASONS;
  const reason = isRoom ? wanted : OTHER;
  byReason.set(reason, (byReason.get(reason) ?? 0) + times);
}

function sumOf(a: Moment | undefined, b: Moment | undefined): Moment | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  for (const name of COUNTED) a[name] += b[name];
  if (a.served !== undefined && b.served !== undefined) a.served.add(b.served);
  a.served ??= b.served;
  a.byLatency = summedLists([a.byLatency, b.byLatency]);
  a.requestMs += b.requestMs;
  a.worstLagMs = Math.max(a.worstLagMs, b.worstLagMs);
  for (const [reason, times] of b.byReason ?? []) count(a, reason, times);
  return a;
}
