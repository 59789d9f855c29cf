import type { RunSearch, SearchReach } from '../../contracts/run/run.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { Reaches } from '../driven-service.ts';
import { answerKindOf } from './answer-kind.ts';
import type { Combinations, Coverage } from './coverage.ts';

/** Of each thing at most this many different ones are distinguished; a target chooses how many it has. */
const MAX_DIFFERENT = 20_000;

/** What of a run is counted; the words are those of the report. */
type Counted = SearchReach['what'];

/** Different things of one sort, and when the last new one came. */
class Different {
  readonly #known = new Set<string>();
  /** Requests that had been sent by then. */
  newestAt = 0;
  before = 0;

  note(what: string, requests: number): boolean {
    if (this.#known.has(what) || this.#known.size >= MAX_DIFFERENT) return false;
    this.#known.add(what);
    this.newestAt = requests;
    return true;
  }

  get size(): number {
    return this.#known.size;
  }
}

/**
 * What a run has reached: combinations of what its requests depart in, what was served of the
 * service, kinds of answers; and how many requests ago something new was met.
 */
export class Reach {
  readonly #contract: Contract;
  readonly #reaches: Reaches;
  readonly #different = new Map<Counted, Different>();
  /** Of all generators of the run. */
  coverages: readonly Coverage[] = [];
  /** How often {@link Reach.see} has said that an answer is new. */
  newKinds = 0;
  readonly #combined = { single: 0, pairs: 0, triples: 0 };
  readonly #newestAt = { single: 0, pairs: 0, triples: 0 };
  #before: Combinations = { single: 0, pairs: 0, triples: 0 };
  #requests = 0;
  #requestsBefore = 0;

  /** @param reaches what of served exchanges is counted, besides kinds of answers */
  constructor(contract: Contract, reaches: Reaches = { what: [], in: () => [] }) {
    this.#contract = contract;
    this.#reaches = reaches;
  }

  /** Takes note of an exchange. @returns whether its answer is of a kind that was not met before */
  see(exchange: Exchange): boolean {
    this.#requests += 1;
    const { api, request, outcome } = exchange;
    const operation = this.#contract.find(api, request.method, request.path)?.id ?? 'elsewhere';
    const isNew = this.#note('kinds of answers', answerKindOf(exchange, operation));
    if (isNew) this.newKinds += 1;
    if (outcome.kind === 'failure') return isNew;
    const { status } = outcome.response;
    if (status < 200 || status > 299) return isNew;
    for (const [what, name] of this.#reaches.in(exchange)) this.#note(what, name);
    return isNew;
  }

  /** Takes note that a generated case has been sent. */
  sent(): void {
    const now = combinationsOf(this.coverages);
    for (const key of ['single', 'pairs', 'triples'] as const) {
      if (now[key] > this.#combined[key]) this.#newestAt[key] = this.#requests;
      this.#combined[key] = now[key];
    }
  }

  /** Whether more was sent than a gate sends as well. */
  get hasBegun(): boolean {
    return this.#requestsBefore > 0;
  }

  /** Says that what a gate sends as well ends here. */
  endOfGate(): void {
    this.#requestsBefore = this.#requests;
    this.#before = { ...this.#combined };
    for (const different of this.#different.values()) different.before = different.size;
  }

  /** What the requests since the end of the gate's added. */
  report(): RunSearch {
    const ago = (at: number): number => this.#requests - at;
    const combined = (
      [
        ['values of fields', 'single'],
        ['pairs of them', 'pairs'],
        ['triples of them', 'triples'],
      ] as const
    ).map(([what, key]) => ({
      what,
      before: this.#before[key],
      now: this.#combined[key],
      newestRequestsAgo: ago(this.#newestAt[key]),
    }));
    const others = [...this.#reaches.what, 'kinds of answers' as const].map((what) => {
      const { before = 0, size = 0, newestAt = 0 } = this.#different.get(what) ?? {};
      return { what, before, now: size, newestRequestsAgo: ago(newestAt) };
    });
    return {
      requests: this.#requests - this.#requestsBefore,
      reached: [...combined, ...others],
    };
  }

  #note(counted: Counted, what: string): boolean {
    let different = this.#different.get(counted);
    if (different === undefined) this.#different.set(counted, (different = new Different()));
    return different.note(what, this.#requests);
  }
}

function combinationsOf(coverages: readonly Coverage[]): Combinations {
  const sum = { single: 0, pairs: 0, triples: 0 };
  for (const { combinations } of coverages) {
    sum.single += combinations.single;
    sum.pairs += combinations.pairs;
    sum.triples += combinations.triples;
  }
  return sum;
}
