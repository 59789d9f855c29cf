import type { Observation, Observer } from './ledger.ts';
import { MOST_OBSERVED } from './ledger.ts';
import type { Contract } from './schema.ts';
import type {
  Answer,
  Broken,
  Collected,
  GroupJudgement,
  Level,
  Rule,
  RunRule,
  Witness,
} from './rule.ts';
import type { ApiName, Exchange, RecordedRequest } from './wire/exchange.ts';
import { View } from './view.ts';

/** What became of a rule in a run. */
export type Verdict =
  'pass' | 'fail' | 'warn' | 'observed' | 'inconclusive' | 'not-reached' | 'waived';

/** One broken rule at one place of the response, however often it was seen. */
export interface Finding {
  readonly rule: string;
  /** Where it was first seen; array positions and numeric keys may differ in later ones. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** How often it was seen in the run. */
  readonly count: number;
  /** Ids of the first exchanges that show it. */
  readonly exchanges: readonly string[];
  /** The first request that shows it. */
  readonly request: RecordedRequest;
}

/** A rule with its verdict. */
export interface RuleResult {
  readonly rule: Rule;
  readonly verdict: Verdict;
  /** Exchanges or groups judged. */
  readonly evidence: number;
  readonly inconclusive: number;
  readonly findings: readonly Finding[];
  /** Why there is no pass or fail, or whose waiver it is. */
  readonly reason?: string;
}

/** A known failure that is accepted for a while. */
export interface Waiver {
  readonly rule: string;
  readonly reason: string;
  readonly owner: string;
  /** Last day on which it holds, `YYYY-MM-DD`. */
  readonly expires: string;
}

/** Exchanges by what became of them. */
export interface Counts {
  exchanges: number;
  answered: number;
  throttled: number;
  failed: number;
}

const WITNESSES_KEPT = 5;

/** Mutable state of one rule while exchanges come in. */
class Tally {
  readonly rule: Rule;
  evidence = 0;
  inconclusive = 0;
  readonly facts: Collected<unknown>[] = [];
  readonly #findings = new Map<string, { first: Broken; count: number; witnesses: Witness[] }>();

  constructor(rule: Rule) {
    this.rule = rule;
  }

  /** Counts one judged exchange or group; broken ones at one place fold into one finding. */
  add(broken: readonly Broken[], witnesses: readonly Witness[]): void {
    this.evidence += 1;
    for (const one of broken) {
      const place = one.pointer.replace(/\/\d+(?=\/|$)/g, '/*');
      const known = this.#findings.get(place);
      if (known === undefined) {
        this.#findings.set(place, { first: one, count: 1, witnesses: [...witnesses] });
      } else {
        known.count += 1;
        for (const witness of witnesses) {
          if (known.witnesses.length >= WITNESSES_KEPT) break;
          if (!known.witnesses.some(({ id }) => id === witness.id)) known.witnesses.push(witness);
        }
      }
    }
  }

  addGroup({ witnesses, judgement }: GroupJudgement): void {
    if (judgement === 'inconclusive') this.inconclusive += 1;
    else if (judgement !== null) this.add(judgement, witnesses);
  }

  findings(): Finding[] {
    return [...this.#findings.values()].flatMap(({ first, count, witnesses }) => {
      const request = witnesses[0]?.request;
      if (request === undefined) return [];
      const exchanges = witnesses.map(({ id }) => id);
      return [{ rule: this.rule.id, ...first, count, exchanges, request }];
    });
  }
}

/** What an observer has seen. */
class Sighting {
  readonly observer: Observer;
  readonly observed: Set<string> = new Set<string>();

  constructor(observer: Observer) {
    this.observer = observer;
  }

  add(view: View): void {
    for (const seen of this.observer.observe(view)) {
      if (this.observed.size >= MOST_OBSERVED) return;
      this.observed.add(seen);
    }
  }
}

