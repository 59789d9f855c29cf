/** Rows of figures in the part `load` of `run.json`. */

import type { ErrorFate, ErrorsByFate } from './fates.ts';
import type { ApiName } from '../../wire/exchange.ts';

/** Latencies in milliseconds, from when a request should have been sent to the end of its answer. */
export interface LatencySummary {
  /** If it is 0 nothing was measured, and all figures are absent; records of earlier versions have 0 there. */
  readonly count: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly p99Ms?: number;
  readonly p999Ms?: number;
  readonly worstMs?: number;
  /** These three are absent from records of earlier versions. */
  readonly p75Ms?: number;
  readonly p90Ms?: number;
  readonly meanMs?: number;
}

/** How many requests came to what; a throttled one is neither served nor an error. */
export interface LoadCounts {
  /** That the schedule wanted sent. */
  readonly offered: number;
  readonly sent: number;
  readonly served: number;
  /** Whole answers that were neither served nor throttled. */
  readonly errors: number;
  readonly throttled: number;
  /** Without a whole answer. */
  readonly failed: number;
  /** That the generator sent or read late; absent if there is no schedule, and from records of earlier versions. */
  readonly late?: number;
  /** Both by what became of them, those that happened; absent from records of earlier versions. */
  readonly byFate?: ErrorsByFate;
}

/** Rows of latency and counts over a part of the run: a step, an operation, or the whole. */
export interface LoadRow {
  readonly counts: LoadCounts;
  /** Of served answers. */
  readonly latency: LatencySummary;
  /**
   * Of all that was not throttled, errors after all that was served, however soon they came. A figure that lies among
   * them is absent: it is beyond any bound. Absent from records of earlier versions, in which it is not known.
   */
  readonly allLatency?: LatencySummary;
  /** Of throttled answers; absent if there were none. */
  readonly throttledLatency?: LatencySummary;
  /** Histogram of served answers in microseconds: HDR V2, deflated, base64; parts of a run are merged by it. */
  readonly histogram: string;
  /** Of errors, the time that was waited for them; absent if there were none. */
  readonly errorsHistogram?: string;
  readonly throttledHistogram?: string;
  /**
   * Served answers that came within the part, whenever they were due: over its seconds, what the service got done.
   * Absent of parts that were cut short, and from records of earlier versions.
   */
  readonly answered?: number;
  /**
   * For how long requests were on their way within the part, added up: over its seconds, as many were so at once.
   * Absent from records of earlier versions.
   */
  readonly requestSeconds?: number;
  /** Absent of engines that do not measure them, and from records of earlier versions. */
  readonly phases?: LoadPhases;
}

/** What the latency of a request is made of; latencies of those that had such a part. */
export interface LoadPhases {
  /** From when it was asked for to when it left on a connection, making one included. */
  readonly waiting: LatencySummary;
  /** From there to the first byte of the answer. */
  readonly firstByte: LatencySummary;
  /** From there to its end. */
  readonly download: LatencySummary;
  /** Of bodies, as they came. */
  readonly receivedBytes: number;
}

/** Connections that an engine made. */
export interface LoadConnections {
  readonly opened: number;
  /** Until TCP was there; absent if none was made. */
  readonly connecting?: LatencySummary;
  /** From there until TLS was; absent without TLS. */
  readonly tls?: LatencySummary;
}

/** One step. Violations are those of judged exchanges. */
export interface LoadStepRow extends LoadRow {
  readonly name: string;
  readonly beginsSeconds: number;
  readonly seconds: number;
  readonly offeredPerSecond: number;
  readonly admittedPerSecond: number;
  readonly judged: number;
  readonly violations: number;
}

/** One operation over the whole run. */
export interface LoadOperationRow extends LoadRow {
  readonly operation: string;
  readonly api: ApiName;
}

/** One operation in one step; of those that a threshold names. */
export interface LoadCell extends LoadOperationRow {
  readonly step: string;
}

/** A second of the run, or several if a run is long; for plots. */
export interface LoadMoment {
  readonly second: number;
  /** Length of the moment. */
  readonly seconds: number;
  readonly offered: number;
  /** Served of those due in it, whenever the answer came. */
  readonly admitted: number;
  /** Served answers that came in it, whenever they were due; absent from records of earlier versions. */
  readonly answered?: number;
  readonly throttled: number;
  /** Of all kinds. */
  readonly errors: number;
  /** The same by {@link reasonOf}; absent without errors, and from records of earlier versions. */
  readonly byReason?: Readonly<Record<string, number>>;
  readonly violations: number;
  /** For how long requests were on their way in it, added up; absent from records of earlier versions. */
  readonly requestSeconds?: number;
  /** Of those due in it, the one that left latest after its time; absent without a schedule, and as above. */
  readonly worstLagMs?: number;
  /** Served answers by latency, for a plot: of the classes of `latency-classes.ts`; those after the last that has any are left out. */
  readonly byLatency?: readonly number[];
  /** Of served answers; absent if there were none. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly p99Ms?: number;
}

/** Errors of one operation for one reason. */
export interface LoadErrorRow {
  readonly operation: string;
  readonly fate: ErrorFate;
  /** Of an answer; absent without one, and where answers had too many different ones. */
  readonly status?: number;
  readonly count: number;
  /** When the first and the last of them should have been sent, from the start of the schedule. */
  readonly firstSecond: number;
  readonly lastSecond: number;
}
