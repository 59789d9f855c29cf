import { excerpt } from '../excerpt.ts';
import type { Rule } from '../rule.ts';
import { exchangeRule } from '../rule.ts';

/** Defects of one field of a request that is right otherwise. */
const FIELD_DEFECT = /^(?:missing|mistyped|malformed) /;

/** Who takes this field for false simulates, which may fail for a sender that holds nothing. */
const SIMULATES = /^(?:missing|mistyped|malformed) disableEstimation\b/;

/** What says nothing of the request: the service, or a gateway, has no time for any. */
const UNAVAILABLE: readonly number[] = [502, 503, 504];

/**
 * The rule that a field which is missing or of another type is told as an error of the client (RFC
 * 9110 section 15.5). A service may also take the request: the ledger says which.
 */
export function fieldDefectRule(rule: Pick<Rule, 'id' | 'source' | 'api' | 'operations'>): Rule {
  return exchangeRule({
    ...rule,
    level: 'should',
    protects: 'A field that is missing or of another type is told as an error of the client.',
    answer: 'error',
    leastEvidence: 1,
    judge: (view) => {
      const { purpose } = view.exchange;
      if (purpose.kind !== 'invalid' || !FIELD_DEFECT.test(purpose.defect)) return null;
      const { status } = view;
      if (status < 400 || UNAVAILABLE.includes(status)) return null;
      if (status < 500) return [];
      if (SIMULATES.test(purpose.defect)) return null;
      const actual = `${status} ${excerpt(view.text, 120)}`;
      return [{ pointer: '', expected: `a 4xx status for ${purpose.defect}`, actual }];
    },
  });
}
