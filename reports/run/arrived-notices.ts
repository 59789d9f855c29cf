/** What is said where nothing of what builds promise arrived. */

import type { RuleResult } from '../../contracts/judging/judge.ts';
import type { RunSimulation } from '../../contracts/run/run-simulation.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';

/**
 * A sentence for each API none of whose executed builds delivered anything on its chain, while a must rule on it is
 * left open. Others may fill orders later; as nothing shows that they do, such a run decides too little.
 */
export function arrivedNotices(
  simulations: readonly RunSimulation[],
  results: readonly RuleResult[],
): string[] {
  const isOpen = (api: ApiName): boolean =>
    results.some(
      ({ rule, verdict }) =>
        rule.api === api && rule.level === 'must' && verdict === 'inconclusive',
    );
  const apis = [...new Set(simulations.map(({ api }) => api))];
  return apis.filter(isOpen).flatMap((api) => {
    const rows = simulations.filter((row) => row.api === api);
    const promised = rows.filter(isPromised);
    // Of a build that fails whatever is approved, it is not known what it was to deliver where.
    const failed = rows.filter(({ why, changes }) => why !== undefined && changes.length === 0);
    const isNone = promised.length > 0 ? !promised.some(isArrived) : failed.length === rows.length;
    if (!isNone) return [];
    const all = promised.length + failed.length;
    const ofFailed = failed.length === 0 ? '' : `, and ${failed.length} of them failed`;
    return [
      `Nothing arrived in ${all} of ${all} ${api} builds that nodes executed${ofFailed}: as far as this shows, whoever follows ${all === 1 ? 'it' : 'them'} gets nothing.`,
    ];
  });
}

const isPromised = ({ changes }: RunSimulation): boolean =>
  changes.some(({ who }) => who === 'recipient');

const isArrived = ({ changes }: RunSimulation): boolean =>
  changes.some(({ who, changed }) => who === 'recipient' && changed.startsWith('+'));
