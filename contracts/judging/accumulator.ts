import type {
  AnswerJudgement,
  Broken,
  Collected,
  GroupJudgement,
  Rule,
  RunRule,
  Witness,
} from './rule.ts';
import { BrokenPlaces, type BrokenPlacesOptions, type Finding } from './findings/broken-places.ts';
import { type Asked, type JudgedAt, Pieces, type Rate } from './findings/pieces.ts';
import { fewestFacts } from './fewest-facts.ts';
import { replacedIn } from './replies/replaced.ts';
import type { View } from './view.ts';

/** A run rule keeps facts of at most this weight in all, and none of later exchanges. */
const MAX_WEIGHT = 300_000;
/** How an accumulator keeps what is broken. */
export interface AccumulatorOptions extends BrokenPlacesOptions {
  /** The variables whose names Assay put in place of what they hold; any that are named so when absent. */
  readonly variables?: readonly string[] | undefined;
  /** What is known of the requests of the run; without it, no rates are known. */
  readonly asked?: Asked | undefined;
}

/** Mutable state of one rule while exchanges come in. */
export class Accumulator {
  readonly rule: Rule;
  /** Its place among the rules of its judge, from 1. */
  readonly place: number;
  evidence = 0;
  inconclusive = 0;
  /** How Assay itself failed to judge by the rule, if it did. */
  crash: string | undefined;
  /** The latest facts by name, of a rule that keeps those alone. */
  readonly #latest = new Map<string, Collected<unknown>>();
  // Side by side: a long run keeps a few facts of every exchange.
  readonly #facts: unknown[] = [];
  readonly #witnesses: Witness[] = [];
  #weight = 0;
  /** Facts that were not kept. */
  unkept = 0;
  /** Why the first group that says nothing does not. */
  whyNothing: string | undefined;
  /** What was broken at places where Assay had replaced what a variable holds: no fault of the service. */
  replaced: { times: number; readonly named: string } | undefined;
  /** Answers that took too much to be judged. */
  unjudged = 0;
  // Taken out of the row, since rows are made in many ways and accumulators in one.
  readonly #judge: ((view: View) => AnswerJudgement) | undefined;
  readonly #collect: ((view: View) => unknown) | undefined;
  readonly #weigh: RunRule['weigh'];
  readonly #latestOf: RunRule['latestOf'];
  readonly #conclude: RunRule['conclude'] | undefined;
  #broken: BrokenPlaces | undefined;
  readonly #pieces: Pieces | undefined;
  readonly #options: AccumulatorOptions;

  constructor(rule: Rule, place = 1, options: AccumulatorOptions = {}) {
    this.rule = rule;
    this.place = place;
    this.#options = options;
    this.#pieces = options.asked === undefined ? undefined : new Pieces(options.asked);
    this.#judge = rule.scope === 'exchange' ? rule.judge : undefined;
    this.#collect = rule.scope === 'run' ? rule.collect : undefined;
    this.#weigh = rule.scope === 'run' ? rule.weigh : undefined;
    this.#latestOf = rule.scope === 'run' ? rule.latestOf : undefined;
    this.#conclude = rule.scope === 'run' ? rule.conclude : undefined;
  }

  /**
   * Judges one exchange, or takes a fact from it.
   *
   * @returns what the exchange alone shows; undefined if that is nothing
   */
  look(view: View, witness: Witness): 'held' | 'broken' | undefined {
    if (this.#judge !== undefined) {
      const judgement = this.#judge(view);
      if (judgement === null) return undefined;
      if (judgement === 'too much') {
        this.unjudged += 1;
        return undefined;
      }
      const broken = judgement.length === 0 ? judgement : this.#asAnswered(view, judgement);
      // Of what was changed nothing is known.
      if (broken.length === 0 && judgement.length > 0) return undefined;
      this.evidence += 1;
      const isBroken = broken.length > 0;
      const piece = this.#pieces?.add([witness], { isGroup: false, isBroken });
      if (broken.length === 0) return 'held';
      this.#note(broken, [witness], piece);
      return 'broken';
    }
    const fact = this.#collect?.(view) ?? null;
    if (fact !== null) this.#keep(fact, witness);
    return undefined;
  }

