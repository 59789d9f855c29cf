import type { Rule } from '../../judging/rule.ts';
import type { RuleResult } from '../../judging/verdict.ts';
import type { LoadThreshold, LoadViolation, RunLoad } from './load-run.ts';
import { compares, parseThreshold } from './threshold.ts';

/**
 * A load whose thresholds say of broken rules what the verdicts do: what was broken only where nothing was served
 * breaks neither. Such violations are marked.
 *
 * @param failsRun whether a broken rule fails the run, so that thresholds on violations count it
 */
export function withSetAside(
  load: RunLoad,
  results: readonly Pick<RuleResult, 'rule' | 'isSetAside'>[],
  failsRun: (rule: Rule) => boolean,
): RunLoad {
  const aside = new Map(
    results.flatMap(({ rule, isSetAside }) => (isSetAside ? [[rule.id, rule]] : [])),
  );
  const isAside = ({ rule }: LoadViolation): boolean => aside.has(rule);
  if (!load.violations.some(isAside)) return load;
  const less = load.violations.reduce((sum, { rule: id, count }) => {
    const rule = aside.get(id);
    return rule !== undefined && failsRun(rule) ? sum + count : sum;
  }, 0);
  return {
    ...load,
    violations: load.violations.map((one) => (isAside(one) ? { ...one, isSetAside: true } : one)),
    thresholds: load.thresholds.map((one) => withLess(one, less)),
  };
}

function withLess(one: LoadThreshold, less: number): LoadThreshold {
  const threshold = parseThreshold(one.expression);
  if (threshold.metric !== 'violations' || one.measured === undefined) return one;
  const measured = one.measured - less;
  return { ...one, measured, held: compares(threshold, measured) };
}
