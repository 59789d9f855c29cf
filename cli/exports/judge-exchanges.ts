import { loadContract } from '../../contracts/service/load-contract.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import { Judge } from '../../contracts/judging/judge.ts';
import type { Rule } from '../../contracts/judging/rule.ts';
import type { RuleResult, Waiver } from '../../contracts/judging/verdict.ts';
import { SERVICE } from '../service.ts';
import type { ApiName, Exchange } from '../../contracts/wire/exchange.ts';

/** What exchanges are judged by besides rules. */
export interface JudgeExchangesOptions {
  /** OpenAPI documents to judge by, as `--contract` names them: paths or URLs, each of an API. */
  readonly contracts?: readonly { readonly api: ApiName; readonly source: string }[];
  /** Known failures that are accepted. */
  readonly waivers?: readonly Waiver[];
  /** The day by which waivers expire, `YYYY-MM-DD`; no waiver has expired when absent. */
  readonly today?: string;
}

let builtIn: Promise<Contract> | undefined;

/**
 * The contract of the interface document, with what replaces or extends it.
 *
 * @throws ContractError when a document cannot be used
 */
export function contractOf({ contracts = [] }: JudgeExchangesOptions = {}): Promise<Contract> {
  if (contracts.length > 0) return loadContract({ overrides: contracts });
  builtIn ??= loadContract();
  return builtIn;
}

/** See `judgeExchanges` of the package. */
export async function judgeExchanges(
  rules: readonly Rule[] | 'all',
  exchanges: Iterable<Exchange>,
  options: JudgeExchangesOptions,
): Promise<RuleResult[]> {
  const contract = await contractOf(options);
  const judge = new Judge(rules === 'all' ? SERVICE.rules.ofRun(contract) : rules, contract);
  for (const exchange of exchanges) judge.add(exchange);
  return judge.results(options.waivers, options.today);
}
