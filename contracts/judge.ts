import type { Observation, Observer } from './ledger.ts';
import type { Contract, ContractOperation } from './schema.ts';
import type { Answer, Rule, Witness } from './rule.ts';
import { Sighting } from './sighting.ts';
import type { Finding } from './tally.ts';
import { Tally } from './tally.ts';
import type { RuleResult, Verdict, Waiver } from './verdict.ts';
import { resultOf } from './verdict.ts';
import type { ApiName, Exchange } from './wire/exchange.ts';
import { View } from './view.ts';

export type { Finding, RuleResult, Verdict, Waiver };

/** Exchanges by what became of them. */
export interface Counts {
  exchanges: number;
  answered: number;
  throttled: number;
  failed: number;
}

/** The tallies and sightings that look at one operation and one kind of answer. */
interface Desk {
  readonly tallies: readonly Tally[];
  /** By the kind of relation, those that look only at exchanges that are marked with it. */
  readonly related: ReadonlyMap<string, readonly Tally[]>;
  readonly sightings: readonly Sighting[];
}

/** What may come of a request. */
type Kind = 'success' | 'error' | 'throttled' | 'failed';

/** Which kinds an answer that a rule names stands for. */
const KINDS: Readonly<Record<Answer, readonly Kind[]>> = {
  success: ['success'],
  error: ['error'],
  throttled: ['throttled'],
  answered: ['success', 'error'],
  any: ['success', 'error', 'failed'],
};

/** What an exchange addressed, and what came of it. */
interface Place {
  readonly api: ApiName;
  readonly operation: string | undefined;
  readonly kind: Kind;
}

/** Whether a rule or observer speaks of an operation of an API, and of a kind of answer. */
function speaksOf(
  { api, operations, answer }: Pick<Observer, 'api' | 'operations' | 'answer'>,
  place: Place,
): boolean {
  if (api !== place.api || !KINDS[answer].includes(place.kind)) return false;
  return (
    operations === '*' || (place.operation !== undefined && operations.includes(place.operation))
  );
}

/**
 * Judges exchanges one by one as they come. Pure but for its own tallies: it knows no clock, no
 * network and no randomness, and keeps no exchange, so the same exchanges give the same results.
 */
