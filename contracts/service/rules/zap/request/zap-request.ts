import type { Rule } from '../../../../judging/rule.ts';
import { acceptedInputRules } from '../../inputs/accepted-input-rules.ts';
import { excludedInputRules } from '../../inputs/excluded-input-rules.ts';
import { fieldDefectRule } from '../../inputs/field-defects.ts';
import { zapCallDataRules } from './call-data.ts';
import { gasEstimatedRule, gasFigureRule } from './estimated-gas.ts';
import { zapSimultaneousRule } from '../../shared/simultaneous-requests.ts';
import { zapPercentRule, ZAP_RELATIONS } from './zap-relations.ts';
import { relationRule } from '../../../../rules/relation-rule.ts';
import { otherCallersRule } from '../../shared/other-callers.ts';
import { ROUTED } from '../../readings/zap-route.ts';

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
  gasFigureRule,
  ...zapCallDataRules,
  otherCallersRule('zap', 'zap.build-tx', '§2.1, §2.2'),
  ...Object.values(ZAP_RELATIONS).flat().map(relationRule),
  ...acceptedInputRules(ROUTED),
];
