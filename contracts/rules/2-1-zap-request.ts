import { excerpt } from '../excerpt.ts';
import type { Broken, Rule } from '../rule.ts';
import { exchangeRule } from '../rule.ts';
import type { View } from '../view.ts';
import { acceptedInputRules } from './accepted-input-rules.ts';
import { zapPercentRule, ZAP_TRIALS } from './2-1-zap-relations.ts';
import { trialRule } from './trial.ts';
import { ROUTED } from './zap-route.ts';

/** Defects of one field of a body that is JSON otherwise. */
const FIELD_DEFECT = /^(?:missing|mistyped|malformed) /;

/** What says nothing of the request: the service, or a gateway, has no time for any. */
const UNAVAILABLE: readonly number[] = [503, 504];

// Section 2.1 says which fields are required and of what type; RFC 9110 section 15.5 that a client
// which errs is told so by 4xx. A service may also take the request: the ledger says which.
function blamesClient(view: View): readonly Broken[] | null {
  const { purpose } = view.exchange;
  if (purpose.kind !== 'invalid' || !FIELD_DEFECT.test(purpose.defect)) return null;
  const { status } = view;
  if (status < 400 || UNAVAILABLE.includes(status)) return null;
  if (status < 500) return [];
  const actual = `${status} ${excerpt(view.text, 120)}`;
  return [{ pointer: '', expected: `a 4xx status for ${purpose.defect}`, actual }];
}

export const zapRequestRules: readonly Rule[] = [
  exchangeRule({
    id: 'zap.requests.field-defects-are-client-errors',
    level: 'should',
    source: 'implied by §2.1, RFC 9110 section 15.5',
    protects: 'A field that is missing or of another type is told as an error of the client.',
    api: 'zap',
    operations: ROUTED,
    answer: 'error',
    leastEvidence: 1,
    judge: blamesClient,
  }),
  zapPercentRule,
  ...ZAP_TRIALS.map(trialRule),
  ...acceptedInputRules(ROUTED),
];
