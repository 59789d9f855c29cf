/** What each run of a history says of a rule. */

import type { Verdict } from '../run/run.ts';
import { memberOf } from './rates-over-runs.ts';
import type { HistoryEntry } from './run-history.ts';

/** Whether a rule was broken, held, or nothing is known. */
export type State = 'broken' | 'held' | 'unknown';

/** By verdict. */
export const STATES: Readonly<Record<Verdict, State>> = {
  fail: 'broken',
  warn: 'broken',
  waived: 'broken',
  pass: 'held',
  observed: 'held',
  inconclusive: 'unknown',
  'not-reached': 'unknown',
};

/** The verdicts of a run, by rule. */
export function byRule({ verdicts }: HistoryEntry): Map<string, Verdict> {
  const found = new Map<string, Verdict>();
  for (const [verdict, ids] of Object.entries(verdicts)) {
    for (const id of ids) found.set(id, verdict as Verdict);
  }
  return found;
}

/** The operations at which a run broke a rule, if it did and says so. */
export function placesIn(
  { brokenAt = {} }: HistoryEntry,
  id: string,
  verdict: Verdict,
): readonly string[] | undefined {
  return STATES[verdict] === 'broken' ? memberOf(brokenAt, id) : undefined;
}

/** What a run says of a rule at an operation, if it says at which it was broken; else of the rule. */
export function stateIn(
  entry: HistoryEntry | undefined,
  verdict: Verdict | undefined,
  { id, operation }: { readonly id: string; readonly operation: string | undefined },
): State {
  // Errors of an outage say nothing of the rule, whose run has a mark for it.
  if (verdict === undefined || entry?.ofOutage?.includes(id) === true) return 'unknown';
  const state = STATES[verdict];
  if (operation === undefined || state === 'unknown') return state;
  const brokenAt = memberOf(entry?.brokenAt ?? {}, id);
  if (brokenAt?.includes(operation) === true) return 'broken';
  if (state === 'broken' && brokenAt === undefined) return state;
  const judgedAt = memberOf(entry?.judgedAt ?? {}, id);
  return judgedAt === undefined || (memberOf(judgedAt, operation) ?? 0) > 0 ? 'held' : 'unknown';
}
