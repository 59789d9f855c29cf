import type { LimitRow } from '../../contracts/run/run.ts';
import type { Scenario } from '../../load/scenarios/scenario.ts';
import { UsageError } from '../exit-code.ts';
import { readLimits } from '../record/limits-record.ts';

/** What a scenario does about limits that were measured: stays below them, or goes above on purpose. */
export interface LimitsWish {
  /** Folder of a run of `assay limits`. */
  readonly dir: string;
  readonly way: 'below' | 'above';
  /** Times the limit, e.g. 0.8 or 1.5. */
  readonly factor: number;
}

/**
 * The highest rate of a scenario by measured limits, in requests a second over all clients. Below means
 * below each limit that its requests count for; above means above all of them.
 *
 * @throws UsageError when the folder has no limits, or none that the scenario meets
 */
export function rateByLimits(scenario: Scenario, { dir, way, factor }: LimitsWish): number {
  const measured = readLimits(dir);
  if (measured === undefined) {
    throw new UsageError(
      `${dir} holds no measured limits: give the folder of a run of assay limits`,
    );
  }
  const weights = Object.values(scenario.mix).reduce((sum, weight) => sum + weight, 0);
  const rates = measured.flatMap(({ row }) => {
    const perSecond = perSecondOf(row);
    const isOfKey = /\bkey\b/.test(row.scope);
    const share = shareOf(scenario, row.api) / weights;
    const isMet = isOfKey ? scenario.clients.kind === 'keys' : scenario.clients.kind !== 'keys';
    if (perSecond === undefined || share === 0 || !isMet) return [];
    return [(factor * perSecond * scenario.clients.count) / share];
  });
  if (rates.length === 0) {
    throw new UsageError(
      `none of the limits in ${dir} is one that the scenario ${scenario.name} meets, or none was found there`,
    );
  }
  return way === 'below' ? Math.min(...rates) : Math.max(...rates);
}

/** What a limit admits in the long run. */
function perSecondOf({ refillPerSecond, limit, windowSeconds }: LimitRow): number | undefined {
  const perSecond =
    refillPerSecond ??
    (limit === undefined || windowSeconds === undefined ? undefined : limit / windowSeconds);
  return perSecond !== undefined && perSecond > 0 ? perSecond : undefined;
}

/** The weights of the operations of an API. */
function shareOf({ mix }: Scenario, api: string): number {
  return Object.entries(mix)
    .filter(([operation]) => operation.startsWith(`${api}.`))
    .reduce((sum, [, weight]) => sum + weight, 0);
}
