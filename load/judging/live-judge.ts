import { isAnswered } from '../../contracts/run/load/fates.ts';
import { nameMark } from '../../contracts/run/load/load-marks.ts';
import type { LoadViolation, RunLoad } from '../../contracts/run/load/load-run.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { LoadSink, Sample } from '../engines/load-sink.ts';
import type { JudgedAnswer } from './answer-judge.ts';
import { luckOf } from './choice.ts';
import { JudgedCounts, type JudgedCount } from './judged-counts.ts';
import { JudgedShare } from './judged-share.ts';
import type { OpenJudging } from './judging.ts';
import { type MixedAnswers, violationsOf } from './mixed-answers.ts';
import type { RelatedJudge } from './related-judge.ts';
import { Keeper, SAMPLED } from './keeper.ts';

/** How the answers of a load run are judged while they come. */
export interface LiveJudgeOptions {
  /** Ids of the rules that judge, in their order. */
  readonly rules: readonly string[];
  /** Of these, those on names. */
  readonly onNames?: readonly string[];
  /** Steps of the scenario. */
  readonly steps: number;
  /** Requests that the schedule holds, by which the sample of the record is spread over the run. */
  readonly requests: number;
  /** Whether requests are marked with relations: all of them are judged then. */
  readonly areMarked?: boolean;
  /** Share of the answers that is judged at the most, from 0 to 1; all when absent. */
  readonly share?: number;
  /** How busy the sending thread was since it was last asked, from 0 to 1. */
  readonly utilization: () => number;
  readonly open: OpenJudging;
  /** Judges what is marked with relations; nothing does when absent. */
  readonly related?: RelatedJudge;
  /** Asks whether broken answers are those to other requests; nobody does when absent. */
  readonly mixed?: MixedAnswers;
  /** Writes an exchange into the record; false when it takes no more. It must not throw. */
  readonly keep: (exchange: Exchange) => boolean;
}

/** What judging came to. */
export interface LiveJudged {
  readonly judged: RunLoad['judged'];
  readonly violations: readonly LoadViolation[];
  /** By step: answers judged, and those that broke at least one rule. */
  readonly steps: readonly JudgedCount[];
  /** What a reader of the figures must know, in sentences. */
  readonly notices: readonly string[];
}

/** Judges the answers of a load run. */
export interface LiveJudge {
  /**
   * Whether an answer is to be judged: an engine that asks need not make exchanges for nothing, and
   * gives only those that it is told to.
   */
  readonly wants: (sample: Pick<Sample, 'slot' | 'endMs' | 'fate'>) => boolean;
  /** Takes an answer; of an engine that does not ask, all of them, and chooses itself. */
  readonly exchange: NonNullable<LoadSink['exchange']>;
  /** Answers judged and broken so far, by step. */
  readonly countsOf: (step: number) => JudgedCount;
  /** Of all steps. */
  readonly counts: () => JudgedCount;
  /** Judges what is left, and sums up. */
  readonly end: () => Promise<LiveJudged>;
}

/** What is known of a rule that was broken. */
interface First {
  readonly step: number;
  readonly exchange: string;
}

/** Marked answers are kept also where they could not be judged: rules on relations count on them. */
const NOT_JUDGED: JudgedAnswer = { broken: [], isFresh: false };

/**
 * Begins to judge a load run. Answers that are marked with a relation are always judged; of the others a
 * share, which goes down before judging breaks the schedule. What the record keeps was judged.
 */
