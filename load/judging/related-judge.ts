import { Judge } from '../../contracts/judging/judge.ts';
import type { LoadViolation } from '../../contracts/run/load/load-run.ts';
import type { Rule } from '../../contracts/judging/rule.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { crashesOf } from './answer-judge.ts';
import { MAX_MARKED } from './keeper.ts';

/** The rules that judge marked answers: those over several exchanges of one relation. */
export function rulesOfRelations(rules: readonly Rule[]): Rule[] {
  return rules.filter(({ scope, relation }) => scope === 'run' && relation !== undefined);
}

/** Judges answers that are marked with relations, as many as the record keeps of them. */
export class RelatedJudge {
  readonly #judge: Judge;
  readonly #steps = new Map<string, number>();
  readonly #bySteps: number[];

  /** @param rules those of {@link rulesOfRelations} */
  constructor(rules: readonly Rule[], contract: Contract, steps: number) {
    this.#judge = new Judge(rules, contract);
    this.#bySteps = Array.from({ length: steps }, () => 0);
  }

  /** Takes an answer; one that is not marked is none of its business. */
  add(exchange: Exchange, step: number): void {
    if (exchange.relations.length === 0 || this.#steps.size >= MAX_MARKED) return;
    this.#judge.add(exchange);
    this.#steps.set(exchange.id, step);
    this.#bySteps[step] = (this.#bySteps[step] ?? 0) + 1;
  }

  /**
   * What was broken. Such a rule is broken by several answers together: the first step is that of the
   * first of them, and each step counts those that the findings name.
   */
  violations(): LoadViolation[] {
    return this.#judge.results().flatMap(({ rule, findings }) => {
      const shown = findings.flatMap(({ exchanges }) => exchanges).sort();
      const [first] = shown;
      if (first === undefined) return [];
      const count = findings.reduce((sum, one) => sum + one.count, 0);
      const firstStep = this.#steps.get(first) ?? 0;
      const bySteps = this.#bySteps.map((judged, step) => ({
        judged,
        broken: shown.filter((id) => this.#steps.get(id) === step).length,
      }));
      return [{ rule: rule.id, count, firstStep, firstExchange: first, bySteps }];
    });
  }

  /** What could not be judged, and whose fault that is. */
  get crashes(): readonly string[] {
    return crashesOf(this.#judge);
  }
}
