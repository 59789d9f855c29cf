import type { Choosable, Choices } from '../../fixtures/arbitraries/choices.ts';

/** How many combinations of one, two and three features. */
export interface Combinations {
  readonly single: number;
  readonly pairs: number;
  readonly triples: number;
}

/** Features of one kind of request, so that three of them fit into one small number. */
const MAX_FEATURES = 1_000;
/** More combinations of three are not remembered; those beyond count as met before. */
const MAX_TRIPLES = 60_000;
/** Choices below this are features of their own; larger ones go by their power of two. */
const FINE = 16;

/**
 * What combinations of features the requests of one kind had so far. A feature is a deviation with
 * its choice; choices beyond the listed ones, which only look random, are one feature.
 */
export class Coverage {
  readonly #numbers = new Map<string, number>();
  readonly #single = new Set<number>();
  readonly #pairs = new Set<number>();
  readonly #triples = new Set<number>();

  /** How many combinations that were not met before a request with these features has. */
  newIn(features: readonly number[]): Combinations {
    let [single, pairs, triples] = [0, 0, 0];
    const mayGrow = this.#triples.size < MAX_TRIPLES;
    for (const [at, a] of features.entries()) {
      if (!this.#single.has(a)) single += 1;
      for (let next = at + 1; next < features.length; next += 1) {
        const pair = a * MAX_FEATURES + (features[next] ?? 0);
        if (!this.#pairs.has(pair)) pairs += 1;
        for (let last = next + 1; mayGrow && last < features.length; last += 1) {
          if (!this.#triples.has(pair * MAX_FEATURES + (features[last] ?? 0))) triples += 1;
        }
      }
    }
    return { single, pairs, triples };
  }

  /** Takes note of a request with these features. */
  add(features: readonly number[]): void {
    for (const [at, a] of features.entries()) {
      this.#single.add(a);
      for (let next = at + 1; next < features.length; next += 1) {
        const pair = a * MAX_FEATURES + (features[next] ?? 0);
        this.#pairs.add(pair);
        for (let last = next + 1; last < features.length; last += 1) {
          if (this.#triples.size >= MAX_TRIPLES) break;
          this.#triples.add(pair * MAX_FEATURES + (features[last] ?? 0));
        }
      }
    }
  }

  get combinations(): Combinations {
    const { size: single } = this.#single;
    return { single, pairs: this.#pairs.size, triples: this.#triples.size };
  }

  /** The features of a request, in rising order. */
  featuresOf(deviations: readonly Choosable[], choices: Choices, defect?: string): number[] {
    const named = Object.entries(choices).flatMap(([name, choice]) => {
      const deviation = deviations.find((one) => one.name === name);
      return deviation === undefined ? [] : [`${name} ${classOf(deviation, choice)}`];
    });
    const all = defect === undefined ? named : [...named, `defect ${defect}`];
    return all
      .map((name) => this.#numberOf(name))
      .filter((number) => number < MAX_FEATURES)
      .sort((a, b) => a - b);
  }

  #numberOf(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    if (number < MAX_FEATURES) this.#numbers.set(name, number);
    return number;
  }
}

function classOf({ listed }: Choosable, choice: number): string {
  if (choice >= listed) return 'beyond';
  return choice < FINE ? String(choice) : `about ${2 ** Math.floor(Math.log2(choice))}`;
}
