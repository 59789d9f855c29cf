import { machineNotice, type NodeOnTheWay } from '../../contracts/wire/machine/machine-failure.ts';
import type { GeneratorFacts } from '../engine.ts';

/** Requests that this machine could not send, or the way did not carry: no samples, since the target never saw them. */
export class Unsent {
  #count = 0;
  #first: { readonly why: string; readonly failed: NodeOnTheWay } | undefined;

  /** @param why in words, of the first of them */
  add(why: string, failed: NodeOnTheWay = 'This machine'): void {
    this.#count += 1;
    this.#first ??= { why, failed };
  }

  get count(): number {
    return this.#count;
  }

  /** What is said of them, if there are any. */
  problems(): Pick<GeneratorFacts, 'problems'> {
    if (this.#first === undefined) return {};
    const { why, failed } = this.#first;
    return { problems: [machineNotice(this.#count, why, ' of the load', failed)] };
  }
}
