import type { RunRuleRow } from '../run/run.ts';

/** How often a rule was judged at an operation, outside of outages; undefined where the record does not say. */
export function timesJudgedAt(
  { judgedAt }: Pick<RunRuleRow, 'judgedAt'>,
  operation: string | undefined,
): number | undefined {
  if (judgedAt === undefined) return undefined;
  return judgedAt.find((one) => one.operation === operation)?.times ?? 0;
}
