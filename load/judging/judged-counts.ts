/** Numbers of a step before those of its rules: answers judged, and of these broken ones. */
const OF_ANSWERS = 2;
/** Numbers of a rule in a step: pieces of evidence, and of these broken ones. */
const OF_RULE = 2;

/** Judged and broken. */
export interface JudgedCount {
  readonly judged: number;
  readonly broken: number;
}

/**
 * How often each rule was judged and broken in each step. One thread writes; the memory may be shared,
 * so that another one reads what was counted even if the writing one was ended.
 */
export class JudgedCounts {
  readonly memory: SharedArrayBuffer;
  readonly steps: number;
  readonly #counts: Int32Array;
  readonly #ofStep: number;

  /** @param memory of another one of as many rules and steps; new when absent */
  constructor(rules: number, steps: number, memory?: SharedArrayBuffer) {
    this.steps = steps;
    this.#ofStep = OF_ANSWERS + OF_RULE * rules;
    this.memory =
      memory ?? new SharedArrayBuffer(steps * this.#ofStep * Int32Array.BYTES_PER_ELEMENT);
    this.#counts = new Int32Array(this.memory);
  }

  /** @param place of the rule, from 1 */
  noteEvidence(step: number, place: number, isBroken: boolean): void {
    this.#note(this.#placeOf(step, place), isBroken);
  }

  noteAnswer(step: number, isBroken: boolean): void {
    this.#note(step * this.#ofStep, isBroken);
  }

  #note(at: number, isBroken: boolean): void {
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    if (isBroken) this.#counts[at + 1] = (this.#counts[at + 1] ?? 0) + 1;
  }

  /** Answers of a step: judged, and those that broke at least one rule. */
  answers(step: number): JudgedCount {
    return this.#read(step * this.#ofStep);
  }

  /** @param place of the rule, from 1 */
  evidence(step: number, place: number): JudgedCount {
    return this.#read(this.#placeOf(step, place));
  }

  #read(at: number): JudgedCount {
    return { judged: this.#counts[at] ?? 0, broken: this.#counts[at + 1] ?? 0 };
  }

  #placeOf(step: number, place: number): number {
    return step * this.#ofStep + OF_ANSWERS + OF_RULE * (place - 1);
  }
}
