/** The pieces of evidence of one rule by number, to know how often what it found shows. */

import type { Witness } from '../rule.ts';
import { given } from '../../wire/json.ts';
import { NumberSet } from './number-set.ts';

/** How often something broke a rule, of how often the rule judged it. */
export interface Rate {
  readonly broken: number;
  readonly judged: number;
}

/** How often a rule was judged at an operation, outside of outages. */
export interface JudgedAt {
  /** Id of the contract's operation that the first request addressed; absent of others. */
  readonly operation?: string;
  readonly times: number;
}

/** What an accumulator knows of the requests of its run. */
export interface Asked {
  /** What requests have in common that ask the same, by number. */
  readonly nameOf: (number: number) => number;
  /** What comparable requests have in common, by number: their operation, whether they are valid, and sent at once. */
  readonly kindOf: (number: number) => number;
  /** The operation of the contract that a request addresses, by number; undefined of others. */
  readonly operationOf: (number: number) => string | undefined;
  /** Whether an exchange, by number, is of an outage: whether a rule held then is not known. */
  readonly isOut: (number: number) => boolean;
}

/** A piece of evidence as it comes. */
interface Piece {
  readonly isGroup: boolean;
  readonly isBroken: boolean;
}

/** How often what a finding is about was broken. */
export interface FindingRates {
  /** Of how often the same requests, under the same conditions, were judged. */
  readonly rate: Rate;
  /** Of how often comparable requests were judged, be they the same or not. */
  readonly share: Rate;
}

/** Pieces of evidence: exchanges, or groups of them. */
export class Pieces {
  readonly #asked: Asked;
  readonly #judged = new NumberSet();
  readonly #broken = new NumberSet();
  /** The exchanges of each group; none of a rule over single exchanges, whose pieces are these. */
  readonly #groups: (readonly number[])[] = [];

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  /** Takes one more piece. @returns its number */
  add(witnesses: readonly Witness[], { isGroup, isBroken }: Piece): number {
    const exchanges = witnesses.flatMap(({ at }) => at ?? []);
    const number = isGroup ? this.#groups.push(exchanges) - 1 : (exchanges[0] ?? 0);
    this.#judged.add(number);
    if (isBroken) this.#broken.add(number);
    return number;
  }

  /** How often the rule was judged broken at all, of how often it was judged, outside of outages. */
  get whole(): Rate {
    let [broken, judged] = [0, 0];
    for (const number of this.#known()) {
      judged += 1;
      if (this.#broken.has(number)) broken += 1;
    }
    return { broken, judged };
  }

  /** How often the rule was judged, by operation, outside of outages. */
  get byOperation(): readonly JudgedAt[] {
    const times = new Map<string | undefined, number>();
    for (const number of this.#known()) {
      const [first] = this.#exchangesOf(number);
      const operation = first === undefined ? undefined : this.#asked.operationOf(first);
      times.set(operation, (times.get(operation) ?? 0) + 1);
    }
    return [...times].map(([operation, count]) => ({ ...given({ operation }), times: count }));
  }

  /**
   * How often the rule held of requests, outside of outages: in pieces that are of these alone, or of all of these.
   *
   * @param names what the requests have in common with all that ask the same
   */
  keptOf(names: ReadonlySet<number>): number {
    let kept = 0;
    for (const number of this.#known()) {
      if (this.#broken.has(number)) continue;
      const own = new Set(this.#exchangesOf(number).map((one) => this.#asked.nameOf(one)));
      const [few, many] = own.size < names.size ? [own, names] : [names, own];
      if (few.size > 0 && [...few].every((name) => many.has(name))) kept += 1;
    }
    return kept;
  }

  /** The numbers of what was judged outside of outages. */
  *#known(): Generator<number> {
    for (let number = 0; number < this.#judged.room; number += 1) {
      if (this.#judged.has(number) && !this.#isOut(number)) yield number;
    }
  }

  /**
   * How often what broke the rule in some pieces did so, of how often it judged the same requests, and of how often
   * it judged comparable ones.
   *
   * @param broken in their order; what came after the last of them is left out if some are not known
   * @returns undefined if all of them are of an outage
   */
  ratesOf(broken: readonly number[], areAll: boolean): FindingRates | undefined {
    const of = broken.filter((number) => !this.#isOut(number));
    if (of.length === 0) return undefined;
    const { nameOf, kindOf } = this.#asked;
    const names = new Set(of.map((number) => this.#wordOf(number, nameOf)));
    const kinds = new Set(of.map((number) => this.#wordOf(number, kindOf)));
    const end = areAll ? this.#judged.room : (of.at(-1) ?? 0) + 1;
    let [same, comparable] = [0, 0];
    for (let number = 0; number < end; number += 1) {
      if (!this.#judged.has(number) || !kinds.has(this.#wordOf(number, kindOf))) continue;
      if (this.#isOut(number)) continue;
      comparable += 1;
      if (names.has(this.#wordOf(number, nameOf))) same += 1;
    }
    return {
      rate: { broken: of.length, judged: same },
      share: { broken: of.length, judged: comparable },
    };
  }

  /** Whether a piece is of an outage. */
  #isOut(number: number): boolean {
    return this.#exchangesOf(number).some((one) => this.#asked.isOut(one));
  }

  #exchangesOf(number: number): readonly number[] {
    return this.#groups[number] ?? [number];
  }

  /** A word of the exchanges of a piece. */
  #wordOf(number: number, of: (exchange: number) => number): number | string {
    const group = this.#groups[number];
    return group === undefined ? of(number) : group.map(of).join(' ');
  }
}
