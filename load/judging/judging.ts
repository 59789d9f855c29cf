import type { Rule } from '../../contracts/judging/rule.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { AnswerJudge, type JudgedAnswer } from './answer-judge.ts';
import type { JudgedCounts } from './judged-counts.ts';

/** Told what came of an answer, now or later; undefined when it could not be judged. */
export type OnJudged = (exchange: Exchange, step: number, answer: JudgedAnswer | undefined) => void;

/** Where answers are judged: in the thread that sends, or in one of its own. */
export interface Judging {
  /** Takes an answer to be judged. */
  readonly take: (exchange: Exchange, step: number) => void;
  /** How much is waiting to be judged: 0 for nothing, 1 for all that may wait. */
  readonly pressure: () => number;
  /** Ends once all that was taken was told of. */
  readonly end: () => Promise<void>;
  /** What went wrong while judging, in sentences. */
  readonly notices: () => readonly string[];
}

/** Makes a place to judge in. */
export type OpenJudging = (counts: JudgedCounts, onJudged: OnJudged, steps: number) => Judging;

/** Judges at once, in the thread that asks. */
export function judgingHere(rules: readonly Rule[], contract: Contract): OpenJudging {
  return (counts, onJudged) => {
    const judge = new AnswerJudge(rules, contract, counts);
    return {
      take: (exchange, step) => {
        onJudged(exchange, step, judge.judge(exchange, step));
      },
      pressure: () => 0,
      end: () => Promise.resolve(),
      notices: () => judge.crashes.map((crash) => `${crash}.`),
    };
  };
}
