import type { Exchange } from '../../contracts/wire/exchange.ts';
import { sampleMark } from '../../contracts/run/load/load-marks.ts';
import type { JudgedAnswer } from './answer-judge.ts';

/** At most this many exchanges that break a rule are kept for each rule and step. */
const MAX_OF_RULE_AND_STEP = 3;
/** At most this many exchanges that are marked with relations are kept, and then none any more. */
export const MAX_MARKED = 6_000;
/** Of all answers this many are kept at random. */
const SAMPLED = 1_500;
/** Characters of bodies in that sample, about; the larger an answer, the rarer it is taken. */
const SAMPLED_CHARACTERS = 33_554_432;
/** Characters of bodies beyond which no more is kept for what it shows first. */
const MAX_FRESH_CHARACTERS = 16_777_216;
/** Beyond that only one exchange is kept for each rule and step that it breaks. */
const MAX_BROKEN_CHARACTERS = 33_554_432;

function charactersOf({ outcome }: Exchange): number {
  return outcome.kind === 'response' ? outcome.response.body.text.length : 0;
}

/** Which share of answers like one goes into the sample of all, of a run of so many requests. */
export function sampledShare(requests: number): (exchange: Exchange) => number {
  const all = Math.max(1, requests);
  return (exchange) =>
    Math.min(1, SAMPLED / all, SAMPLED_CHARACTERS / (all * Math.max(1, charactersOf(exchange))));
}

/**
 * Chooses which exchanges of a load run go into its record, so that the record is small and still gives
 * the verdicts of the whole: some that break each rule, the first pieces of evidence of each, a sample
 * of all, and whole the beginning of what is marked with relations, since rules on relations count on
 * seeing all of it.
 */
export class Keeper {
  readonly #keep: (exchange: Exchange) => boolean;
  readonly #broken = new Map<string, number>();
  #marked = 0;
  #kept = 0;
  #isFull = false;
  #freshCharacters = 0;
  #brokenCharacters = 0;

  /** @param keep writes an exchange; false when the record takes no more */
  constructor(keep: (exchange: Exchange) => boolean) {
    this.#keep = keep;
  }

  /** Exchanges in the record. */
  get kept(): number {
    return this.#kept;
  }

  /** Whether there were more to keep than the record takes. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** @param isSampled whether it is one of the sample of all */
  take(exchange: Exchange, step: number, answer: JudgedAnswer, isSampled: boolean): void {
    const characters = charactersOf(exchange);
    const isWanted = this.#isWanted(answer.broken, step);
    if (isWanted) this.#brokenCharacters += characters;
    const isFresh = answer.isFresh && this.#freshCharacters < MAX_FRESH_CHARACTERS;
    if (isFresh) this.#freshCharacters += characters;
    const isMarked = exchange.relations.length > 0 && this.#marked < MAX_MARKED;
    if (!isWanted && !isFresh && !isMarked && !isSampled) return;
    if (isMarked) this.#marked += 1;
    const marks = isMarked ? exchange.relations : [];
    const relations = isSampled ? [...marks, sampleMark(step)] : marks;
    this.add({ ...exchange, relations });
  }

  /** Keeps what was found out about answers that were taken before. */
  add(exchange: Exchange): void {
    if (this.#isFull) return;
    if (this.#keep(exchange)) this.#kept += 1;
    else this.#isFull = true;
  }

  #isWanted(broken: readonly string[], step: number): boolean {
    let isWanted = false;
    const most = this.#brokenCharacters < MAX_BROKEN_CHARACTERS ? MAX_OF_RULE_AND_STEP : 1;
    for (const rule of broken) {
      const key = `${step} ${rule}`;
      const known = this.#broken.get(key) ?? 0;
      if (known >= most) continue;
      this.#broken.set(key, known + 1);
      isWanted = true;
    }
    return isWanted;
  }
}
