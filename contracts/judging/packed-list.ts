import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Items that are packed together; as many at least are kept as they are. */
const BLOCK = 500;

/**
 * A list of plain data that only grows. All but the newest are packed, since the requests of a long
 * run are much alike and take a tenth of the room so.
 *
 * @template T data that survives JSON
 */
export class PackedList<T> {
  readonly #blocks: Uint8Array[] = [];
  readonly #newest: T[] = [];
  #unpacked: { readonly block: number; readonly items: readonly T[] } | undefined;

  /** @returns the place of the item, from 0 */
  add(item: T): number {
    const index = this.#blocks.length * BLOCK + this.#newest.length;
    this.#newest.push(item);
    if (this.#newest.length === 2 * BLOCK) {
      const text = JSON.stringify(this.#newest.splice(0, BLOCK));
      this.#blocks.push(deflateRawSync(text, { level: 1 }));
    }
    return index;
  }

  /** The item at a place; undefined if there is none. */
  at(index: number): T | undefined {
    const block = Math.floor(index / BLOCK);
    if (index < 0) return undefined;
    if (block >= this.#blocks.length) return this.#newest[index - this.#blocks.length * BLOCK];
    return this.#itemsOf(block)[index - block * BLOCK];
  }

  get length(): number {
    return this.#blocks.length * BLOCK + this.#newest.length;
  }

  #itemsOf(block: number): readonly T[] {
    if (this.#unpacked?.block === block) return this.#unpacked.items;
    const packed = this.#blocks[block] ?? new Uint8Array();
    // What this class packed itself.
    const items = JSON.parse(inflateRawSync(packed).toString()) as readonly T[];
    this.#unpacked = { block, items };
    return items;
  }
}
