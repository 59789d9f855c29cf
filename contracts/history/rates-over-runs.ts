/** How often rules were broken over the runs of a history. */

import { type Rate, VERDICTS } from '../run/run.ts';
import type { HistoryEntry } from './run-history.ts';

/** The rates of a rule over all runs, where it was intermittent in one of them. Runs in which it held count as well. */
export function rateOver(entries: readonly HistoryEntry[], id: string): Rate | undefined {
  return entries.some(({ intermittent }) => intermittent?.includes(id) === true)
    ? rateIn(entries, id)
    : undefined;
}

/** The operations at which a rule was broken in some run, as far as runs know them. */
export function operationsOf(entries: readonly HistoryEntry[], id: string): ReadonlySet<string> {
  return new Set(entries.flatMap(({ brokenAt = {} }) => memberOf(brokenAt, id) ?? []));
}

/** @param operations of whose answers is counted what was judged, if the runs know it; none for all that was */
export function rateIn(
  entries: readonly HistoryEntry[],
  id: string,
  operations: ReadonlySet<string> = operationsOf(entries, id),
): Rate {
  const runs = entries.map((entry) => {
    const { broken, judged } = memberOf(entry.rates ?? {}, id) ?? {
      broken: 0,
      judged: judgedIn(entry, id) ?? 0,
    };
    const at = memberOf(entry.judgedAt ?? {}, id);
    if (at === undefined || operations.size === 0) return { broken, judged };
    return {
      broken,
      judged: [...operations].reduce((sum, one) => sum + (memberOf(at, one) ?? 0), 0),
    };
  });
  return {
    broken: runs.reduce((sum, one) => sum + one.broken, 0),
    judged: runs.reduce((sum, one) => sum + Math.max(one.broken, one.judged), 0),
  };
}

/** A member that a record itself has. */
export function memberOf<T>(members: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** How often a rule judged anything in a run; undefined where that is not known. */
function judgedIn({ verdicts, judged = {} }: HistoryEntry, id: string): number | undefined {
  const times = VERDICTS.flatMap((verdict) => {
    const at = verdicts[verdict]?.indexOf(id) ?? -1;
    return at < 0 ? [] : (judged[verdict]?.[at] ?? []);
  });
  return times[0];
}
