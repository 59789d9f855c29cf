import { isObject, listOf, member } from '../../contracts/run/json.ts';
import type { RunSearch, SearchReach } from '../../contracts/run/run.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import { answerKindOf } from './answer-kind.ts';
import type { Combinations, Coverage } from './coverage.ts';

/** Of each thing so many different ones are told apart; a target chooses how many it has. */
const MOST_DIFFERENT = 20_000;
/** Longer answers are not looked through for providers. */
const LONGEST = 32_768;

/** What of a run is counted; the words are those of the report. */
type Counted = SearchReach['what'];

/** Different things of one sort, and when the last new one came. */
class Different {
  readonly #known = new Set<string>();
  /** Requests that had been sent by then. */
  newestAt = 0;
  before = 0;

  note(what: string, requests: number): boolean {
    if (this.#known.has(what) || this.#known.size >= MOST_DIFFERENT) return false;
    this.#known.add(what);
    this.newestAt = requests;
    return true;
  }

  get size(): number {
    return this.#known.size;
  }
}

/**
 * What a run has reached: combinations of what its requests depart in, pairs of pool filters, chains
 * and providers that were served, kinds of answers; and how many requests ago something new was met.
 */
export class Reach {
  readonly #contract: Contract;
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

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** Takes note of an exchange. @returns whether its answer is of a kind that was not met before */
  see(exchange: Exchange): boolean {
    this.#requests += 1;
    const { api, request, outcome } = exchange;
    const operation = this.#contract.find(api, request.method, request.path)?.id ?? 'elsewhere';
    const isNew = this.#note('kinds of answers', answerKindOf(exchange, operation));
    if (isNew) this.newKinds += 1;
    if (outcome.kind === 'failure') return isNew;
    const { status, body } = outcome.response;
    if (status < 200 || status > 299) return isNew;
    this.#noteRequest(exchange);
    if (body.text.length <= LONGEST) {
      for (const provider of providersIn(jsonOrUndefined(body.text))) {
        this.#note('providers', provider);
      }
    }
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
    const others = COUNTED.map((what) => {
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

  #noteRequest({ request: { path, body } }: Exchange): void {
    const query = [...new URLSearchParams(path.split('?')[1] ?? '')];
    for (const [at, [name, value]] of query.entries()) {
      for (const [other, held] of query.slice(at + 1)) {
        this.#note('pairs of pool filters', JSON.stringify([name, value, other, held]));
      }
    }
    const json = jsonOrUndefined(body?.text ?? '');
    for (const chains of chainsIn(json, query)) {
      for (const chain of chains) this.#note('chains', String(chain));
      if (chains.length === 2) this.#note('pairs of chains', chains.join(' to '));
    }
  }
}

const COUNTED = [
  'chains',
  'pairs of chains',
  'providers',
  'pairs of pool filters',
  'kinds of answers',
] as const satisfies readonly Counted[];

function combinationsOf(coverages: readonly Coverage[]): Combinations {
  const sum = { single: 0, pairs: 0, triples: 0 };
  for (const { combinations } of coverages) {
    sum.single += combinations.single;
    sum.pairs += combinations.pairs;
    sum.triples += combinations.triples;
  }
  return sum;
}

/** The chains that a request names: one, or from where to where. */
function chainsIn(json: unknown, query: readonly (readonly [string, string])[]): unknown[][] {
  const asked = query.filter(([name]) => name === 'chainId').map(([, value]) => [value]);
  if (!isObject(json)) return asked;
  const { srcChainId, destChainId, fromChain, chainId } = json;
  const entries = listOf(json.data).map((entry) => [fromChain, member(entry, 'toChain')]);
  return [...asked, [srcChainId, destChainId], [chainId], ...entries].filter((chains) =>
    chains.every((chain) => typeof chain === 'number' || typeof chain === 'string'),
  );
}

/** The providers that an answer names: protocols of steps, and those of quotes. */
function providersIn(json: unknown): string[] {
  const steps = listOf(member(member(json, 'data'), 'path'));
  const quotes = member(json, 'quotes');
  return [
    ...steps.map((step) => member(member(step, 'protocol'), 'id')),
    ...Object.values(isObject(quotes) ? quotes : {}).map((quote) => member(quote, 'provider')),
  ].filter((id): id is string => typeof id === 'string' && id.length < 200);
}