/** The tallies and sightings that look at one operation and one kind of answer. */
interface Desk {
  readonly tallies: readonly Tally[];
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

/** Whether a rule or observer speaks of an operation of an API, and of a kind of answer. */
function speaksOf(
  { api, operations, answer }: Pick<Observer, 'api' | 'operations' | 'answer'>,
  place: { readonly api: ApiName; readonly operation: string | undefined; readonly kind: Kind },
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
  readonly #tallies: readonly Tally[];
  readonly #sightings: readonly Sighting[];
  readonly #desks = new Map<string, Desk>();
  readonly #answeredApis = new Set<ApiName>();
  readonly #servingApis = new Set<ApiName>();

  constructor(rules: readonly Rule[], contract: Contract, observers: readonly Observer[] = []) {
    this.#contract = contract;
    this.#tallies = rules.map((rule) => new Tally(rule));
    this.#sightings = observers.map((observer) => new Sighting(observer));
  }

  /** Judges one more exchange. */
  add(exchange: Exchange): void {
    const { api, request } = exchange;
    const operation = this.#contract.find(api, request.method, request.path);
    const view = new View(exchange, operation);
    this.#count(view);
    const { tallies, sightings } = this.#deskOf(api, operation?.id, kindOf(view));
    const witness: Witness = { id: exchange.id, request };
    for (const sighting of sightings) sighting.add(view);
    for (const tally of tallies) {
      if (tally.rule.scope === 'exchange') {
        const judgement = tally.rule.judge(view);
        if (judgement !== null) tally.add(judgement, [witness]);
      } else {
        const fact = tally.rule.collect(view);
        if (fact !== null) tally.facts.push({ fact, witness });
      }
    }
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
    return this.#tallies.map((tally) => {
      const concluded = conclude(tally);
      const waiver = waivers.find(({ rule }) => rule === tally.rule.id);
      return resultOf(concluded, waiver, today);
    });
  }

  #count(view: View): void {
    this.counts.exchanges += 1;
    if (view.status === 0) {
      this.counts.failed += 1;
      return;
    }
    this.#answeredApis.add(view.exchange.api);
    if (view.succeeded) this.#servingApis.add(view.exchange.api);
    if (view.throttled) this.counts.throttled += 1;
    else this.counts.answered += 1;
  }

  /** What was seen of the silences so far; a silence that nothing was seen of is left out. */
  ledger(): Observation[] {
    return this.#sightings
      .filter(({ observed }) => observed.size > 0)
      .map(({ observer: { id, clause }, observed }) => ({ id, clause, observed: [...observed] }));
  }

  #deskOf(api: ApiName, operation: string | undefined, kind: Kind): Desk {
    const key = `${operation ?? api} ${kind}`;
    let desk = this.#desks.get(key);
    if (desk === undefined) {
      const place = { api, operation, kind };
      desk = {
        tallies: this.#tallies.filter(({ rule }) => speaksOf(rule, place)),
        sightings: this.#sightings.filter(({ observer }) => speaksOf(observer, place)),
      };
      this.#desks.set(key, desk);
    }
    return desk;
  }
}

function kindOf(view: View): Kind {
  if (view.status === 0) return 'failed';
  if (view.throttled) return 'throttled';
  return view.succeeded ? 'success' : 'error';
}

/** A tally with the facts of its run rule concluded, the original left as it was. */
function conclude(tally: Tally): Tally {
  if (tally.rule.scope === 'exchange') return tally;
  const concluded = new Tally(tally.rule);
  const rule: RunRule = tally.rule;
  for (const group of rule.conclude(tally.facts)) concluded.addGroup(group);
  return concluded;
}

function resultOf(tally: Tally, waiver: Waiver | undefined, today: string): RuleResult {
  const { rule, evidence, inconclusive } = tally;
  const findings = tally.findings();
  const base = { rule, evidence, inconclusive, findings };
  if (findings.length > 0) {
    if (waiver === undefined) return { ...base, verdict: brokenVerdict(rule.level) };
    const { owner, expires, reason } = waiver;
    if (today <= expires) {
      return { ...base, verdict: 'waived', reason: `${reason} (${owner}, until ${expires})` };
    }
    return {
      ...base,
      verdict: brokenVerdict(rule.level),
      reason: `the waiver of ${owner} expired on ${expires}: ${reason}`,
    };
  }
  if (evidence < rule.leastEvidence) {
    if (inconclusive > 0) {
      const reason = `in ${inconclusive} comparisons the service's answers moved meanwhile`;
      return { ...base, verdict: 'inconclusive', reason };
    }
    return { ...base, verdict: 'not-reached', reason: reasonNotReached(evidence, rule) };
  }
  return { ...base, verdict: rule.level === 'observe' ? 'observed' : 'pass' };
}

function brokenVerdict(level: Level): Verdict {
  return level === 'must' ? 'fail' : level === 'should' ? 'warn' : 'observed';
}

function reasonNotReached(evidence: number, rule: Rule): string {
  return evidence === 0
    ? 'no exchange of the run shows it'
    : `${evidence} of the ${rule.leastEvidence} pieces of evidence that it needs`;
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
