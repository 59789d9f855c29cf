/** What every load engine takes and gives, so that samples are the same whichever engine sent them. */

import type { LoadConnections, LoadGenerator } from '../contracts/run/load/load-run.ts';
import type { ErrorReading } from '../contracts/wire/error-reading.ts';
import type { PreparedRequest } from './scenarios/prepared-request.ts';
import type { Scenario } from './scenarios/scenario.ts';
import type { Schedule } from './scenarios/schedule.ts';
import type { LoadSink } from './load-sink.ts';

export type { PreparedRequest };

/** What is on its way when the run is ended may take this long. */
export const GRACE_MS = 2_000;

/** How well the generator kept to its schedule; what a run's validity is decided on. */
export interface GeneratorFacts extends LoadGenerator {
  /** What it measured of connections; absent of engines that do not look. */
  readonly connections?: LoadConnections;
  /** What else went wrong with the engine, so that its figures do not count: sentences. */
  readonly problems?: readonly string[];
  /** When sending was ended by the signal, in ms from the start; absent if the schedule was sent. */
  readonly interruptedMs?: number;
  /** Requests that were given up then, which no sample speaks of; absent of engines that do not know. */
  readonly unanswered?: number;
  /** Requests of which the engine does not say whether they were sent; absent if it says so of all. */
  readonly unknown?: number;
  /** What is known of why it was late, as a sentence without its full stop. */
  readonly whyLate?: string;
}

/** One load run, as an engine is asked for it. */
export interface LoadJob {
  readonly scenario: Scenario;
  readonly schedule: Schedule;
  readonly requests: readonly PreparedRequest[];
  /** The prepared request that slot k sends; one of `requests`, the same whenever it is asked. */
  readonly choose: (slot: number) => PreparedRequest;
  readonly sink: LoadSink;
  /** Which answers are throttled, by status and parsed body. */
  readonly isThrottled: ErrorReading['isThrottled'];
  /** The wait that the body of a throttled answer announces, as it stands there. */
  readonly waitIn: ErrorReading['waitIn'];
  readonly timeoutMs: number;
  /** What an answer took before the run, on average; absent if nobody knows. */
  readonly answerMs?: number;
  readonly maxBodyBytes: number;
  /** Connections to one origin at most. */
  readonly connections: number;
  /** Why this machine allows fewer than were wanted; absent if it allows as many. */
  readonly whyFewConnections?: string;
  /** Ends the run; what is on its way is waited for, two seconds at most. */
  readonly signal: AbortSignal;
}

/** One of the three ways to make load. */
export interface LoadEngine {
  readonly name: 'open-loop' | 'autocannon' | 'k6';
  /** Why this engine cannot run a scenario, as a sentence; undefined if it can. */
  cannot(scenario: Scenario): string | undefined;
  /** Runs it to its end or to the signal. */
  run(job: LoadJob): Promise<GeneratorFacts>;
}
