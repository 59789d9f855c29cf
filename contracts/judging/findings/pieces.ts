/** The pieces of evidence of one rule by number, to know how often what it found shows. */

import type { Witness } from '../rule.ts';
import { NumberSet } from './number-set.ts';

/** How often the same requests under the same conditions broke a rule, of how often it judged them. */
export interface Rate {
  readonly broken: number;
  readonly judged: number;
}

/** What an accumulator knows of the requests of its run. */
export interface Asked {
  /** What requests have in common that ask the same, by number. */
  readonly nameOf: (number: number) => number;
  /** Whether an exchange, by number, is of an outage: whether a rule held then is not known. */
  readonly isOut: (number: number) => boolean;
}

/** Pieces of evidence: exchanges, or groups of them. */
export class Pieces {
  readonly #asked: Asked;
  readonly #judged = new NumberSet();
  /** The exchanges of each group; none of a rule over single exchanges, whose pieces are these. */
  readonly #groups: (readonly number[])[] = [];

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  /** Takes one more piece. @returns its number */
  add(witnesses: readonly Witness[], isGroup: boolean): number {
    const exchanges = witnesses.flatMap(({ at }) => at ?? []);
    const number = isGroup ? this.#groups.push(exchanges) - 1 : (exchanges[0] ?? 0);
    this.#judged.add(number);
    return number;
  }

  /** Whether a piece is of an outage. */
  isOut(number: number): boolean {
    return this.#exchangesOf(number).some((one) => this.#asked.isOut(one));
  }

  /**
   * How often what broke the rule in some pieces did so, of how often it judged the same.
   *
   * @param broken in their order; what came after the last of them is left out if some are not known
   * @returns undefined if all of them are of an outage
   */
  rateOf(broken: readonly number[], areAll: boolean): Rate | undefined {
    const of = broken.filter((number) => !this.isOut(number));
    if (of.length === 0) return undefined;
    const names = new Set(of.map((number) => this.#nameOf(number)));
    const end = areAll ? this.#judged.room : (of.at(-1) ?? 0) + 1;
    let judged = 0;
    for (let number = 0; number < end; number += 1) {
      if (!this.#judged.has(number) || !names.has(this.#nameOf(number))) continue;
      if (!this.isOut(number)) judged += 1;
    }
    return { broken: of.length, judged };
  }

  #exchangesOf(number: number): readonly number[] {
    return this.#groups[number] ?? [number];
  }

  #nameOf(number: number): number | string {
    const group = this.#groups[number];
    if (group === undefined) return this.#asked.nameOf(number);
    return group.map((one) => this.#asked.nameOf(one)).join(' ');
  }
}