export function createLiveJudge(options: LiveJudgeOptions): LiveJudge {
  const { rules, steps, requests, utilization, open, areMarked = false } = options;
  const counts = new JudgedCounts(rules.length, steps);
  const keeper = new Keeper(options.keep);
  const firsts = new Map<string, First>();
  const sampled = Math.min(1, SAMPLED / Math.max(1, requests));
  let wanted = options.share ?? 1;
  const judging = open(
    counts,
    (exchange, step, judgedAs) => {
      if (judgedAs === undefined && exchange.relations.length === 0) return;
      const answer = judgedAs ?? NOT_JUDGED;
      for (const rule of answer.broken) {
        // An answer of an earlier step may come late.
        if (step < (firsts.get(rule)?.step ?? steps))
          firsts.set(rule, { step, exchange: exchange.id });
      }
      options.related?.add(exchange, step);
      options.mixed?.add(exchange, step, answer.broken);
      // The fewer are judged, the more of them are kept: the sample is one of all answers.
      const again = answer.broken.filter((rule) => options.onNames?.includes(rule) === true);
      const kept =
        again.length === 0
          ? exchange
          : { ...exchange, relations: [...exchange.relations, ...again.map(nameMark)] };
      keeper.take(kept, step, answer, luckOf(exchange.id) < sampled / wanted);
    },
    steps,
  );
  const share = new JudgedShare(options.share ?? 1, () =>
    Math.max(utilization(), judging.pressure()),
  );
  const all = Array.from({ length: steps }, (_, step) => step);
  let answers = 0;

  const countAll = (): JudgedCount =>
    all
      .map((step) => counts.answers(step))
      .reduce(
        (sum, { judged, broken }) => ({
          judged: sum.judged + judged,
          broken: sum.broken + broken,
        }),
        { judged: 0, broken: 0 },
      );

  const comparedNames = (): Pick<RunLoad['judged'], 'names'> => {
    const names = rules.flatMap((rule, at): [string, number][] => {
      if (options.onNames?.includes(rule) !== true) return [];
      const compared = all.map((step) => counts.evidence(step, at + 1).judged);
      return [[rule, compared.reduce((sum, one) => sum + one, 0)]];
    });
    return names.length === 0 ? {} : { names: Object.fromEntries(names) };
  };

  let isAsked = false;
  const isChosen = (key: string, nowMs: number, isAnswer: boolean): boolean => {
    if (isAnswer) answers += 1;
    wanted = share.at(nowMs);
    return areMarked || wanted >= 1 || luckOf(key) < wanted;
  };

  return {
    wants: ({ slot, endMs, fate }) => {
      isAsked = true;
      return isChosen(`slot-${slot}`, endMs, isAnswered(fate));
    },
    exchange: (exchange, step) => {
      const { id, sentAtMs, latencyMs, outcome } = exchange;
      const isAnswer = outcome.kind === 'response';
      // Drawn independently of the sample.
      if (isAsked || isChosen(`answer-${id}`, sentAtMs + latencyMs, isAnswer))
        judging.take(exchange, step);
    },
    countsOf: (step) => counts.answers(step),
    counts: countAll,
    end: async () => {
      await judging.end();
      const mixed = options.mixed?.pairs() ?? [];
      for (const { exchanges } of mixed) for (const one of exchanges) keeper.add(one);
      const { judged } = countAll();
      return {
        judged: { answers: judged, of: answers, kept: keeper.kept, ...comparedNames() },
        violations: [
          ...rules.flatMap((rule, at) => {
            const bySteps = all.map((step) => counts.evidence(step, at + 1));
            return violationOf(rule, bySteps, firsts.get(rule));
          }),
          ...(options.related?.violations() ?? []),
          ...violationsOf(mixed, steps),
        ],
        steps: all.map((step) => counts.answers(step)),
        notices: [
          ...judging.notices(),
          ...(options.related?.crashes ?? []).map((crash) => `${crash}.`),
          ...(keeper.isFull ? ['The record was full before the load run ended.'] : []),
        ],
      };
    },
  };
}

function violationOf(
  rule: string,
  bySteps: readonly JudgedCount[],
  first: First | undefined,
): LoadViolation[] {
  const count = bySteps.reduce((sum, { broken }) => sum + broken, 0);
  if (count === 0 || first === undefined) return [];
  return [{ rule, count, firstStep: first.step, firstExchange: first.exchange, bySteps }];
}
