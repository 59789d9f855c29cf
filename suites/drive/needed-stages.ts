/** What of a drive the rules need that a user chose by `--only` and `--skip`: more than needed rather than less. */

import type { Rule } from '../../contracts/judging/rule.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { NeededParts, Stage } from '../driven-service.ts';

/** What the rules need; what is not known of a stage counts as needed. */
export function partsNeededBy(rules: readonly Rule[]): NeededParts {
  return {
    stages: (all) => {
      const kept = new Set<string>();
      const keep = (stage: Stage): void => {
        kept.add(stage.name);
        for (const name of stage.after ?? []) {
          const before = all.find((one) => one.name === name);
          if (before !== undefined && !kept.has(name)) keep(before);
        }
      };
      for (const stage of all) if (rules.some((rule) => isShownBy(stage, rule))) keep(stage);
      return all.filter(({ name }) => kept.has(name));
    },
    isAsked: (api, operation) =>
      rules.some(
        ({ operations, ...rule }) =>
          speaksOf(rule, api) &&
          (operations === '*' || operation === undefined || operations.includes(operation)),
      ),
    isThrottled: (api) =>
      rules.some(
        (rule) =>
          speaksOf(rule, api) && (rule.answer === 'throttled' || rule.answer === 'responded'),
      ),
  };
}

function isShownBy({ api, asks, relates, rules: own }: Stage, rule: Rule): boolean {
  if (!speaksOf(rule, api)) return false;
  if (own !== undefined) return own.has(rule.id);
  if (rule.relation !== undefined && relates === false) return false;
  const { operations } = rule;
  return asks === undefined || operations === '*' || asks.some((one) => operations.includes(one));
}

function speaksOf(
  { api, besides = [], needs }: Pick<Rule, 'api' | 'besides' | 'needs'>,
  asked: ApiName,
): boolean {
  return api === asked || besides.includes(asked) || needs?.apis.includes(asked) === true;
}
