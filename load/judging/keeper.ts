import type { Exchange } from '../../contracts/wire/exchange.ts';
import { sampleMark } from '../../contracts/run/load/load-marks.ts';
import type { JudgedAnswer } from './answer-judge.ts';

/** At most this many exchanges that break a rule are kept for each rule and step. */
const MAX_OF_RULE_AND_STEP = 3;
/** At most this many exchanges that are marked with relations are kept, and then none any more. */
export const MAX_MARKED = 6_000;
/** Of all answers this many are kept at random. */
export const SAMPLED = 1_500;

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
    const isWanted = this.#isWanted(answer.broken, step);
    const isMarked = exchange.relations.length > 0 && this.#marked < MAX_MARKED;
    if (!isWanted && !answer.isFresh && !isMarked && !isSampled) return;
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
    for (const rule of broken) {
      const key = `${step} ${rule}`;
      const known = this.#broken.get(key) ?? 0;
      if (known >= MAX_OF_RULE_AND_STEP) continue;
      this.#broken.set(key, known + 1);
      isWanted = true;
    }
    return isWanted;
  }
}
