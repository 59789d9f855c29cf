import type { Broken } from '../judging/rule.ts';

/** So many are told of one answer; more are counted. */
const MOST = 1_000;

/** What is broken in a list or map of an answer, of which a target chooses the length. */
export class BrokenList {
  readonly #told: Broken[] = [];
  #more = 0;

  /** @param make called where there is still room to tell it */
  add(make: () => Broken): void {
    if (this.#told.length < MOST) this.#told.push(make());
    else this.#more += 1;
  }

  /** Those that are told; those that are not are counted along with the last. */
  all(): readonly Broken[] {
    const last = this.#told.at(-1);
    if (last === undefined || this.#more === 0) return this.#told;
    return [...this.#told.slice(0, -1), { ...last, times: (last.times ?? 1) + this.#more }];
  }
}
