import { RuleRegistry } from './rules/registry.ts';
import type { Service } from './service-type.ts';
import { PLAIN_ERRORS } from './wire/error-reading.ts';
import type { ApiName } from './wire/exchange.ts';

/**
 * A service of which nothing is known but its APIs: what is asked of it stands in contracts that its
 * user names, and what more is promised in rules of his own.
 */
export function plainService(apis: readonly ApiName[]): Service {
  return {
    apis,
    documents: [],
    errors: PLAIN_ERRORS,
    rules: new RuleRegistry({ sections: [], measured: () => [] }),
    loadObservers: () => Promise.resolve([]),
    limitLedger: () => [],
    loadClauses: () => [],
  };
}
