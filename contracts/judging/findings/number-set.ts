const BITS = 32;

/** Whole numbers from 0, a bit each: one set for each rule holds the exchanges that it judged. */
export class NumberSet {
  #words = new Uint32Array(4);

  add(number: number): void {
    const at = Math.floor(number / BITS);
    if (at >= this.#words.length) {
      const more = new Uint32Array(2 * at);
      more.set(this.#words);
      this.#words = more;
    }
    this.#words[at] = (this.#words[at] ?? 0) | (1 << (number % BITS));
  }

  has(number: number): boolean {
    return ((this.#words[Math.floor(number / BITS)] ?? 0) & (1 << (number % BITS))) !== 0;
  }

  /** One more than the greatest that there is room for. */
  get room(): number {
    return this.#words.length * BITS;
  }
}
