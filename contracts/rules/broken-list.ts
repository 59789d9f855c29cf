import type { Broken } from '../judging/rule.ts';

/** At most this many are listed for one answer; more are counted. */
const MOST = 1_000;

/** What is broken in a list or map of an answer, of which a target chooses the length. */
export class BrokenList {
  readonly #listed: Broken[] = [];
  #more = 0;

  /** @param make called if there is still room to list it */
  add(make: () => Broken): void {
    if (this.#listed.length < MOST) this.#listed.push(make());
    else this.#more += 1;
  }

  /** Those that are listed; those that are not are counted along with the last. */
  all(): readonly Broken[] {
    const last = this.#listed.at(-1);
    if (last === undefined || this.#more === 0) return this.#listed;
    return [...this.#listed.slice(0, -1), { ...last, times: (last.times ?? 1) + this.#more }];
  }
}
