import { machineNotice } from '../../contracts/wire/machine/machine-failure.ts';
import type { GeneratorFacts } from './engine.ts';

/** Requests that this machine could not send: no samples, since the target never saw them. */
export class Unsent {
  #count = 0;
  #why: string | undefined;

  /** @param why in words, of the first of them */
  add(why: string): void {
    this.#count += 1;
    this.#why ??= why;
  }

  get count(): number {
    return this.#count;
  }

  /** What is said of them, if there are any. */
  problems(): Pick<GeneratorFacts, 'problems'> {
    return this.#why === undefined
      ? {}
      : { problems: [machineNotice(this.#count, this.#why, ' of the load')] };
  }
}
