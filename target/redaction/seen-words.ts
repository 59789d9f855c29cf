import type { Exchange } from '../../contracts/wire/exchange.ts';

const BITS = 1 << 20;
/** No more of a body is looked at. */
const MAX_CHARACTERS = 1 << 18;
/** Shorter words are everywhere. */
const MIN_CHARACTERS = 4;
/** Of the hash (FNV-1a). */
const HASH_BASIS = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

/**
 * The words of a run so far, as bits of their hashes (Bloom, 1970): bounded whatever a target sends. It
 * may take a word for seen that was not, the more the more there were, and never the other way round.
 */
export class SeenWords {
  readonly #bits = new Uint8Array(BITS / 8);

  /** Takes in the words of an exchange as it was; the credential it was sent with is none. */
  addExchange({ request, outcome }: Exchange): void {
    this.addText(request.url);
    for (const [name, value] of request.headers) {
      if (name.toLowerCase() !== 'authorization') this.addText(value);
    }
    if (request.body !== null) this.addText(request.body.text);
    if (outcome.kind === 'failure') return;
    for (const [, value] of outcome.response.headers) this.addText(value);
    this.addText(outcome.response.body.text);
  }

  addText(text: string): void {
    const length = Math.min(text.length, MAX_CHARACTERS);
    for (let at = 0; at < length; at += 1) {
      let hash = HASH_BASIS;
      const start = at;
      for (let code = text.charCodeAt(at); code < 128 && WORD[code] === 1;) {
        hash = Math.imul(hash ^ code, HASH_PRIME);
        at += 1;
        code = at < length ? text.charCodeAt(at) : 0;
      }
      if (at - start >= MIN_CHARACTERS) this.#set(hash >>> 0);
    }
  }

  /** Whether a text is made of words that were all seen. */
  has(text: string): boolean {
    return text.split(/[^A-Za-z0-9_+~-]+/).every((word) => {
      if (word.length < MIN_CHARACTERS) return true;
      let hash = HASH_BASIS;
      for (let at = 0; at < word.length; at += 1) {
        hash = Math.imul(hash ^ word.charCodeAt(at), HASH_PRIME);
      }
      return this.#isSet(hash >>> 0);
    });
  }

  #set(hash: number): void {
    for (const bit of [hash % BITS, spread(hash) % BITS]) {
      this.#bits[bit >> 3] = (this.#bits[bit >> 3] ?? 0) | (1 << (bit & 7));
    }
  }

  #isSet(hash: number): boolean {
    return [hash % BITS, spread(hash) % BITS].every(
      (bit) => ((this.#bits[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0,
    );
  }
}

/** Whether a character is part of a word: letters, digits and `_ - + ~`. */
const WORD = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9_+~-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** A second hash out of the first. */
function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}
