import type { RunRuleRow } from '../contracts/run/run.ts';

export { isOfOutage } from '../contracts/run/of-outage.ts';

/**
 * The broken rules of a run, what likely caused the others before them: what fails the run before what
 * warns, what a plain request shows before what takes a special one, what is broken each time before what
 * is broken at times; then the order of the document.
 */
export function causesFirst(rules: readonly RunRuleRow[]): RunRuleRow[] {
  return rules
    .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
    .map((rule, at) => ({ rule, at, key: keyOf(rule) }))
    .sort((a, b) => compare(a.key, b.key) || a.at - b.at)
    .map(({ rule }) => rule);
}

function keyOf({ verdict, counterexample, findings, evidence }: RunRuleRow): readonly number[] {
  const times = Math.max(0, ...findings.map(({ count }) => count));
  // A place may be broken several times in one answer.
  const share = Math.min(1, times / Math.max(1, evidence));
  return [verdict === 'fail' ? 0 : 1, counterexample?.differsIn.length ?? 1, -share];
}

function compare(a: readonly number[], b: readonly number[]): number {
  return a.map((value, at) => value - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
