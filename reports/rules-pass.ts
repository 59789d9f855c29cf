/** Which rules a run was asked, and what became of them, in a few words. */

import { countVerdicts, type RunJson, type RunRuleRow } from '../contracts/run/run.ts';
import type { LimitVerdict } from '../contracts/run/load/limit-measurement.ts';
import { plural } from './text.ts';

/**
 * The rules that a run was asked, which all reports count: of an API that is not configured nothing was
 * asked, but what other runs brought with them.
 */
export function askedRules({ rules, target }: Pick<RunJson, 'rules' | 'target'>): RunRuleRow[] {
  return rules.filter(
    ({ api, verdict }) => verdict !== 'not-reached' || target.urls[api] !== undefined,
  );
}

/**
 * How many rules pass, in words. If limits are known of which no rule speaks, as of a service that
 * delays, it is that, since "0 rules pass" would be no reason to conform.
 *
 * @param limits what was measured of limits
 */
export function rulesPass(passed: number, asked: number, limits: RunJson['limits']): string {
  const measured = limits.filter(({ verdict }) => KNOWN.includes(verdict)).length;
  if (passed === 0 && measured > 0) {
    return `${plural(measured, 'limit')} measured, and no rule speaks of what was found`;
  }
  return `${passed} of ${plural(asked, 'rule')} ${passed === 1 ? 'passes' : 'pass'}`;
}

/** Verdicts that say which limit there is. */
const KNOWN: readonly LimitVerdict[] = ['identified', 'stacked', 'shaped'];

/** What became of the rules, in the order of what matters. */
export function rulesSum(run: RunJson): string {
  const asked = askedRules(run);
  const counts = countVerdicts(asked);
  const left = run.choice?.leftOut.must ?? 0;
  const { unjudged } = run;
  return [
    ...(unjudged === undefined
      ? []
      : [`${unjudged.judged} of ${plural(run.counts.exchanges, 'exchange')} judged`]),
    ...(counts.fail > 0 ? [`${plural(counts.fail, 'must-rule')} broken`] : []),
    ...(counts.warn > 0 ? [plural(counts.warn, 'warning')] : []),
    ...(unjudged?.judged === 0 ? [] : [rulesPass(counts.pass, asked.length, run.limits)]),
    ...(counts.waived > 0 ? [`${counts.waived} waived`] : []),
    ...(left > 0 ? [`${plural(left, 'must-rule')} left out by choice`] : []),
    ...(run.choice?.failOn === 'should' ? ['warnings fail the run'] : []),
  ].join(', ');
}
