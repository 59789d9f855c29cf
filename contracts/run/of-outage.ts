import type { RunRuleRow } from './run.ts';

/** Whether a rule is broken by the answers of an outage alone: one line says so of all such rules. */
export function isOfOutage({
  verdict,
  findings,
}: Pick<RunRuleRow, 'verdict' | 'findings'>): boolean {
  const isBroken = verdict === 'fail' || verdict === 'warn';
  return isBroken && findings.length > 0 && findings.every((one) => one.isOfOutage === true);
}
