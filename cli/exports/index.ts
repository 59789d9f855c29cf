/**
 * What the package gives to programs: configurations with types, rules of one's own, and the judge.
 * Configuration files import it, so what takes long to load is loaded when it is first called.
 */

import type { Rule } from '../../contracts/judging/rule.ts';
import type { RuleResult } from '../../contracts/judging/verdict.ts';
import type { ApiName, Exchange } from '../../contracts/wire/exchange.ts';
import type { DocumentApi } from '../../contracts/service/wire/apis.ts';
import type { WrittenConfig as ConfigOf } from '../../target/config/written-config.ts';
import type { WrittenService } from '../../target/config/own-service.ts';
import type { AskedOptions } from './exchange-of.ts';
import type { JudgeExchangesOptions } from './judge-exchanges.ts';

export {
  type Answer,
  type Broken,
  type Collected,
  type ExchangeRule,
  type GroupJudgement,
  type Judgement,
  type Level,
  type Rule,
  type RunRule,
  type Witness,
} from '../../contracts/judging/rule.ts';
export { exchangeRule, runRule } from './own-rules.ts';
export {
  type Chosen,
  generator,
  type GeneratorRow,
  type OwnChoices,
  type OwnGenerator,
} from '../../target/config/own-generators.ts';
export {
  type OwnRelation,
  relation,
  type ServedRequest,
} from '../../target/config/own-relations.ts';
export type { WrittenConfig as ConfigOf } from '../../target/config/written-config.ts';
export type { OwnRequest } from '../../target/config/own-request.ts';
export type { WrittenService } from '../../target/config/own-service.ts';
export type { Finding } from '../../contracts/judging/findings/broken-places.ts';
export type { FailOn } from '../../contracts/judging/rule-choice.ts';
export type { DocumentApi } from '../../contracts/service/wire/apis.ts';
export type { RuleResult, Verdict, Waiver } from '../../contracts/judging/verdict.ts';
export type { View } from '../../contracts/judging/view.ts';
export type {
  ApiName,
  Body,
  Exchange,
  HeaderList,
  Outcome,
  Purpose,
  RecordedRequest,
  RecordedResponse,
  Relation,
} from '../../contracts/wire/exchange.ts';
export type { AskedOptions } from './exchange-of.ts';
export type { WrittenRequest } from './written-request.ts';
export type { JudgeExchangesOptions } from './judge-exchanges.ts';

/** A configuration file as it is written, for the service that Assay brings along. */
export type WrittenConfig = ConfigOf<DocumentApi>;

/** One for a service of one's own, whose APIs it names. */
export type ServiceConfig<Api extends ApiName = ApiName> = ConfigOf<Api> & {
  readonly service: WrittenService<Api>;
};

/** A configuration as it is: so that an editor knows the keys of `assay.config.ts`. */
export function defineConfig(config: WrittenConfig & { readonly service?: never }): WrittenConfig;
export function defineConfig<const Api extends ApiName>(
  config: ServiceConfig<Api>,
): ServiceConfig<Api>;
export function defineConfig(config: WrittenConfig | ServiceConfig): WrittenConfig | ServiceConfig {
  return config;
}

/**
 * Judges exchanges, wherever they come from, in the order in which they are given.
 *
 * @param rules what to judge by; `all` for every rule of the interface document
 * @returns a result for each rule, in the order of the rules
 * @throws ContractError when a contract of the options cannot be used
 */
export async function judgeExchanges(
  rules: readonly Rule[] | 'all',
  exchanges: Iterable<Exchange>,
  options: JudgeExchangesOptions = {},
): Promise<RuleResult[]> {
  const judging = await import('./judge-exchanges.ts');
  return judging.judgeExchanges(rules, exchanges, options);
}

/**
 * An answer with its request, as {@link judgeExchanges} takes it.
 *
 * @param received a `Response`, a mocked answer `{ status, headers, body }`, or the JSON of a success
 * @throws TypeError when it is none, or when nothing says what was asked
 */
export async function exchangeOf(received: unknown, asked?: AskedOptions): Promise<Exchange> {
  const making = await import('./exchange-of.ts');
  return making.exchangeOf(received, asked);
}
