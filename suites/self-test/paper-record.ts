import { Judge, type RuleResult } from '../../contracts/judging/judge.ts';
import type { Rule } from '../../contracts/judging/rule.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { exchangeFault } from '../../contracts/wire/exchange-form.ts';

/** The lines of a run record, held in memory and without their chain: hundreds of services leave no files. */
export interface PaperRecord {
  /** Appends an exchange as a recorder does. */
  readonly record: (exchange: Exchange) => void;
  /**
   * Judges the lines from the first to the last, by nothing but what stands in them.
   *
   * @param live what was said of the same exchanges while they came
   * @returns the ids of rules of which the lines say something else: verdict, evidence or findings
   * @throws Error when a line is none that a record may hold
   */
  readonly judgedOtherwise: (
    rules: readonly Rule[],
    contract: Contract,
    live: readonly RuleResult[],
  ) => string[];
}

/** An empty one. */
export function createPaperRecord(): PaperRecord {
  const lines: string[] = [];
  return {
    record: (exchange) => lines.push(JSON.stringify(exchange)),
    judgedOtherwise(rules, contract, live) {
      const judge = new Judge(rules, contract);
      for (const [at, line] of lines.entries()) {
        const exchange = JSON.parse(line) as Exchange;
        const fault = exchangeFault(exchange);
        if (fault !== undefined) throw new Error(`line ${at + 1} is no exchange: ${fault}`);
        judge.add(exchange);
      }
      const again = new Map(
        judge.resultsOfRun().map((result) => [result.rule.id, reported(result)]),
      );
      const [crash] = judge.crashes;
      if (crash !== undefined) throw new Error(crash);
      return live
        .filter((result) => again.get(result.rule.id) !== reported(result))
        .map(({ rule }) => rule.id);
    },
  };
}

/** What a run says of a rule, as text. */
function reported({ rule, ...said }: RuleResult): string {
  return JSON.stringify({ ...said, rule: rule.id });
}
