import { kindOf } from '../../contracts/judging/answer-counts.ts';
import { DispatchTable } from '../../contracts/judging/dispatch-table.ts';
import { excerpt } from '../../contracts/judging/excerpt.ts';
import { finder } from '../../contracts/document/paths/path-finder.ts';
import type { ExchangeRule, Rule } from '../../contracts/judging/rule.ts';
import { Accumulator } from '../../contracts/judging/accumulator.ts';
import { View } from '../../contracts/judging/view.ts';
import type { ErrorReading } from '../../contracts/wire/error-reading.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { JudgeInK6, LoneJudgement } from '../k6/exchange.ts';
import type { GeneratedOperation } from './generated-contract.ts';
import { operationOf } from './generated-contract.ts';

/** More of an error of a rule is not reported. */
const MAX_CHARACTERS = 300;

/**
 * Judges exchanges one by one and keeps nothing of them, so that memory stays flat over any number.
 *
 * @param rules of these, the ones that look at single exchanges; all, or the card's
 * @param operations the contract that they judge by
 * @param errors how errors of the service read
 */
export function loneJudge(
  rules: Readonly<Record<'card' | 'all', readonly Rule[]>>,
  operations: readonly GeneratedOperation[],
  errors: ErrorReading,
): JudgeInK6 {
  const contract = { find: finder(operations.map(operationOf)), errors };
  const tables = { card: tableOf(rules.card), all: tableOf(rules.all) };
  return (exchange: Exchange, extent: 'card' | 'all'): LoneJudgement => {
    const view = new View(exchange, contract);
    const table = tables[extent].of(exchange.api, view.operation, kindOf(view));
    const [held, broken]: [string[], string[]] = [[], []];
    let crash: string | undefined;
    for (const { rule } of table.accumulators) {
      try {
        const judgement = (rule as ExchangeRule).judge(view);
        if (judgement === null || judgement === 'too much') continue;
        (judgement.length === 0 ? held : broken).push(rule.id);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        crash ??= `judging by ${rule.id} failed: ${excerpt(why, MAX_CHARACTERS)}`;
      }
    }
    return { throttled: view.throttled, held, broken, crash };
  };
}

function tableOf(rules: readonly Rule[]): DispatchTable {
  const lone = rules.filter(
    ({ scope, relation }) => scope === 'exchange' && relation === undefined,
  );
  return new DispatchTable(
    lone.map((rule) => new Accumulator(rule)),
    [],
  );
}