export class Judge {
  readonly counts: Counts = { exchanges: 0, answered: 0, throttled: 0, failed: 0 };
  readonly #contract: Contract;
  readonly #inHand: Int32Array;
  readonly #tallies: readonly Tally[];
  /** By operation id; under the name of an API those that speak of all that is below it. */
  readonly #talliesByPlace = new Map<string, Tally[]>();
  readonly #sightings: readonly Sighting[];
  /** By operation, or by API for what addresses none. */
  readonly #desks: Readonly<Record<Kind, Map<ContractOperation | ApiName, Desk>>> = {
    success: new Map(),
    error: new Map(),
    throttled: new Map(),
    failed: new Map(),
  };
  readonly #answeredApis = new Set<ApiName>();
  readonly #servingApis = new Set<ApiName>();

  /**
   * @param inHand told where the judge is, for whoever watches it from another thread: how many
   *   exchanges it was given, and the place of the rule at work among the rules, from 1; 0 when none is
   */
  constructor(
    rules: readonly Rule[],
    contract: Contract,
    observers: readonly Observer[] = [],
    inHand: Int32Array = new Int32Array(2),
  ) {
    this.#contract = contract;
    this.#inHand = inHand;
    this.#tallies = rules.map((rule, at) => new Tally(rule, at + 1));
    for (const tally of this.#tallies) {
      const { api, operations } = tally.rule;
      for (const place of operations === '*' ? [api] : new Set(operations)) {
        const there = this.#talliesByPlace.get(place);
        if (there === undefined) this.#talliesByPlace.set(place, [tally]);
        else there.push(tally);
      }
    }
    this.#sightings = observers.map((observer) => new Sighting(observer));
  }

  /** Judges one more exchange. */
  add(exchange: Exchange): void {
    const { id, api, request, relations } = exchange;
    const inHand = this.#inHand;
    inHand[0] = this.counts.exchanges + 1;
    const operation = this.#contract.find(api, request.method, request.path);
    const view = new View(exchange, operation);
    const kind = kindOf(view);
    this.#count(api, kind);
    const { tallies, related, sightings } = this.#deskOf(api, operation, kind);
    const witness: Witness = { id, request };
    for (const sighting of sightings) sighting.look(view);
    for (const tally of tallies) {
      inHand[1] = tally.place;
      tally.look(view, witness);
    }
    for (const relation of new Set(relations.map((one) => one.kind))) {
      for (const tally of related.get(relation) ?? []) {
        inHand[1] = tally.place;
        tally.look(view, witness);
      }
    }
    inHand[1] = 0;
  }

  /** Whether an exchange has shown already that a rule is broken; never true of run rules. */
  isBroken(ruleId: string): boolean {
    return this.#tallies.some(({ rule, isBroken }) => isBroken && rule.id === ruleId);
  }

  /** APIs that gave at least one response. */
  get answeredApis(): ReadonlySet<ApiName> {
    return this.#answeredApis;
  }

  /** APIs that gave at least one successful response. */
  get servingApis(): ReadonlySet<ApiName> {
    return this.#servingApis;
  }

  /**
   * The verdicts so far; more exchanges may follow.
   *
   * @param waivers known failures that are accepted
   * @param today the day of the run, `YYYY-MM-DD`: a waiver that expired before it no longer holds
   */
  results(waivers: readonly Waiver[] = [], today = ''): RuleResult[] {
    const results = this.#tallies.map((tally) => {
      this.#inHand[1] = tally.place;
      const waiver = waivers.find(({ rule }) => rule === tally.rule.id);
      return resultOf(tally.concluded(), waiver, today);
    });
    this.#inHand[1] = 0;
    return results;
  }

  #count(api: ApiName, kind: Kind): void {
    this.counts.exchanges += 1;
    if (kind === 'failed') {
      this.counts.failed += 1;
      return;
    }
    this.#answeredApis.add(api);
    if (kind === 'success') this.#servingApis.add(api);
    if (kind === 'throttled') this.counts.throttled += 1;
    else this.counts.answered += 1;
  }

  /** What was seen of the silences so far; a silence that nothing was seen of is left out. */
  ledger(): Observation[] {
    return this.#sightings
      .filter(({ observed }) => observed.size > 0)
      .map(({ observer: { id, clause }, observed }) => ({ id, clause, observed: [...observed] }));
  }

  #deskOf(api: ApiName, operation: ContractOperation | undefined, kind: Kind): Desk {
    const desks = this.#desks[kind];
    const place = operation ?? api;
    let desk = desks.get(place);
    if (desk === undefined) {
      desk = this.#newDesk({ api, operation: operation?.id, kind });
      desks.set(place, desk);
    }
    return desk;
  }

  #newDesk(place: Place): Desk {
    const tallies: Tally[] = [];
    const related = new Map<string, Tally[]>();
    const ofApi = this.#talliesByPlace.get(place.api) ?? [];
    const ofOperation = this.#talliesByPlace.get(place.operation ?? '') ?? [];
    for (const tally of [...ofApi, ...ofOperation]) {
      if (!speaksOf(tally.rule, place)) continue;
      const { relation } = tally.rule;
      if (relation === undefined) tallies.push(tally);
      else related.set(relation, [...(related.get(relation) ?? []), tally]);
    }
    return {
      tallies,
      related,
      sightings: this.#sightings.filter(({ observer }) => speaksOf(observer, place)),
    };
  }
}

function kindOf(view: View): Kind {
  if (view.status === 0) return 'failed';
  if (view.throttled) return 'throttled';
  return view.succeeded ? 'success' : 'error';
}

/**
 * Judges a finished list of exchanges.
 *
 * @returns a result for each rule, in the order of the rules
 */
export function judge(
  rules: readonly Rule[],
  contract: Contract,
  exchanges: Iterable<Exchange>,
): RuleResult[] {
  const judging = new Judge(rules, contract);
  for (const exchange of exchanges) judging.add(exchange);
  return judging.results();
}
