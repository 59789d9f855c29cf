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
  /** Values of a documented kind that all of them have, and none that was served, e.g. `gasless: true`. */
  readonly shared: readonly string[];
}

/** Of one operation so many different requests are known at the most. */
const MOST_KNOWN = 500;
/** Fewer may be refused for what they ask for. */
const LEAST = 3;
/** All that refuses a request. */
const REFUSED: readonly Reply[] = ['refused', 'denied', 'missing'];

/** Follows which valid requests of one operation were refused each time. Bounded. */
export class RefusedEachTime {
  /** What a request was refused with, and its values; undefined where it was answered otherwise at some time. */
  readonly #requests = new Map<string, { said: string; values: readonly string[] } | undefined>();
  readonly #servedValues = new Set<string>();

  /** Counts the answer to one more valid request. */
  add(view: View, reply: Reply): void {
    if (reply === 'throttled') return;
    const name = nameOf(view.exchange.request);
    const values = valuesIn(view.requestJson);
    if (reply === 'served' && this.#servedValues.size < MOST_KNOWN) {
      for (const value of values) this.#servedValues.add(value);
    }
    const isNew = !this.#requests.has(name);
    if (isNew && this.#requests.size >= MOST_KNOWN) return;
    const isRefused = REFUSED.includes(reply) && view.status < 500;
    if (!isRefused) this.#requests.set(name, undefined);
    else if (isNew) {
      const said = `${view.status} ${view.errorCode?.slice(0, 100) ?? ''}`.trim();
      this.#requests.set(name, { said, values });
    }
  }

  /** Those refused each time, where there are several. */
  get refusals(): Refusals | undefined {
    const refused = [...this.#requests.values()].flatMap((one) => one ?? []);
    const [first] = refused;
    if (first === undefined || refused.length < LEAST) return undefined;
    const counts = new Map<string, number>();
    for (const { said } of refused) counts.set(said, (counts.get(said) ?? 0) + 1);
    const [said, saidCount] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most));
    const shared = first.values.filter(
      (value) =>
        !this.#servedValues.has(value) && refused.every(({ values }) => values.includes(value)),
    );
    return { count: refused.length, said, saidCount, shared };
  }
}

/** The members of a body that are true or false, with their values. */
function valuesIn(json: unknown): string[] {
  if (!isObject(json)) return [];
  return Object.entries(json)
    .filter(([, value]) => typeof value === 'boolean')
    .slice(0, 20)
    .map(([name, value]) => `${name.slice(0, 60)}: ${String(value)}`);
}

function nameOf({ method, path, body }: RecordedRequest): string {
  return `${method} ${path} ${body?.text.slice(0, 2_000) ?? ''}`;
}
