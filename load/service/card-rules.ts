/**
 * The rules of the project's card, and the typed error: what k6 judges every response by. They are
 * those of the registry, taken by their ids.
 */

import type { Rule } from '../../contracts/judging/rule.ts';
import { minReturnRules } from '../../contracts/service/rules/zap/response/min-return.ts';
import { tradeBuildResponseRules } from '../../contracts/service/rules/trade/trade-build-response.ts';
import { errorRules } from '../../contracts/service/rules/errors/errors.ts';
import { limitRules } from '../../contracts/service/rules/limits/limits.ts';

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
