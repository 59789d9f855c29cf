import { isObject } from '../../wire/json.ts';
import type { RecordedRequest } from '../../wire/exchange.ts';
import type { View } from '../view.ts';
import type { Reply } from './reply.ts';

/** Different valid requests to one operation that were refused each time they were sent. */
export interface Refusals {
  readonly count: number;
  /** The status and code that most of them were refused with. */
  readonly said: string;
  readonly saidCount: number;
  /** How many of them were sent more than once, and refused again. */
  readonly again: number;
  /**
   * Values that no request was served with, though some were with the other one, e.g. `gasless: true`; all
   * requests with one, several of these, were refused.
   */
  readonly values: readonly RefusedValue[];
}

/** A value with which each request was refused. */
export interface RefusedValue {
  readonly value: string;
  readonly count: number;
  /** The status and code that most of them were refused with. */
  readonly said: string;
}

interface Refused {
  times: number;
  readonly said: string;
  readonly values: readonly string[];
}

/** Of one operation so many different requests are known at the most. */
const MOST_KNOWN = 500;
/** Fewer may be refused for what they ask for. */
const LEAST = 3;
/** All that refuses a request. */
const REFUSED: readonly Reply[] = ['refused', 'denied', 'missing'];

/** Follows which valid requests of one operation were refused each time. Bounded. */
export class RefusedEachTime {
  /** What a request was refused with, and its values; undefined if it was answered otherwise at some time. */
  readonly #requests = new Map<string, Refused | undefined>();
  readonly #servedValues = new Set<string>();
  /** Of requests that were neither served nor refused. */
  readonly #otherValues = new Set<string>();

  /** Counts the answer to one more valid request. */
  add(view: View, reply: Reply): void {
    if (reply === 'throttled') return;
    const name = nameOf(view.exchange.request);
    const values = valuesIn(view.requestJson);
    const isRefused = REFUSED.includes(reply) && view.status < 500;
    const seen = reply === 'served' ? this.#servedValues : this.#otherValues;
    if (!isRefused && seen.size < MOST_KNOWN) for (const value of values) seen.add(value);
    const isNew = !this.#requests.has(name);
    if (isNew && this.#requests.size >= MOST_KNOWN) return;
    if (!isRefused) this.#requests.set(name, undefined);
    else if (isNew) {
      const said = `${view.status} ${view.errorCode?.slice(0, 100) ?? ''}`.trim();
      this.#requests.set(name, { times: 1, said, values });
    } else {
      const known = this.#requests.get(name);
      if (known !== undefined) known.times += 1;
    }
  }

  /**
   * Those refused each time, if there are several.
   *
   * @param leastTimes those that were sent less often are left out
   */
  refusals(leastTimes: number): Refusals | undefined {
    const refused = [...this.#requests.values()]
      .flatMap((one) => one ?? [])
      .filter(({ times }) => times >= leastTimes);
    if (refused.length < LEAST) return undefined;
    const all = new Set(refused.flatMap(({ values }) => values));
    const rows = [...all]
      .filter((value) => this.#isRefused(value))
      .map((value) => ({ value, of: refused.filter(({ values }) => values.includes(value)) }))
      .filter(({ of }) => of.length >= LEAST);
    // With a value that comes with another one only, nobody knows which of them is refused.
    const own = rows.filter(
      ({ of }) =>
        !rows.some(
          (other) =>
            other.of.length > of.length && of.every(({ values }) => values.includes(other.value)),
        ),
    );
    return {
      ...{ count: refused.length, ...mostOf(refused) },
      again: refused.filter(({ times }) => times > 1).length,
      values: own.map(({ value, of }) => ({ value, count: of.length, said: mostOf(of).said })),
    };
  }

  /** Whether a value was never served nor answered otherwise than by refusing, and its opposite was served. */
  #isRefused(value: string): boolean {
    const [name = '', is] = value.split(': ');
    const opposite = `${name}: ${String(is !== 'true')}`;
    return (
      this.#servedValues.has(opposite) &&
      !this.#servedValues.has(value) &&
      !this.#otherValues.has(value)
    );
  }
}

/** What most of several requests were refused with. */
function mostOf(refused: readonly Refused[]): Pick<Refusals, 'said' | 'saidCount'> {
  const counts = new Map<string, number>();
  for (const { said } of refused) counts.set(said, (counts.get(said) ?? 0) + 1);
  const [said = '', saidCount = 0] =
    [...counts].toSorted(([, one], [, other]) => other - one)[0] ?? [];
  return { said, saidCount };
}

/** The members of a body that are true or false, with their values. */
function valuesIn(json: unknown): string[] {
  if (!isObject(json)) return [];
  return Object.entries(json)
    .filter(([, value]) => typeof value === 'boolean')
    .slice(0, 20)
    .map(([name, value]) => `${name.slice(0, 60).replaceAll(':', ' ')}: ${String(value)}`);
}

function nameOf({ method, path, body }: RecordedRequest): string {
  return `${method} ${path} ${body?.text.slice(0, 2_000) ?? ''}`;
}
