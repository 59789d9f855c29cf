import { exchangeOf, type ExchangeSketch } from '../judging/exchange.testkit.ts';
import { judge } from '../judging/judge.ts';
import { loadContract } from '../service/load-contract.ts';
import { RULES } from '../service/registry.ts';

const contract = await loadContract();

/** The verdict of a rule on some exchanges, then where it found them broken. */
export function verdictOf(
  id: string,
  base: ExchangeSketch,
  ...differing: readonly ExchangeSketch[]
): string[] {
  const rules = RULES.filter((rule) => rule.id === id);
  const exchanges = differing.map((sketch, at) =>
    exchangeOf({ id: `x${String(at + 1).padStart(5, '0')}`, ...base, ...sketch }),
  );
  const [result] = judge(rules, contract, exchanges);
  if (result === undefined) throw new Error(`no rule has the id ${id}`);
  return [result.verdict, ...result.findings.map(({ pointer }) => pointer)];
}
