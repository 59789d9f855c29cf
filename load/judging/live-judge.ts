import { availableParallelism } from 'node:os';
import { isAnswered } from '../../contracts/run/load/fates.ts';
import { nameMark } from '../../contracts/run/load/load-marks.ts';
import type { LoadViolation, RunLoad } from '../../contracts/run/load/load-run.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { Sample } from '../load-sink.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { summed, total } from '../sums.ts';
import { PLAIN } from './answer-judge.ts';
import { JudgedCounts, type JudgedCount } from './judged-counts.ts';
import { judgedShare, luckOf, utilizationMeter } from './judged-share.ts';
import { judgingHere, type JudgingWish, type OnJudged } from './judging.ts';
import { judgingThere } from './judging-there.ts';
import { MixedAnswers, violationsOf } from './mixed-answers.ts';
import { RelatedJudge, rulesOfRelations } from './related-judge.ts';
import { Keeper, sampledShare } from './keeper.ts';

/** A load run as far as judging it goes. */
export interface JudgedRun {
  readonly scenario: Pick<Scenario, 'steps' | 'onThrottle'>;
  /** Requests that it sends, by which the sample of the record is spread over it. */
  readonly requests: number;
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
   * gives only those that it is asked to. It asks for each answer, also for one that it cannot give whole.
   */
  readonly wants: (sample: Pick<Sample, 'slot' | 'endMs' | 'fate'>) => boolean;
  /**
   * Takes an answer; of an engine that does not ask, all of them, and chooses itself. Calls `onBroken` at most
   * once, later, if the answer by itself breaks a rule.
   */
  readonly exchange: (exchange: Exchange, step: number, onBroken?: () => void) => void;
  /** Answers judged and broken so far. */
  readonly counts: () => JudgedCount;
  /** Judges what was taken so far. */
  readonly settle: () => Promise<void>;
  /** Judges what is left, and sums up. */
  readonly end: () => Promise<LiveJudged>;
}

/** What is known of a rule that was broken. */
interface First {
  readonly step: number;
  readonly exchange: string;
}

/** Cores with which a thread of its own pays: one to send, one to judge. */
const MIN_CORES = 2;

/**
 * Begins to judge a load run, and ends once it is ready to. Answers that are marked with a relation are always
 * judged; of the others a share, which goes down before judging breaks the schedule. What the record keeps was
 * judged.
 *
 * @param cores of this machine
 */
export async function openLiveJudge(
  { scenario, requests, keep }: JudgedRun,
  wish: JudgingWish,
  cores: number = availableParallelism(),
): Promise<LiveJudge> {
  const { contract, by, live, share: most = 1, utilization = utilizationMeter() } = wish;
  const steps = scenario.steps.length;
  const areMarked = scenario.onThrottle === 'come-back';
  const onNames = new Set(
    wish.rules.flatMap((one) => (one.scope === 'run' && one.nameOf !== undefined ? [one.id] : [])),
  );
  const counts = new JudgedCounts(live.length, steps);
  const keeper = new Keeper(keep);
  const related = new RelatedJudge(rulesOfRelations(wish.rules), contract, steps);
  const mixed = new MixedAnswers(wish.rules, contract);
  const firsts = new Map<string, First>();
  /** By id, of answers that are not judged yet. */
  const onBrokenOf = new Map<string, () => void>();
  const sampled = sampledShare(requests);
  let wanted = most;
  const onJudged: OnJudged = (exchange, step, judgedAs) => {
    const onBroken = onBrokenOf.get(exchange.id);
    onBrokenOf.delete(exchange.id);
    if (judgedAs === undefined && exchange.relations.length === 0) return;
    // Marked answers are kept also where they could not be judged: rules on relations count on them.
    const answer = judgedAs ?? PLAIN;
    if (answer.broken.length > 0 && exchange.outcome.kind === 'response') onBroken?.();
    for (const rule of answer.broken) {
      // An answer of an earlier step may come late.
      if (step < (firsts.get(rule)?.step ?? steps))
        firsts.set(rule, { step, exchange: exchange.id });
    }
    related.add(exchange, step);
    mixed.add(exchange, step, answer.broken);
    const again = answer.broken.filter((rule) => onNames.has(rule));
    const kept =
      again.length === 0
        ? exchange
        : { ...exchange, relations: [...exchange.relations, ...again.map(nameMark)] };
    // The fewer are judged, the more of them are kept: the sample is one of all answers.
    keeper.take(kept, step, answer, luckOf(exchange.id) < sampled(exchange) / wanted);
  };
  const judging =
    by === undefined || cores < MIN_CORES
      ? judgingHere(wish, counts, onJudged)
      : await judgingThere({ ...wish, by, counts, onJudged });
  const shareAt = judgedShare(most, () => Math.max(utilization(), judging.pressure()));
  const all = Array.from({ length: steps }, (_, step) => step);
  let answers = 0;
  const leftOut = { asked: 0, late: 0 };

  const ofSteps = (): JudgedCount[] => all.map((step) => counts.answers(step));
  const countAll = (): JudgedCount => summed(['judged', 'broken'], ofSteps());

  const comparedNames = (): Pick<RunLoad['judged'], 'names'> => {
    const names = live.flatMap(({ id }, at): [string, number][] => {
      if (!onNames.has(id)) return [];
      return [[id, total(all.map((step) => counts.evidence(step, at + 1).judged))]];
    });
    return names.length === 0 ? {} : { names: Object.fromEntries(names) };
  };

  let isAsked = false;
  const isChosen = (key: string, nowMs: number, isAnswer: boolean): boolean => {
    if (isAnswer) answers += 1;
    wanted = shareAt(nowMs);
    if (areMarked || wanted >= 1) return true;
    const luck = luckOf(key);
    if (luck < wanted) return true;
    if (isAnswer) leftOut[luck < most ? 'late' : 'asked'] += 1;
    return false;
  };

  return {
    wants: ({ slot, endMs, fate }) => {
      isAsked = true;
      return isChosen(`slot-${slot}`, endMs, isAnswered(fate));
    },
    exchange: (exchange, step, onBroken) => {
      const { id, sentAtMs, latencyMs, outcome } = exchange;
      const isAnswer = outcome.kind === 'response';
      // Drawn independently of the sample.
      if (!isAsked && !isChosen(`answer-${id}`, sentAtMs + latencyMs, isAnswer)) return;
      if (onBroken !== undefined) onBrokenOf.set(id, onBroken);
      judging.take(exchange, step);
    },
    counts: countAll,
    settle: judging.settle,
    end: async () => {
      await judging.end();
      const pairs = mixed.pairs();
      for (const { exchanges } of pairs) for (const one of exchanges) keeper.add(one);
      const { judged } = countAll();
      return {
        judged: { answers: judged, of: answers, kept: keeper.kept, leftOut, ...comparedNames() },
        violations: [
          ...live.flatMap(({ id }, at) => {
            const bySteps = all.map((step) => counts.evidence(step, at + 1));
            return violationOf(id, bySteps, firsts.get(id));
          }),
          ...related.violations(),
          ...violationsOf(pairs, steps),
        ],
        steps: ofSteps(),
        notices: [
          ...judging.notices(),
          ...related.crashes.map((crash) => `${crash}.`),
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
  const count = total(bySteps.map(({ broken }) => broken));
  if (count === 0 || first === undefined) return [];
  return [{ rule, count, firstStep: first.step, firstExchange: first.exchange, bySteps }];
}
