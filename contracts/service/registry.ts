import type { Rule } from '../judging/rule.ts';
import type { Contract } from '../document/schema.ts';
import { conventionRules } from './rules/conventions/conventions.ts';
import { zapRequestRules } from './rules/zap/request/zap-request.ts';
import { zapResponseRules } from './rules/zap/response/zap-response.ts';
import { tradeRequestRules } from './rules/trade/trade-request.ts';
import { tradeBuildResponseRules } from './rules/trade/trade-build-response.ts';
import { poolRules } from './rules/pools/pools.ts';
import { configRules } from './rules/config/config.ts';
import { stateRules } from './rules/conventions/states.ts';
import { endpointRules } from './rules/conventions/endpoints.ts';
import { authenticationRules } from './rules/auth/authentication.ts';
import { errorRules } from './rules/errors/errors.ts';
import { VALID_REQUESTS } from './rules/errors/valid-requests.ts';
import { limitRules } from './rules/limits/limits.ts';
import { herdRules } from './rules/limits/herd.ts';
import { rateLimitRules } from './rules/limits/rate-limits.ts';
import { isShapedElsewhere } from './rules/shared/documented-shape.ts';
import { RuleRegistry } from '../rules/registry.ts';

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

/** The rules on single answers and on runs, by section. */
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

/** All rules of the document: what judges a run is looked up here. */
export const REGISTRY: RuleRegistry = new RuleRegistry({
  sections: [
    ...Object.entries(RULES_BY_SECTION).map(([name, rules]) => ({
      ...{ name, rules },
      judges: 'any' as const,
    })),
    { name: '8-rate-limits', judges: 'limits', rules: rateLimitRules([]) },
    { name: '8-load', judges: 'load', rules: herdRules },
  ],
  measured: rateLimitRules,
  isShapedElsewhere,
  validRequests: VALID_REQUESTS,
});

/** All rules that judge exchanges of any run, in the order of the document. */
export const RULES: readonly Rule[] = REGISTRY.ofExchanges;

/** All rules to judge a run by: the document's, then those of a contract that replaces it. */
export function rulesFor(contract: Contract): Rule[] {
  return REGISTRY.ofRun(contract);
}
