/**
 * The rules of the project's card, and the typed error: what k6 judges every response by. They are
 * those of the registry, taken by their ids.
 */

import type { Rule } from '../../contracts/judging/rule.ts';
import { minReturnRules } from '../../contracts/service/rules/2-2-zap-response/2-2-min-return.ts';
import { tradeBuildResponseRules } from '../../contracts/service/rules/2-4-trade-build-response/2-4-trade-build-response.ts';
import { errorRules } from '../../contracts/service/rules/7-errors/7-errors.ts';
import { limitRules } from '../../contracts/service/rules/8-limits/8-limits.ts';

export const CARD_RULE_IDS: readonly string[] = [
  'zap.path.min-return-within-amount',
  'trade.build-tx.pair-keys',
  'zap.pools.within-limit',
  'zap.pools.maximum-limit',
  'zap.errors.typed-body',
  'trade.errors.typed-body',
  'zap.throttled.typed-body',
  'trade.throttled.typed-body',
];

/** The rules of {@link CARD_RULE_IDS}. */
export const CARD_RULES: readonly Rule[] = CARD_RULE_IDS.map((id) => {
  const all = [...minReturnRules, ...tradeBuildResponseRules, ...errorRules, ...limitRules];
  const rule = all.find((one) => one.id === id);
  if (rule === undefined) throw new Error(`there is no rule ${id}`);
  return rule;
});
