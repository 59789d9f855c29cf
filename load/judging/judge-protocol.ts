/** What the sending thread and the judging thread say to each other. */

import type { ContractFiles } from '../../contracts/document/contract-files.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { OwnRulesSource } from '../../target/config/own-rules.ts';
import type { JudgedAnswer } from './answer-judge.ts';

/** What another thread makes the same contract and rules of. */
export interface JudgedBy {
  /** URL of the module that exports the service to judge as `SERVICE`. */
  readonly service: string;
  readonly contractFiles: ContractFiles;
  /** Where rules of one's own stand. */
  readonly ownRules?: OwnRulesSource;
  /** Statuses that the target throttles with besides what its document says; none when absent. */
  readonly throttleStatuses?: readonly number[];
}

/** What a judging thread is started with. */
export interface JudgeWorkerData extends JudgedBy {
  /** Ids of the rules to judge by, in their order. */
  readonly rules: readonly string[];
  /** Answers to judge before the first that counts. */
  readonly warmUp: readonly Exchange[];
  /** Of the scenario. */
  readonly steps: number;
  /** Of `JudgedCounts`, in which it counts. */
  readonly counts: SharedArrayBuffer;
  /** In which it shows that it is alive, and what it has in hand; see `target/budget/liveness.ts`. */
  readonly liveness: SharedArrayBuffer;
}

/** An answer and the step that it belongs to. */
export interface Waiting {
  readonly exchange: Exchange;
  readonly step: number;
}

/**
 * From the judging thread: that it is ready, what came of an answer by its number from 0 unless that
 * is nothing, and how many of all are judged.
 */
export type FromJudge =
  | { readonly kind: 'ready' }
  | { readonly kind: 'reported'; readonly number: number; readonly answer: JudgedAnswer }
  | { readonly kind: 'judged'; readonly count: number; readonly crashes: readonly string[] };
