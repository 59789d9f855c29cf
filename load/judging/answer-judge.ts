import { Judge } from '../../contracts/judging/judge.ts';
import type { Rule } from '../../contracts/judging/rule.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { ruleOfNames } from './names.ts';
import { JudgedCounts } from './judged-counts.ts';

/** What judging one answer came to. */
export interface JudgedAnswer {
  /** Rules that it breaks. */
  readonly broken: readonly string[];
  /** Whether some rule had hardly any evidence before: without it a record may show none. */
  readonly isFresh: boolean;
}

/** Evidence of each rule that a record is to show, however often it holds. */
const MIN_FULL_EVIDENCE = 3;

/** Of an answer that breaks nothing and shows nothing new, or was not judged. */
export const PLAIN: JudgedAnswer = { broken: [], isFresh: false };

/** What could not be judged, and whose fault that is, in sentences without a full stop; the first few. */
export function crashesOf({ crashes, ownCrashes }: Judge): string[] {
  return [
    ...crashes.map((crash) => `Assay failed: ${crash}`),
    ...ownCrashes.map((crash) => `A rule of the configuration failed: ${crash}`),
  ];
}

/** The rules that can judge answers without end: those over single exchanges, and those on names. */
export function rulesOfAnswers(rules: readonly Rule[]): Rule[] {
  return rules.flatMap((rule) => {
    if (rule.scope === 'exchange') return [rule];
    return rule.nameOf === undefined ? [] : [ruleOfNames(rule, rule.nameOf)];
  });
}

/** A judge whose code was run so often is compiled. */
const WARM_ANSWERS = 2_000;
const WARM_MS = 1_000;

/**
 * Judges answers again and again, one second at the most, and counts none: the first that count are then judged
 * as fast as those after them.
 */
export function warmJudging(
  rules: readonly Rule[],
  contract: Contract,
  answers: readonly Exchange[],
): void {
  if (answers.length === 0) return;
  const judge = new AnswerJudge(rules, contract, new JudgedCounts(rules.length, 1));
  const untilMs = performance.now() + WARM_MS;
  for (let count = 0; count < WARM_ANSWERS && performance.now() < untilMs; count += 1) {
    const answer = answers[count % answers.length];
    if (answer !== undefined) judge.judge(answer, 0);
  }
}

/** Judges answers one by one, and counts; memory does not grow with their number. */
export class AnswerJudge {
  readonly #judge: Judge;
  readonly #counts: JudgedCounts;
  readonly #lacking: Int32Array;
  #step = 0;
  /** Pieces of evidence, so far, of rules that had hardly any. */
  #fresh = 0;

  /**
   * @param rules those of {@link rulesOfAnswers}
   * @param inHand shows where the judge is, for whoever watches it
   */
  constructor(
    rules: readonly Rule[],
    contract: Contract,
    counts: JudgedCounts,
    inHand: Int32Array = new Int32Array(2),
  ) {
    this.#counts = counts;
    this.#lacking = Int32Array.from([
      0,
      ...rules.map(({ leastEvidence }) => Math.max(leastEvidence, MIN_FULL_EVIDENCE)),
    ]);
    this.#judge = new Judge(rules, contract, {
      isEndless: true,
      inHand,
      onEvidence: (place, isBroken) => {
        this.#note(place, isBroken);
      },
    });
  }

  #note(place: number, isBroken: boolean): void {
    this.#counts.noteEvidence(this.#step, place, isBroken);
    const lacking = this.#lacking[place] ?? 0;
    if (lacking === 0) return;
    this.#lacking[place] = lacking - 1;
    this.#fresh += 1;
  }

  judge(exchange: Exchange, step: number): JudgedAnswer {
    this.#step = step;
    const before = this.#fresh;
    const broken = this.#judge.add(exchange);
    if (exchange.outcome.kind === 'response') this.#counts.noteAnswer(step, broken.length > 0);
    const isFresh = this.#fresh > before;
    return broken.length === 0 && !isFresh ? PLAIN : { broken, isFresh };
  }

  /** See {@link crashesOf}. */
  get crashes(): readonly string[] {
    return crashesOf(this.#judge);
  }
}
