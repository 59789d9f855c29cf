/** Nights before a change, at least, and after it. */
const MIN_BEFORE = 8;
const MIN_AFTER = 3;
/** The night of a segment, from 1, at which it is looked at first. */
export const FIRST_LOOK = 20;

/** A place where a series may have changed. */
export interface Split {
  /** Nights before it. */
  readonly before: number;
  /** Standardised Mann–Whitney statistic; above 0 if the later nights are higher. */
  readonly z: number;
}

/**
 * The Mann–Whitney statistics of every split of a series that grows night by night, after D. M. Hawkins
 * and Q. Deng, "A nonparametric change-point control chart", Journal of Quality Technology 42 (2010).
 * Only ranks count, so that no distribution of the nights is assumed. A night costs as many steps as
 * there are nights before it. Equal values count half, and the variance is corrected for them
 * (E. L. Lehmann, Nonparametrics, 1975, section 1.4).
 */
export class SplitScan {
  readonly #values: number[] = [];
  /** For each number of nights before a split: pairs of one before and a higher one after. */
  readonly #wins: number[] = [];
  /** Sum of t³ − t over groups of t equal values. */
  #ties = 0;

  /** @param values the first nights */
  constructor(values: readonly number[] = []) {
    for (const value of values) this.add(value);
  }

  /** Takes the next night. */
  add(value: number): void {
    let wins = 0;
    let equal = 0;
    this.#values.forEach((earlier, at) => {
      if (earlier < value) wins += 1;
      else if (earlier === value) {
        wins += 0.5;
        equal += 1;
      }
      this.#wins[at + 1] = (this.#wins[at + 1] ?? 0) + wins;
    });
    this.#ties += 3 * equal * (equal + 1);
    this.#values.push(value);
  }

  get values(): readonly number[] {
    return this.#values;
  }

  /** The split with the largest statistic; undefined before the first look. */
  strongest(): Split | undefined {
    const nights = this.#values.length;
    if (nights < FIRST_LOOK) return undefined;
    const tied = this.#ties / (nights * (nights - 1));
    let strongest: Split = { before: MIN_BEFORE, z: 0 };
    for (let before = MIN_BEFORE; before <= nights - MIN_AFTER; before += 1) {
      const pairs = before * (nights - before);
      const variance = (pairs / 12) * (nights + 1 - tied);
      const wins = this.#wins[before] ?? 0;
      const z = variance > 0 ? (wins - pairs / 2) / Math.sqrt(variance) : 0;
      if (Math.abs(z) > Math.abs(strongest.z)) strongest = { before, z };
    }
    return strongest;
  }
}