  /** The accumulator with the facts of its run rule concluded; this one is left as it is. */
  concluded(): Accumulator {
    if (this.#conclude === undefined) return this;
    const concluded = new Accumulator(this.rule, this.place, this.#options);
    concluded.crash = this.crash;
    concluded.unkept = this.unkept;
    for (const group of this.#conclude(this.#collected())) concluded.#addGroup(group);
    return concluded;
  }

  /**
   * The ids, in their order, of the exchanges from which a run rule concludes that it is broken, as few
   * as were found. None if it is not, or is no run rule.
   */
  fewestExchanges(): readonly string[] {
    if (this.#conclude === undefined) return [];
    const fewest = fewestFacts(this.#collected(), this.#conclude);
    return [...new Set(fewest.map(({ witness }) => witness.id))].sort();
  }

  /** Whether something broken was seen already; of a run rule nothing is known before the end. */
  get isBroken(): boolean {
    return this.#broken !== undefined;
  }

  /** How often the rule was judged broken, outside of outages; undefined where that is not known. */
  get rate(): Rate | undefined {
    return this.#pieces?.whole;
  }

  /** How often the rule was judged, by operation, outside of outages; undefined where that is not known. */
  get judgedAt(): readonly JudgedAt[] | undefined {
    return this.#pieces?.byOperation;
  }

  /** How often it held of requests that ask the same as some others, by what these have in common. */
  keptOf(names: ReadonlySet<number>): number {
    return this.#pieces?.keptOf(names) ?? 0;
  }

  /** Broken ones at one operation and place are one finding. */
  findings(): Finding[] {
    return this.#broken?.findings(this.rule.id, this.#pieces) ?? [];
  }

  #keep(fact: unknown, witness: Witness): void {
    if (this.#latestOf !== undefined) {
      const name = this.#latestOf(fact);
      // Taken out first, so that the facts stay in the order in which they came.
      this.#latest.delete(name);
      this.#latest.set(name, { fact, witness });
      return;
    }
    const weight = this.#weigh?.(fact) ?? 1;
    if (this.#weight + weight > MAX_WEIGHT) {
      this.unkept += 1;
      return;
    }
    this.#weight += weight;
    this.#facts.push(fact);
    this.#witnesses.push(witness);
  }

  /** All facts, in the order in which they came. */
  #collected(): Collected<unknown>[] {
    const all = [...this.#latest.values()];
    for (const [at, witness] of this.#witnesses.entries()) {
      all.push({ fact: this.#facts[at], witness });
    }
    return all;
  }

  #addGroup({ witnesses, judgement, why }: GroupJudgement): void {
    this.whyNothing ??= why;
    if (judgement === 'inconclusive') this.inconclusive += 1;
    else if (judgement !== null) {
      const isBroken = judgement.length > 0;
      const named = witnesses.find(({ replaced }) => replaced !== undefined)?.replaced;
      if (isBroken && this.#isReplaced(named)) return;
      this.evidence += 1;
      const piece = this.#pieces?.add(witnesses, { isGroup: true, isBroken });
      if (isBroken) this.#note(judgement, witnesses, piece);
    }
  }

  /** What is broken in the answer as it came, not by what Assay replaced in it. */
  #asAnswered(view: View, broken: readonly Broken[]): readonly Broken[] {
    const namedAt = replacedIn(view);
    return broken.filter((one) => !this.#isReplaced(namedAt(one)));
  }

  /** Counts what is broken where Assay itself replaced something. */
  #isReplaced(named: string | undefined): boolean {
    if (named === undefined || this.rule.looksForSecrets === true) return false;
    // The target itself may have written the name of another.
    if (this.#options.variables?.some((name) => named.startsWith(name)) === false) return false;
    this.replaced = { times: (this.replaced?.times ?? 0) + 1, named };
    return true;
  }

  #note(broken: readonly Broken[], witnesses: readonly Witness[], piece?: number): void {
    this.#broken ??= new BrokenPlaces(this.#options);
    this.#broken.note(broken, witnesses, piece);
  }
}
