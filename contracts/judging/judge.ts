/** Long because it is one class, and all its methods read the same accumulators. */

import { CrashNotes } from './crash-notes.ts';
import { AnswerCounts, type Counts, kindOf } from './answer-counts.ts';
import { DispatchTable } from './dispatch-table.ts';
import { type InHand, type JudgeOptions, leftOutOf } from './judge-options.ts';
import { Latencies, type LatencyRow } from './latencies.ts';
import type { Observation } from './ledger.ts';
import type { Contract } from '../document/schema.ts';
import type { Rule, Witness } from './rule.ts';
import { Sighting } from './sighting.ts';
import { Accumulator } from './accumulator.ts';
import { AskedRequests } from './replies/asked-requests.ts';
import { resultOf, type RuleResult, type Verdict, type Waiver } from './verdict.ts';
import { PackedList } from './packed-list.ts';
import type { ApiName, Exchange, RecordedRequest } from '../wire/exchange.ts';
import { unsentBecause } from '../wire/exchange.ts';
import { KeptWitness } from './kept-witness.ts';
import { replacedInExchange, replacedInSuccess } from './replies/replaced.ts';
import { RequestReadings } from './request-reading.ts';
import { ServiceReplies } from './replies/service-replies.ts';
import { apisAside, setAside, type Standing, standingOf } from './replies/standing.ts';
import { View } from './view.ts';

export type { Counts, InHand, JudgeOptions, RuleResult, Verdict, Waiver };

/** Nearly all exchanges break nothing. */
const NOTHING: readonly string[] = [];
const NO_RULES: readonly number[] = [];

/** Places kept of each rule by a judge of endless exchanges; what is broken at others is counted. */
const FEW_PLACES = 5;

/**
 * Judges exchanges one by one as they come. Pure except for its own accumulators. It knows no clock, no
 * network and no randomness, and keeps no exchange, so the same exchanges give the same results.
 */
export class Judge {
  readonly #answers = new AnswerCounts();
  readonly #latencies = new Latencies();
  /** What became of what a drive asked for; nothing is counted of endless exchanges. */
  readonly replies: ServiceReplies = new ServiceReplies();
  readonly #contract: Contract;
  readonly #inHand: Int32Array;
  readonly #leaveOut: ReadonlyMap<number, readonly number[]>;
  readonly #throttleStatuses: readonly number[];
  readonly #crashes = new CrashNotes();
  readonly #tallies: readonly Accumulator[];
  readonly #sightings: readonly Sighting[];
  readonly #table: DispatchTable;
  readonly #isEndless: boolean;
  readonly #served = new Set<string>();
  /** Where the same requests come again and again, as in endless exchanges. */
  readonly #readings: RequestReadings | undefined;
  readonly #onEvidence: JudgeOptions['onEvidence'];
  readonly #onView: JudgeOptions['onView'];
  /** What is known of its requests; nothing of a sample. */
  readonly asked: AskedRequests | undefined;
  /** Whether a fact may need any exchange as its witness; else only those that break something are kept. */
  readonly #keepsRequests: boolean;
  /** All exchanges: a fact or a finding may need any of them as its witness. */
  readonly #requests = new PackedList<RecordedRequest>();
  /** Rules that the exchange in hand broke. */
  #broken: string[] = [];

