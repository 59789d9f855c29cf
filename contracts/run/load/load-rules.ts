/** Which rules judge the record of a load run. */

import { LOAD_SAMPLE } from './load-marks.ts';
import type { Rule, RunRule } from '../../judging/rule.ts';

/**
 * The rules to judge the record of a load run by. The record holds more of what breaks rules than the
 * run did, so that rules that compare answers with each other look at the sample alone; those on marked
 * relations find all of them. What only counts where requests were sent one after the other is left out.
 *
 * @param onlyLoad those on what only load shows; without it none of them is reached
 */
export function rulesUnderLoad(rules: readonly Rule[], onlyLoad: readonly Rule[]): Rule[] {
  return [...rules.filter(({ underLoad }) => underLoad !== 'not judged'), ...onlyLoad].map(
    (rule) => {
      if (rule.scope !== 'run') return rule;
      if (rule.underLoad === 'without failures') return withoutFailures(rule);
      // Two answers with one name break it, wherever they were taken from.
      return rule.relation === undefined && rule.nameOf === undefined ? onSample(rule) : rule;
    },
  );
}

/** A service without room fails requests of all kinds alike: that is for thresholds. */
function withoutFailures(rule: RunRule): Rule {
  return { ...rule, collect: (view) => (view.status >= 500 ? null : rule.collect(view)) };
}

function onSample(rule: RunRule): Rule {
  return {
    ...rule,
    collect: (view) =>
      view.exchange.relations.some(({ kind }) => kind === LOAD_SAMPLE) ? rule.collect(view) : null,
  };
}
