import type { Rule } from '../judging/rule.ts';
import type { Contract, ContractOperation } from '../document/schema.ts';
import { conventionRules } from './rules/1-conventions/1-conventions.ts';
import { zapRequestRules } from './rules/2-1-zap-request/2-1-zap-request.ts';
import { zapResponseRules } from './rules/2-2-zap-response/2-2-zap-response.ts';
import { tradeRequestRules } from './rules/2-3-trade-request/2-3-trade-request.ts';
import { tradeBuildResponseRules } from './rules/2-4-trade-build-response/2-4-trade-build-response.ts';
import { poolRules } from './rules/2-5-pools/2-5-pools.ts';
import { configRules } from './rules/2-6-config/2-6-config.ts';
import { stateRules } from './rules/3-states/3-states.ts';
import { endpointRules } from './rules/4-endpoints/4-endpoints.ts';
import { authenticationRules } from './rules/5-authentication/5-authentication.ts';
import { errorRules } from './rules/7-errors/7-errors.ts';
import { limitRules } from './rules/8-limits/8-limits.ts';
import { contractOperationRules } from '../rules/contract-operations.ts';
import { responseShape } from '../rules/response-shape.ts';

/** A section of the document: the name of its rules' file and of its suite's. */
export type SectionName =
  | '1-conventions'
  | '2-1-zap-request'
  | '2-2-zap-response'
  | '2-3-trade-request'
  | '2-4-trade-build-response'
  | '2-5-pools'
  | '2-6-config'
  | '3-states'
  | '4-endpoints'
  | '5-authentication'
  | '7-errors'
  | '8-limits';

/** All rules by section. */
export const RULES_BY_SECTION: Readonly<Record<SectionName, readonly Rule[]>> = {
  '1-conventions': conventionRules,
  '2-1-zap-request': zapRequestRules,
  '2-2-zap-response': zapResponseRules,
  '2-3-trade-request': tradeRequestRules,
  '2-4-trade-build-response': tradeBuildResponseRules,
  '2-5-pools': poolRules,
  '2-6-config': configRules,
  '3-states': stateRules,
  '4-endpoints': endpointRules,
  '5-authentication': authenticationRules,
  '7-errors': errorRules,
  '8-limits': limitRules,
};

/** All rules, in the order of the document. */
export const RULES: readonly Rule[] = Object.values(RULES_BY_SECTION).flat();

/** A contract that states a body for any of these states what a success looks like. */
const SUCCESSES: readonly number[] = [200, 201, 202];

/** What a contract has beyond the document: operations that no rule of the document speaks of. */
export function operationsBeyond(contract: Contract): ContractOperation[] {
  const documented = new Set(RULES.flatMap(({ operations }) => operations));
  return contract.operations.filter(({ id }) => !documented.has(id));
}

/**
 * The rules that a contract brings beyond the document's: one on the successes of each operation
 * that the document does not show, or whose response it does not show; and on the other answers of
 * those that it does not show.
 */
export function rulesOfContract(contract: Contract): Rule[] {
  const known = new Set(RULES.map(({ id }) => id));
  const beyond = new Set(operationsBeyond(contract));
  return contract.operations
    .flatMap((operation) => [
      ...(SUCCESSES.some((status) => operation.statesBody(status))
        ? [responseShape(operation.id, 'contract')]
        : []),
      ...(beyond.has(operation) ? contractOperationRules(operation) : []),
    ])
    .filter(({ id }) => !known.has(id));
}

/** All rules to judge a run by: the document's, then those of a contract that replaces it. */
export function rulesFor(contract: Contract): Rule[] {
  return [...RULES, ...rulesOfContract(contract)];
}
