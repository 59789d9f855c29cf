import type { ApiName } from '../../wire/exchange.ts';
import type { Reply, Said } from './reply.ts';

/** A row of exchanges in which an API gave errors of the service or no answer, whatever was asked of it. */
export interface OutageRow {
  readonly api: ApiName;
  /** Numbers of exchanges, from 0; both are of the row. */
  readonly first: number;
  readonly last: number;
  /** Their ids. */
  readonly from: string;
  readonly until: string;
  readonly count: number;
  readonly said: Said | undefined;
}

/** What requests have in common that ask the same, by their numbers. */
interface Names {
  nameOf: (number: number) => number;
}

/** What is known of an exchange. */
interface Answered {
  readonly number: number;
  readonly id: string;
  readonly api: ApiName;
  readonly operation: string | undefined;
  readonly reply: Reply;
  readonly said: Said | undefined;
}

/** A service that fails in one of six does so in 1 of 40,000 rows of so many. */
const LEAST = 6;
/** So many of them are answered otherwise at another time: others may fail each time. */
const LEAST_OTHERWISE = 2;
/** More rows of one run are not remembered. */
const MOST_ROWS = 200;
/** So many exchanges of a row are compared with others. */
const MOST_NUMBERS = 1_000;

interface Row extends OutageRow {
  readonly operations: Set<string | undefined>;
  readonly numbers: number[];
}

const NO_END = { last: 0, until: '', count: 0, said: undefined };

/** Finds when an API was out within a run: errors alone, over several operations, of what is served at other times. */
export class OutageRows {
  readonly #asked: Names;
  readonly #ended: Row[] = [];
  readonly #open = new Map<ApiName, Row>();
  /** What requests that did not fail have in common with others that ask the same. */
  readonly #answered = new Set<number>();
  #known: { readonly at: number; readonly rows: readonly OutageRow[] } | undefined;
  #count = 0;

  constructor(asked: Names) {
    this.#asked = asked;
  }

  /** Takes one more exchange. */
  add({ number, id, api, operation, reply, said }: Answered): void {
    this.#count += 1;
    if (reply === 'throttled') return;
    const row = this.#open.get(api);
    if (reply !== 'failed' && reply !== 'unanswered') {
      this.#answered.add(this.#asked.nameOf(number));
      if (row === undefined) return;
      this.#open.delete(api);
      if (isLong(row) && this.#ended.length < MOST_ROWS) this.#ended.push(row);
      return;
    }
    const known = row ?? {
      api,
      first: number,
      from: id,
      operations: new Set(),
      numbers: [],
      ...NO_END,
    };
    this.#open.set(api, known);
    Object.assign(known, { last: number, until: id, count: known.count + 1, said });
    known.operations.add(operation);
    if (known.numbers.length < MOST_NUMBERS) known.numbers.push(number);
  }

  /** All so far, be they over or not. */
  get rows(): readonly OutageRow[] {
    if (this.#known?.at !== this.#count) {
      const all = [...this.#ended, ...this.#open.values()].filter(isLong);
      const rows = all.filter(({ numbers }) => this.#isOtherwise(numbers));
      this.#known = { at: this.#count, rows };
    }
    return this.#known.rows;
  }

  /** Whether an API was out when the exchange of a number was made. */
  isOut(api: ApiName, number: number): boolean {
    return this.rows.some((row) => row.api === api && row.first <= number && number <= row.last);
  }

  #isOtherwise(numbers: readonly number[]): boolean {
    const names = new Set(numbers.map((number) => this.#asked.nameOf(number)));
    return [...names].filter((name) => this.#answered.has(name)).length >= LEAST_OTHERWISE;
  }
}

function isLong({ count, operations }: Row): boolean {
  return count >= LEAST && operations.size > 1;
}
