import type { Rule } from '../rule.ts';
import { acceptedInputRules } from './accepted-input-rules.ts';
import { excludedInputRules } from './excluded-input-rules.ts';
import { fieldDefectRule } from './field-defects.ts';
import { gasEstimatedRule } from './2-1-estimated-gas.ts';
import { zapPercentRule, ZAP_TRIALS } from './2-1-zap-relations.ts';
import { zapSimultaneousRule } from './simultaneous.ts';
import { trialRule } from './trial.ts';
import { ROUTED } from './zap-route.ts';

export const zapRequestRules: readonly Rule[] = [
  fieldDefectRule({
    id: 'zap.requests.field-defects-are-client-errors',
    source: 'implied by §2.1, RFC 9110 section 15.5',
    api: 'zap',
    operations: ROUTED,
  }),
  ...excludedInputRules({ api: 'zap', operations: ROUTED, section: '§2.1', least: [8, 1, 1] }),
  zapSimultaneousRule,
  zapPercentRule,
  gasEstimatedRule,
  ...ZAP_TRIALS.map(trialRule),
  ...acceptedInputRules(ROUTED),
];
