import type { RunJson, RunRuleRow } from '../contracts/run/run.ts';
import { inOrder } from './baseline-state.ts';
import { causesFirst } from './causes.ts';

/**
 * The ids of the exchanges that show something in a run, those that a reader wants most first: the
 * smallest that show each broken rule, the first of each finding and each violation under load, then the
 * others.
 */
export function namedExchanges(run: RunJson): string[] {
  const { rules, load } = inOrder(run);
  const broken = [...causesFirst(rules), ...rules.filter((rule) => !isBroken(rule))];
  const first = broken.flatMap(({ findings, counterexample }) => [
    ...(counterexample?.exchanges ?? []),
    ...findings.slice(0, 1).flatMap(({ exchanges }) => exchanges.slice(0, 1)),
  ]);
  const violations = load?.violations.map(({ firstExchange }) => firstExchange) ?? [];
  const firstOfEach = broken.flatMap(({ findings }) =>
    findings.flatMap(({ exchanges }) => exchanges.slice(0, 1)),
  );
  const others = broken.flatMap(({ findings }) => findings.flatMap(({ exchanges }) => exchanges));
  return [...new Set([...first, ...violations, ...firstOfEach, ...others])];
}

function isBroken({ verdict }: RunRuleRow): boolean {
  return verdict === 'fail' || verdict === 'warn';
}
