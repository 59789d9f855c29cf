import type { ApiName } from '../../wire/exchange.ts';
import type { Reply, Said } from './reply.ts';

/** A row of exchanges in which an API, or one operation of it, gave errors of the service or no answer alone. */
export interface OutageRow {
  readonly api: ApiName;
  /** The operation that all of them asked for; absent of a row of several. */
  readonly operation?: string;
  /** Numbers of exchanges, from 0; both are of the row. */
  readonly first: number;
  readonly last: number;
  /** Their ids. */
  readonly from: string;
  readonly until: string;
  readonly count: number;
  readonly said: Said | undefined;
}

/** What requests have in common that ask the same, and the operations that they address, by their numbers. */
interface Requests {
  nameOf: (number: number) => number;
  operationOf: (number: number) => string | undefined;
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
/** Of a row at one operation so many are of requests that are answered otherwise at another time. */
const LEAST_AGAIN = 8;
/** An operation that fails at random, as often as beside the row, has so long a row in 1 of so many runs at most. */
const CERTAIN = 1_000;
/** What has more rows fails at times: that is a rate. */
const MOST_OF_OPERATION = 2;
/** More rows of one run are not remembered. */
const MOST_ROWS = 200;
/** So many exchanges of a row are compared with others. */
const MOST_NUMBERS = 1_000;

interface Row extends OutageRow {
  readonly operations: Set<string | undefined>;
  readonly numbers: number[];
}

/** How an operation answered, throttled answers left out. */
interface Counts {
  answers: number;
  errors: number;
}

const NO_END = { last: 0, until: '', count: 0, said: undefined };

/**
 * Finds when an API, or one operation, was out within a run: errors alone to what is served at other times. What one
 * operation gives is an outage only if it is over, and no chance.
 */
export class OutageRows {
  readonly #asked: Requests;
  readonly #ended: Row[] = [];
  /** By API, and by operation. */
  readonly #open = new Map<string, Row>();
  readonly #counts = new Map<string, Counts>();
  /** What requests that did not fail have in common with others that ask the same. */
  readonly #answered = new Set<number>();
  #known: { readonly at: number; readonly rows: readonly OutageRow[] } | undefined;
  #count = 0;

  constructor(asked: Requests) {
    this.#asked = asked;
  }

  /** Takes one more exchange. */
  add(answered: Answered): void {
    const { number, api, operation, reply } = answered;
    this.#count += 1;
    if (reply === 'throttled') return;
    const isError = reply === 'failed' || reply === 'unanswered';
    if (!isError) this.#answered.add(this.#asked.nameOf(number));
    this.#follow(api, answered, isError);
    if (operation === undefined) return;
    this.#follow(operation, answered, isError);
    const counts = this.#counts.get(operation) ?? { answers: 0, errors: 0 };
    this.#counts.set(operation, counts);
    counts.answers += 1;
    if (isError) counts.errors += 1;
  }

  #follow(key: string, { number, id, api, operation, said }: Answered, isError: boolean): void {
    const row = this.#open.get(key);
    if (!isError) {
      if (row === undefined) return;
      this.#open.delete(key);
      if (isLong(row) && this.#ended.length < MOST_ROWS) this.#ended.push(row);
      return;
    }
    const known = row ?? {
      ...{ api, first: number, from: id, operations: new Set(), numbers: [], ...NO_END },
      ...(key === operation ? { operation } : {}),
    };
    this.#open.set(key, known);
    Object.assign(known, { last: number, until: id, count: known.count + 1, said });
    known.operations.add(operation);
    if (known.numbers.length < MOST_NUMBERS) known.numbers.push(number);
  }

  /** All so far: of an API be they over or not, of one operation those that are over. */
  get rows(): readonly OutageRow[] {
    if (this.#known?.at !== this.#count) this.#known = { at: this.#count, rows: this.#found() };
    return this.#known.rows;
  }

  /** Whether an API, or the operation of an exchange, was out when that was made, by its number. */
  isOut(api: ApiName, number: number): boolean {
    return this.rows.some((row) => row.api === api && this.#holds(row, number));
  }

  #holds({ first, last, operation }: OutageRow, number: number): boolean {
    const isWithin = first <= number && number <= last;
    return isWithin && (operation === undefined || operation === this.#asked.operationOf(number));
  }

  #found(): OutageRow[] {
    const all = [...this.#ended, ...this.#open.values()].filter((row) => this.#isOtherwise(row));
    const ofApis = all.filter((row) => row.operation === undefined && isLong(row));
    const ofOperations = this.#ended.filter(
      (row) => all.includes(row) && this.#isCertain(row) && !isWithinSome(row, ofApis),
    );
    const times = countedBy(ofOperations.map(({ operation }) => operation));
    const few = ofOperations.filter((row) => (times.get(row.operation) ?? 0) <= MOST_OF_OPERATION);
    return [...ofApis, ...few];
  }

  #isOtherwise({ numbers, operation }: Row): boolean {
    const names = numbers.map((number) => this.#asked.nameOf(number));
    const again = names.filter((name) => this.#answered.has(name));
    const isEnough = operation === undefined || again.length >= LEAST_AGAIN;
    return isEnough && new Set(again).size >= LEAST_OTHERWISE;
  }

  /** Whether a row of one operation is no chance, by how often that fails otherwise. */
  #isCertain({ operation, count }: Row): boolean {
    const counts = operation === undefined ? undefined : this.#counts.get(operation);
    if (counts === undefined) return false;
    const { answers, errors } = counts;
    const share = (errors - count + 1) / (answers - count + 2);
    return answers * share ** count * CERTAIN < 1;
  }
}

function isLong({ count, operation, operations }: Row): boolean {
  return operation === undefined ? count >= LEAST && operations.size > 1 : count >= LEAST_AGAIN;
}

/** Whether a row of one operation says no more than those of its API. */
function isWithinSome({ api, numbers }: Row, rows: readonly Row[]): boolean {
  const own = rows.filter((row) => row.api === api);
  const beside = numbers.filter(
    (one) => !own.some(({ first, last }) => first <= one && one <= last),
  );
  return beside.length < LEAST_AGAIN;
}

function countedBy<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
