import { measuredRules } from './rules/limits/limit-rule.ts';
import { remainingRule } from './rules/limits/remaining-rule.ts';
import { RuleRegistry } from './rules/registry.ts';
import type { Service } from './service-type.ts';
import { PLAIN_ERRORS } from './wire/error-reading.ts';
import type { ApiName } from './wire/exchange.ts';

/**
 * A service of which nothing is known but its APIs: what is asked of it stands in contracts that its
 * user names, and what more is promised in rules of his own.
 */
export function plainService(apis: readonly ApiName[]): Service {
  const onLimits = apis.map((api) => remainingRule(api));
  return {
    apis,
    documents: [],
    errors: PLAIN_ERRORS,
    rules: new RuleRegistry({
      sections: [{ name: 'limits', judges: 'limits', rules: measuredRules(onLimits, []) }],
      measured: (measurements) => measuredRules(onLimits, measurements),
    }),
    loadObservers: () => Promise.resolve([]),
    limitLedger: () => [],
    loadClauses: () => [],
  };
}
