import type { Rule } from '../../contracts/judging/rule.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { AnswerJudge, type JudgedAnswer, warmJudging } from './answer-judge.ts';
import type { JudgedBy, Waiting } from './judge-protocol.ts';
import type { JudgedCounts } from './judged-counts.ts';

/** Called with what came of an answer, now or later; undefined when it could not be judged. */
export type OnJudged = (exchange: Exchange, step: number, answer: JudgedAnswer | undefined) => void;

/** Where answers are judged: in the thread that sends, or in one of its own. */
export interface Judging {
  /** Takes an answer to be judged. */
  readonly take: (exchange: Exchange, step: number) => void;
  /** How much is waiting to be judged: 0 for nothing, 1 for all that may wait. */
  readonly pressure: () => number;
  /** Ends once all that was taken so far was reported; fails if reporting did. */
  readonly settle: () => Promise<void>;
  /** Settles, and takes nothing more. */
  readonly end: () => Promise<void>;
  /** What went wrong while judging, in sentences. */
  readonly notices: () => readonly string[];
}

/** How the answers of a load run are to be judged. */
export interface JudgingWish {
  readonly contract: Contract;
  /** All rules that judge the record; see `rulesUnderLoad`. */
  readonly rules: readonly Rule[];
  /** Those that judge each answer; see `rulesOfAnswers`. */
  readonly live: readonly Rule[];
  /** What contract and rules were made of, for a thread that makes them again; absent where none is to judge. */
  readonly by?: JudgedBy;
  /** Answers of the preparation; see {@link warmJudging}. */
  readonly warmUp?: readonly Exchange[];
  /** Share of the answers that is judged at the most, from 0 to 1; all when absent. */
  readonly share?: number;
  /** How busy the sending thread was since it was last asked, from 0 to 1; by its event loop when absent. */
  readonly utilization?: () => number;
}

/** What waits is judged at once where it comes to so much: about what a processor has at hand. */
const MAX_WAITING_BYTES = 262_144;

/**
 * Judges in the thread that asks, once all that came in together has been looked at: so judging one answer
 * enters the latency of no other, and answers that are judged one after the other take less time each than
 * where reading comes between.
 */
export function judgingHere(
  { live, contract, warmUp = [] }: JudgingWish,
  counts: JudgedCounts,
  onJudged: OnJudged,
): Judging {
  warmJudging(live, contract, warmUp);
  const judge = new AnswerJudge(live, contract, counts);
  let waiting: Waiting[] = [];
  let bytes = 0;
  let failed: Error | undefined;
  const judgeWaiting = (): void => {
    const batch = waiting;
    waiting = [];
    bytes = 0;
    try {
      for (const { exchange, step } of batch) {
        onJudged(exchange, step, judge.judge(exchange, step));
      }
    } catch (error) {
      // Whoever gives the next answer, or ends, is reported.
      failed ??= error instanceof Error ? error : new Error(String(error));
    }
  };
  const settle = (): Promise<void> => {
    judgeWaiting();
    return failed === undefined ? Promise.resolve() : Promise.reject(failed);
  };
  return {
    take: (exchange, step) => {
      if (failed !== undefined) throw failed;
      waiting.push({ exchange, step });
      bytes += bytesOf(exchange);
      if (bytes >= MAX_WAITING_BYTES) judgeWaiting();
      else if (waiting.length === 1) setImmediate(judgeWaiting);
    },
    pressure: () => 0,
    settle,
    end: settle,
    notices: () => judge.crashes.map((crash) => `${crash}.`),
  };
}

/** What an exchange takes beside its bodies, about. */
const BYTES_BESIDE = 1_500;

/** What an exchange takes in memory, about: characters of its bodies, and what stands beside them. */
export function bytesOf({ request, outcome }: Exchange): number {
  const answered = outcome.kind === 'response' ? outcome.response.body.text.length : 0;
  return (request.body?.text.length ?? 0) + answered + BYTES_BESIDE;
}