  /** @throws Error if a rule over several exchanges is to judge endless ones */
  constructor(rules: readonly Rule[], contract: Contract, options: JudgeOptions = {}) {
    const {
      observers = [],
      inHand = new Int32Array(2),
      leaveOut = [],
      throttleStatuses = [],
      isEndless = false,
    } = options;
    const ofRun = rules.find(({ scope }) => scope === 'run');
    if (isEndless && ofRun !== undefined) {
      throw new Error(`${ofRun.id} keeps facts of each exchange, so it cannot judge endless ones`);
    }
    this.#isEndless = isEndless;
    this.#readings = isEndless ? new RequestReadings() : undefined;
    this.#onEvidence = options.onEvidence;
    this.#onView = options.onView;
    this.#keepsRequests = ofRun !== undefined;
    this.#contract = contract;
    this.#inHand = inHand;
    this.#throttleStatuses = throttleStatuses;
    this.#leaveOut = leftOutOf(leaveOut);
    const requests = isEndless || options.isSampled === true ? undefined : new AskedRequests();
    this.asked = requests;
    this.#tallies = rules.map(
      (rule, at) =>
        new Accumulator(rule, at + 1, {
          ...(isEndless ? { mostPlaces: FEW_PLACES } : {}),
          variables: options.credentials,
          asked: requests?.of(rule.api),
          operationOf: (request) => this.operationOf(rule.api, request),
        }),
    );
    this.#sightings = observers.map((observer) => new Sighting(observer));
    this.#table = new DispatchTable(this.#tallies, this.#sightings);
  }

  /**
   * Judges one more exchange. An error of a rule is noted as Assay's own, and the others go on.
   *
   * @returns ids of the rules over single exchanges that it breaks, each once
   */
  add(exchange: Exchange): readonly string[] {
    const number = this.counts.exchanges + 1;
    this.#inHand[0] = number;
    const leftOut = this.#leaveOut.size === 0 ? NO_RULES : (this.#leaveOut.get(number) ?? NO_RULES);
    try {
      const whyUnsent = unsentBecause(exchange);
      if (whyUnsent !== undefined) {
        this.#answers.addUnsent(whyUnsent);
        return NOTHING;
      }
      if (leftOut.length > 0 && leftOut.includes(0))
        throw new Error('judging it did not come to an end');
      this.#look(exchange, leftOut);
    } catch (error) {
      this.counts.exchanges = number;
      this.#noteCrash(undefined, exchange.id, error);
    }
    this.#inHand[1] = 0;
    if (this.#broken.length === 0) return NOTHING;
    const broken = this.#broken;
    this.#broken = [];
    return broken;
  }

  #look(exchange: Exchange, leftOut: readonly number[]): void {
    const { id, api, request, relations } = exchange;
    const view = new View(exchange, this.#contract, {
      requestReading: this.#readings?.of(request),
      throttleStatuses: this.#throttleStatuses,
    });
    const { operation } = view;
    const kind = kindOf(view);
    const variable = replacedInSuccess(view);
    if (variable !== undefined) this.#served.add(variable);
    const { accumulators, related, sightings } = this.#table.of(api, operation, kind);
    this.#answers.add(api, kind);
    const { outcome } = exchange;
    if (outcome.kind === 'failure' && outcome.failure === 'too-large' && operation !== undefined) {
      this.#answers.addTooLarge(operation.id);
    }
    this.#onView?.(view);
    if (!this.#isEndless) this.replies.add(view);
    if (kind !== 'failed' && !this.#isEndless) {
      this.#latencies.add(operation?.id ?? `${request.method} of ${api}`, exchange.latencyMs);
    }
    const at = this.asked?.add(view);
    const witness = this.#keepsRequests
      ? new KeptWitness(id, this.#requests, this.#requests.add(request), replacedInExchange(view))
      : { id, request, at };
    this.#lookWith(accumulators, view, witness, leftOut);
    // Most exchanges have none.
    if (relations.length > 0) {
      for (const relation of new Set(relations.map((one) => one.kind))) {
        this.#lookWith(related.get(relation) ?? [], view, witness, leftOut);
      }
    }
    this.#inHand[1] = 0;
    for (const sighting of sightings) sighting.look(view);
  }

  #lookWith(
    accumulators: readonly Accumulator[],
    view: View,
    witness: Witness,
    leftOut: readonly number[],
  ): void {
    let at = 0;
    while (at < accumulators.length) {
      try {
        for (; at < accumulators.length; at += 1) {
          const accumulator = accumulators[at];
          if (accumulator === undefined) continue;
          this.#inHand[1] = accumulator.place;
          if (leftOut.length > 0 && leftOut.includes(accumulator.place))
            throw new Error('it did not come to an end');
          const found = accumulator.look(view, witness);
          if (found !== undefined) this.#note(accumulator, found === 'broken');
        }
      } catch (error) {
        this.#noteCrash(accumulators[at], witness.id, error);
        at += 1;
      }
    }
  }

  #note({ rule, place }: Accumulator, isBroken: boolean): void {
    this.#onEvidence?.(place, isBroken);
    if (isBroken) this.#broken.push(rule.id);
  }

  #noteCrash(
    accumulator: Accumulator | undefined,
    exchange: string | undefined,
    error: unknown,
  ): void {
    const crash = this.#crashes.note(exchange, accumulator?.rule, error);
    if (accumulator !== undefined) accumulator.crash ??= crash;
  }

  /** What Assay itself failed to judge, in sentences without a full stop; the first few. */
  get crashes(): readonly string[] {
    return this.#crashes.crashes;
  }

  /** The same of rules that somebody's configuration brings, whose fault it is: one sentence for each. */
  get ownCrashes(): readonly string[] {
    return this.#crashes.own;
  }

  /** Whether an exchange has shown that a rule is broken: never of run rules, nor of an API that served nothing yet. */
  isBroken(ruleId: string): boolean {
    const broken = this.#tallies.find(({ rule, isBroken }) => isBroken && rule.id === ruleId);
    return broken !== undefined && !apisAside(this.standing).has(broken.rule.api);
  }

  /**
   * The exchanges that a run rule needs to be broken, as few as were found: their ids in the order of
   * sending. None of a rule that holds, and of one over single exchanges.
   */
  fewestExchanges(ruleId: string): readonly string[] {
    const accumulator = this.#tallies.find(({ rule }) => rule.id === ruleId);
    try {
      return accumulator?.fewestExchanges() ?? [];
    } catch {
      // Of a part of a run a rule need not be able to conclude; its verdict is on the whole.
      return [];
    }
  }

  /**
   * How often a rule held of requests that ask the same as those of some exchanges, outside of outages.
   *
   * @param names of these exchanges, as `nameOf` has them
   */
  keptOf(ruleId: string, names: ReadonlySet<number>): number {
    const accumulator = this.#tallies.find(({ rule }) => rule.id === ruleId);
    return accumulator === undefined ? 0 : this.#concluded(accumulator).keptOf(names);
  }

  /** Rules, observations left out, that single exchanges have shown to be broken; run rules come last. */
  get brokenSoFar(): number {
    const aside = new Set(apisAside(this.standing).keys());
    return this.#tallies.filter(
      ({ rule, isBroken }) => isBroken && rule.level !== 'observe' && !aside.has(rule.api),
    ).length;
  }

  /** The id of the operation that a request to an API addresses, if it is one. */
  operationOf(
    api: ApiName,
    { method, path }: Pick<RecordedRequest, 'method' | 'path'>,
  ): string | undefined {
    return this.#contract.find(api, method, path)?.id;
  }

  /** Exchanges so far, by what became of them. */
  get counts(): Counts {
    return this.#answers.counts;
  }

  /** How many answers of operations had bodies that passed the bound of the run. */
  tooLargeOf(operations: readonly string[]): number {
    return this.#answers.tooLargeOf(operations);
  }

  /** Why this machine could not send the first request that it could not; no rule is shown any of them. */
  get whyUnsent(): string | undefined {
    return this.#answers.whyUnsent;
  }

  /** Variables whose names stand in successes, in place of what they hold. */
  get servedVariables(): ReadonlySet<string> {
    return this.#served;
  }

  /** APIs that gave at least one response. */
  get answeredApis(): ReadonlySet<ApiName> {
    return this.#answers.answeredApis;
  }

  /** APIs that gave at least one successful response. */
  get servingApis(): ReadonlySet<ApiName> {
    return this.#answers.servingApis;
  }

  /**
   * The verdicts so far; more exchanges may follow.
   *
   * @param waivers known failures that are accepted
   * @param today the day of the run, `YYYY-MM-DD`: a waiver that expired before it no longer holds
   */
  results(waivers: readonly Waiver[] = [], today = ''): RuleResult[] {
    this.#inHand[0] = 0;
    const results = this.#tallies.map((accumulator) => {
      this.#inHand[1] = accumulator.place;
      const own = waivers.filter(({ rule }) => rule === accumulator.rule.id);
      return resultOf(this.#concluded(accumulator), own, today);
    });
    this.#inHand[1] = 0;
    return results;
  }

  #concluded(accumulator: Accumulator): Accumulator {
    try {
      if (this.#leaveOut.get(0)?.includes(accumulator.place) === true) {
        throw new Error('it did not come to an end');
      }
      return accumulator.concluded();
    } catch (error) {
      this.#noteCrash(accumulator, undefined, error);
      return accumulator;
    }
  }

  /**
   * The verdicts on a whole run of a drive. What was found where nothing was served at all is an outage
   * or a wrong address, and breaks no rule.
   */
  resultsOfRun(waivers: readonly Waiver[] = [], today = ''): RuleResult[] {
    return setAside(this.results(waivers, today), this.standing);
  }

  /** Where a drive was served nothing at all so far. */
  get standing(): Standing {
    const { operations } = this.#contract;
    return standingOf(this.replies, (api) => this.promises(api), operations);
  }

  /** Whether a rule says of an API what must be. */
  promises(api: ApiName): boolean {
    return this.#tallies.some(({ rule }) => rule.api === api && rule.level === 'must');
  }

  /** How long the operations took to answer so far. */
  latencies(): LatencyRow[] {
    return this.#latencies.rows();
  }

  /** What was seen of the unspecified clauses so far; those that nothing was seen of are left out. */
  ledger(): Observation[] {
    return this.#sightings
      .filter(({ observed }) => observed.size > 0)
      .map(({ observer: { id, clause }, observed }) => ({ id, clause, observed: [...observed] }));
  }
}

/** Judges a finished list of exchanges; gives a result for each rule, in the order of the rules. */
export function judge(
  rules: readonly Rule[],
  contract: Contract,
  exchanges: Iterable<Exchange>,
): RuleResult[] {
  const judging = new Judge(rules, contract);
  for (const exchange of exchanges) judging.add(exchange);
  return judging.results();
}
