import type { Exchange } from '../../contracts/wire/exchange.ts';

/** Exchanges up to a number of bytes, those that matter most before others, whatever comes first. */
export class KeptExchanges {
  readonly #ranks: ReadonlyMap<string, number>;
  readonly #mostBytes: number;
  readonly #kept = new Map<number, { readonly exchange: Exchange; readonly bytes: number }>();
  #bytes = 0;

  /**
   * @param ranks of those that are wanted, by id, 0 for what matters most
   * @param mostBytes of all that are kept, as JSON
   */
  constructor(ranks: ReadonlyMap<string, number>, mostBytes: number) {
    this.#ranks = ranks;
    this.#mostBytes = mostBytes;
  }

  /** Keeps an exchange, if it is wanted and there is room or something matters less. */
  add(exchange: Exchange): void {
    const rank = this.#ranks.get(exchange.id);
    if (rank === undefined || this.#kept.has(rank)) return;
    const bytes = Buffer.byteLength(JSON.stringify(exchange));
    // Alone it would leave no room for any other.
    if (bytes > this.#mostBytes / 2) return;
    this.#kept.set(rank, { exchange, bytes });
    this.#bytes += bytes;
    while (this.#bytes > this.#mostBytes) this.#drop(Math.max(...this.#kept.keys()));
  }

  /** Those that are kept, what matters most first. */
  get exchanges(): readonly Exchange[] {
    return [...this.#kept].sort(([a], [b]) => a - b).map(([, { exchange }]) => exchange);
  }

  #drop(rank: number): void {
    this.#bytes -= this.#kept.get(rank)?.bytes ?? 0;
    this.#kept.delete(rank);
  }
}
