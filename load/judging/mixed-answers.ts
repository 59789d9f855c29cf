import { Judge } from '../../contracts/judging/judge.ts';
import type { LoadViolation } from '../../contracts/run/load/load-run.ts';
import type { Rule } from '../../contracts/judging/rule.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import { SIMULTANEOUS } from '../../contracts/rules/simultaneous.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';

/** Answers before and after a broken one that are kept for comparison. */
const NEIGHBOURS = 64;
/** Broken answers that are compared, of one rule and in all. */
const MAX_OF_RULE = 3;
const MAX_CASES = 24;
/** Larger answers are not kept. */
const MAX_CHARACTERS = 16_384;

/** An answer that breaks a rule, and what was on its way about the same time. */
interface Case {
  readonly exchange: Exchange;
  readonly step: number;
  readonly neighbours: Exchange[];
  /** How many answers are still to come. */
  left: number;
}

/** Two answers of one moment of which one is the other's. */
export interface MixedPair {
  readonly exchanges: readonly [Exchange, Exchange];
  readonly rule: string;
  readonly step: number;
}

/**
 * Asks of answers that break a rule whether they are those to other requests: each is compared with
 * what was on its way at the same time, by the rules on two requests of one moment. That takes time,
 * so it is done once the load is over; what is kept until then is bounded.
 */
export class MixedAnswers {
  readonly #rules: readonly Rule[];
  readonly #contract: Contract;
  readonly #latest: Exchange[] = [];
  readonly #cases: Case[] = [];
  readonly #open: Case[] = [];
  readonly #byRule = new Map<string, number>();

  constructor(rules: readonly Rule[], contract: Contract) {
    this.#rules = rules.filter(({ relation }) => relation === SIMULTANEOUS);
    this.#contract = contract;
  }

  /** @param broken rules that the answer breaks */
  add(exchange: Exchange, step: number, broken: readonly string[]): void {
    const isFit = isSmallSuccess(exchange);
    if (isFit && this.#open.length > 0) this.#pass(exchange);
    if (isFit && broken.length > 0 && this.#cases.length < MAX_CASES) {
      this.#begin(exchange, step, broken);
    }
    if (!isFit) return;
    this.#latest.push(exchange);
    if (this.#latest.length > NEIGHBOURS) this.#latest.shift();
  }

  #begin(exchange: Exchange, step: number, broken: readonly string[]): void {
    const isNew = broken.some((rule) => (this.#byRule.get(rule) ?? 0) < MAX_OF_RULE);
    if (!isNew) return;
    for (const rule of broken) this.#byRule.set(rule, (this.#byRule.get(rule) ?? 0) + 1);
    const begun = { exchange, step, neighbours: [...this.#latest], left: NEIGHBOURS };
    this.#cases.push(begun);
    this.#open.push(begun);
  }

  #pass(exchange: Exchange): void {
    for (const one of this.#open) {
      one.neighbours.push(exchange);
      one.left -= 1;
    }
    while (this.#open[0]?.left === 0) this.#open.shift();
  }

  /**
   * The pairs that were mixed, at most one for each broken answer, marked with the relation. They have
   * ids of their own, since the record may hold the same answers already, without the mark.
   */
  pairs(): MixedPair[] {
    return this.#cases.flatMap(({ exchange, step, neighbours }, number) => {
      for (const other of neighbours) {
        if (!meet(exchange, other)) continue;
        const marked = (one: Exchange, role: string): Exchange => ({
          ...one,
          id: `${one.id}-mixed-${number + 1}`,
          relations: [{ kind: SIMULTANEOUS, group: `load-${number + 1}`, role }],
        });
        const exchanges = [marked(exchange, 'one'), marked(other, 'other')] as const;
        const judge = new Judge(this.#rules, this.#contract);
        for (const one of exchanges) judge.add(one);
        const broken = judge.results().find(({ findings }) => findings.length > 0);
        if (broken !== undefined) return [{ exchanges, rule: broken.rule.id, step }];
      }
      return [];
    });
  }
}

function isSmallSuccess({ outcome }: Exchange): boolean {
  if (outcome.kind === 'failure') return false;
  const { status, body } = outcome.response;
  return status >= 200 && status < 300 && body.text.length <= MAX_CHARACTERS;
}

/** Whether two requests to one API were on their way at the same time. */
function meet(one: Exchange, other: Exchange): boolean {
  return (
    one.api === other.api &&
    one.sentAtMs < other.sentAtMs + other.latencyMs &&
    other.sentAtMs < one.sentAtMs + one.latencyMs
  );
}

/** Mixed pairs as rows of a load run; each pair is one breach. */
export function violationsOf(pairs: readonly MixedPair[], steps: number): LoadViolation[] {
  return [...new Set(pairs.map(({ rule }) => rule))].flatMap((rule) => {
    const own = pairs.filter((pair) => pair.rule === rule);
    const [first] = [...own].sort((a, b) => a.step - b.step);
    if (first === undefined) return [];
    const bySteps = Array.from({ length: steps }, (_, step) => {
      const broken = own.filter((pair) => pair.step === step).length;
      return { judged: broken, broken };
    });
    const [{ id }] = first.exchanges;
    return [{ rule, count: own.length, firstStep: first.step, firstExchange: id, bySteps }];
  });
}
