/** What became of what a build calls dust. */

import type { Said } from './agreed.ts';
import type { Outcome, Run } from './attempt.ts';
import { spentIn } from './attempt.ts';
import type { Leftover, SimulatedBuild } from './build.ts';
import { holdersOf } from './plan.ts';
import { ROUNDED, received, shortfallOf } from './whose-doing.ts';

/**
 * What stayed with the account of what it was to spend, and came to it or to a recipient beside the guaranteed output.
 * Undefined if native coins may have gone for gas.
 */
export function cameBack(run: Run, build: SimulatedBuild, { token }: Leftover): bigint | undefined {
  const { account, spendings, deliveries } = build;
  const spending = spendings.find((one) => one.token === token);
  const grown = holdersOf(build)
    .filter((holder) => spending === undefined || holder !== account)
    .reduce((sum, holder) => sum + run.grew({ token, holder }), 0n);
  if (spending?.isNative === true && -run.grew({ token, holder: account }) > run.value)
    return undefined;
  const spent = spending === undefined ? 0n : spentIn(run, build, spending);
  // What is taken beyond that breaks another promise.
  const stayed = spending === undefined || spent > spending.most ? 0n : spending.most - spent;
  const due = deliveries.filter((one) => one.token === token);
  return due.reduce((sum, { least }) => sum - least, grown + stayed);
}

/** Whether more than half of a leftover is missing: tokens keep parts, and prices change what is left. */
export function isMissing(run: Run, build: SimulatedBuild, leftover: Leftover): boolean {
  const back = cameBack(run, build, leftover);
  return back !== undefined && 2n * (back + ROUNDED) < leftover.least;
}

/** Whether leftovers come back; null if outputs are missing, which is judged by itself. */
export function returnedDust(build: SimulatedBuild, run: Run, outcome: Outcome): Said | null {
  const { leftovers, deliveries } = build;
  const isShort = deliveries.some((one) => shortfallOf(run, outcome, build, one) !== undefined);
  const known = leftovers.filter((one) => cameBack(run, build, one) !== undefined);
  if (isShort || known.length === 0) return null;
  const missing = known.filter((one) => isMissing(run, build, one));
  if (missing.length > 0 && mayBeElsewhere(run, build)) return 'inconclusive';
  return missing.map((leftover) => ({
    pointer: leftover.leastAt,
    expected: `at least ${leftover.least} of ${leftover.token} as dust for the account or the recipient`,
    actual: `${leftover.least}, and ${shown(cameBack(run, build, leftover))} came back`,
  }));
}

const shown = (back = 0n): bigint => (back < 0n ? 0n : back);

/** Whether something else may have come for it: prices that move make one thing of another, and orders come later. */
function mayBeElsewhere(run: Run, build: SimulatedBuild): boolean {
  const { deliveries, spendings, leftovers } = build;
  const isMore = deliveries.some(
    (one) =>
      one.isPosition || one.mayComeLater === true || received(run, one) > one.quoted + ROUNDED,
  );
  const { logs } = run.built;
  if (isMore || logs === undefined) return true;
  const named = new Set([...deliveries, ...spendings, ...leftovers].map(({ token }) => token));
  const holders = holdersOf(build);
  return logs.moves.some(({ token, to }) => holders.includes(to) && !named.has(token));
}
