import type { Fate } from '../contracts/run/load/fates.ts';
import type { Exchange } from '../contracts/wire/exchange.ts';

/** One request of a load run. Times are milliseconds from the start of the run. */
export interface Sample {
  /** Its number in the schedule, from 0; one that came back after a wait keeps it. */
  readonly slot: number;
  /** Place of the step in the scenario. */
  readonly step: number;
  readonly operation: string;
  /** Who sent it, from 0. */
  readonly client: number;
  /** When the schedule wanted it sent; its latency counts from here. */
  readonly dueMs: number;
  /**
   * When its slot was due, of one that was throttled and came back after the announced wait; `dueMs` is
   * then the end of that wait. Absent of all others.
   */
  readonly firstDueMs?: number;
  /** When the engine asked for it to be sent: `calledMs - dueMs` is the lag of the generator. */
  readonly calledMs: number;
  /** When it left on a connection: `wireMs - calledMs` is the wait for one; absent when it never did. */
  readonly wireMs?: number;
  /** When the head of its answer came; absent without one, and of engines that do not look. */
  readonly firstByteMs?: number;
  /** Of the body of its answer, as they came; absent likewise. */
  readonly receivedBytes?: number;
  /** When its answer was complete, or it had failed. */
  readonly endMs: number;
  /** Whether the generator sent or read it late; absent where nobody looks at that request by request. */
  readonly isLate?: boolean;
  readonly fate: Fate;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
}

/** Takes samples and answers as they come; it must cost little, as it runs beside the sending. */
export interface LoadSink {
  sample(sample: Sample): void;
  /** Whether the exchange of a sample is wanted; asked once for each, right after it. All are when absent. */
  wants?(sample: Sample): boolean;
  /** An exchange to be judged; engines that judge elsewhere, as k6 does, never call it. */
  exchange?(exchange: Exchange, step: number, dueMs: number): void;
  /**
   * Called with each answer that an engine judged by itself: by the card's rules alone, or by all that look
   * at single exchanges.
   */
  judged?(step: number, extent: 'card' | 'all'): void;
  /** Called with each rule that an answer broke which an engine judged by itself. */
  violated?(violation: EngineViolation): void;
}

/** A broken rule, as an engine reports it that judges by itself. */
export interface EngineViolation {
  readonly rule: string;
  readonly step: number;
  readonly slot: number;
  /** When the schedule wanted the request sent whose answer broke it, in milliseconds from the start of the run. */
  readonly dueMs: number;
  /** Of the first of each rule and step, redacted; its id is not one of the record. */
  readonly exchange?: Exchange;
}
