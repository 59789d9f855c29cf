/** What is known of a text. */
interface Known<T> {
  readonly text: string;
  readonly value: T;
}

/** A power of two; a run meets some hundred different texts of a kind. */
const SLOTS = 2_048;

/**
 * Remembers what was found out about texts that come again and again, such as addresses. Each answer that
 * is parsed holds copies of its own, and to look a new text up in a Map takes the hash of all of it; so those met
 * last are found by a few of their characters, and compared. Memory is bounded.
 */
export class TextMemo<T> {
  readonly #known = new Map<string, Known<T>>();
  readonly #slots: (Known<T> | undefined)[] = Array.from({ length: SLOTS }, () => undefined);
  readonly #most: number;

  /** @param most so many texts are remembered; with one more it begins again */
  constructor(most: number) {
    this.#most = most;
  }

  /** What is known of a text; undefined if nothing is. */
  find(text: string): T | undefined {
    const slot = slotOf(text);
    const last = this.#slots[slot];
    if (last?.text === text) return last.value;
    const known = this.#known.get(text);
    if (known === undefined) return undefined;
    this.#slots[slot] = known;
    return known.value;
  }

  /** Remembers what was found out about a text of which nothing is known; the value for whoever adds it. */
  add(text: string, value: T): T {
    if (this.#known.size >= this.#most) this.forget();
    // A copy, since a slice would keep the whole text alive that it was cut from.
    const copy = Array.from(text).join('');
    const known = { text: copy, value };
    this.#known.set(copy, known);
    this.#slots[slotOf(copy)] = known;
    return value;
  }

  /** Remembers nothing any more. */
  forget(): void {
    this.#known.clear();
    this.#slots.fill(undefined);
  }
}

/** By its last characters and one in the middle, as beginnings are much the same. */
function slotOf(text: string): number {
  const { length } = text;
  const mixed =
    Math.imul(text.charCodeAt(length - 1), 0x1f) ^
    Math.imul(text.charCodeAt(length - 2), 0x1f3) ^
    Math.imul(text.charCodeAt(length - 3), 0x2f1) ^
    Math.imul(text.charCodeAt(length - 6), 0x1a35) ^
    Math.imul(text.charCodeAt(length >> 1), 0x9e3) ^
    length;
  return (mixed ^ (mixed >>> 7)) & (SLOTS - 1);
}
