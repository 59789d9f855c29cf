/** What `assay limits` may spend: what somebody said, and the rest by the buckets there are. */

import { PROFILE_NAMES } from '../../contracts/judging/profile.ts';
import type { TargetConfig } from '../../target/config/config.ts';
import type { TargetBudget } from '../../load/probe/budget-left.ts';
import { readConfig } from '../config.ts';
import { LIMITS_BUDGET } from './limits-budget.ts';

/**
 * The configuration, and the budget in which what nobody said is left out: that of the profiles of
 * `check` is for other work. What is the same under two profiles was said by somebody.
 *
 * @throws ConfigError as `readConfig` does
 */
export async function resolveLimits(
  input: Parameters<typeof readConfig>[0],
): Promise<{ readonly config: TargetConfig; readonly said: Partial<TargetBudget> }> {
  const [one, other] = await Promise.all(
    PROFILE_NAMES.slice(0, 2).map((profile) =>
      readConfig({ ...input, flags: { ...input.flags, profile } }),
    ),
  );
  if (one === undefined || other === undefined)
    throw new Error('there are fewer than two profiles');
  const said = (['maxRequests', 'maxRejects', 'maxSeconds'] as const)
    .filter((key) => one[key] === other[key])
    .map((key) => [key, one[key]] as const);
  const { maxRate } = one;
  return {
    config: one,
    said: {
      ...Object.fromEntries(said),
      ...(maxRate === undefined ? {} : { maxRatePerSecond: maxRate }),
    },
  };
}

/** The budget of a run over so many buckets. */
export function budgetLeftOf(
  said: Partial<TargetBudget>,
  buckets: number,
  { isLoopback: loopback, long }: { readonly isLoopback: boolean; readonly long: boolean },
): TargetBudget {
  const budget = LIMITS_BUDGET;
  return {
    maxRequests: budget.requestsEach * buckets,
    maxRejects: budget.rejectsEach * buckets,
    maxSeconds: long ? budget.longSeconds : budget.seconds,
    maxRatePerSecond: loopback ? budget.loopbackRatePerSecond : budget.ratePerSecond,
    ...said,
  };
}
