/** What changed over the runs of a history. Pure; nothing here is a verdict. */

import type { Rate, Verdict } from '../run/run.ts';
import { timesToHold } from '../judging/chance/times-to-hold.ts';
import { given } from '../wire/json.ts';
import { operationsOf, rateIn, rateOver } from './rates-over-runs.ts';
import { byRule, placesIn, type State, stateIn, STATES } from './rule-states.ts';
import type { HistoryEntry, HistoryLimit } from './run-history.ts';

/** A rule that is not the same throughout a history. */
export interface RuleChange {
  readonly id: string;
  /** Of what is broken now: one operation at which it is; absent of others, and if the run does not say at which. */
  readonly operation?: string;
  /** `red`: broken now · `mended`: broken before, not now · `lost`: reached before, not now. */
  readonly state: 'red' | 'mended' | 'lost';
  /** The verdict in the newest run. */
  readonly verdict: Verdict;
  /** Place of the first run of the present state; 0 where it goes back to the oldest. */
  readonly since: number;
  /** Runs that broke it, and those that judged it. */
  readonly broken: number;
  readonly judged: number;
  /** Whether other code of Assay, or another contract, judged the run before it changed. */
  readonly isJudgedOtherwise: boolean;
  /** Of a rule that was intermittent in some run: how often it was broken, of how often it was judged in all runs. */
  readonly rate?: Rate;
  /** Whether it is intermittent, and too few runs held to call it fixed. */
  readonly isOpen?: true;
}

/** Something seen from one run on and in none before, or up to one run and in none after. */
export interface SeenChange {
  readonly clause: string;
  readonly observation: string;
  readonly kind: 'came' | 'went';
  /** Place of the first run that saw it, or that no longer did. */
  readonly since: number;
}

/** One limit over the runs; undefined where a run did not probe it. */
export interface LimitSeries {
  readonly api: HistoryLimit['api'];
  readonly scope: string;
  readonly rows: readonly (HistoryLimit | undefined)[];
}

/**
 * Rules that are broken now, at each operation, were broken before, or are no longer reached; the newest change first.
 */
export function ruleChanges(entries: readonly HistoryEntry[]): RuleChange[] {
  const runs = entries.map(byRule);
  const [now, newest] = [runs.at(-1), entries.at(-1)];
  if (now === undefined || newest === undefined) return [];
  const places = [...now].flatMap(([id, verdict]) =>
    (placesIn(newest, id, verdict) ?? [undefined]).map((operation) => ({
      ...{ id, verdict, operation },
    })),
  );
  const changes = places.flatMap(({ id, verdict, operation }): RuleChange[] => {
    const states = runs.map((run, at) => stateIn(entries[at], run.get(id), { id, operation }));
    if (newest.ofOutage?.includes(id) === true) return [];
    const count = (state: State): number => states.filter((one) => one === state).length;
    const [broken, last] = [count('broken'), STATES[verdict]];
    const judged = states.length - count('unknown');
    const state = last === 'broken' ? 'red' : last === 'held' ? 'mended' : 'lost';
    if (state === 'mended' && broken === 0) return [];
    // A run that was cut short reaches less, which says nothing of the rule.
    if (state === 'lost' && (judged === 0 || entries.at(-1)?.complete !== true)) return [];
    const rate = rateOver(entries, id);
    const endsBy: StateEnd = (from, to) =>
      rate === undefined || isGone(entries.slice(0, to), states.slice(0, to), { id, since: from });
    const since = sinceWhen(states, last, endsBy);
    const [then, before] = [entries[since], entries[since - 1]];
    const isJudgedOtherwise =
      then !== undefined &&
      before !== undefined &&
      (then.tool !== before.tool || then.contract !== before.contract);
    const isOpen =
      rate !== undefined && state === 'mended' && !isGone(entries, states, { id, since });
    return [
      {
        ...{ id, state, verdict, since, broken, judged, isJudgedOtherwise },
        ...given({ operation }),
        ...(rate === undefined ? {} : { rate }),
        ...(isOpen ? { isOpen } : {}),
      },
    ];
  });
  const rank = { red: 0, lost: 1, mended: 2 };
  return changes.sort((a, b) => rank[a.state] - rank[b.state] || b.since - a.since);
}

/** One run alone never says that what shows at times is gone. */
const LEAST_RUNS = 2;

/**
 * Whether a rule that was broken at times, and held since, was judged in so many runs, and so often in them, that the
 * fault would have been missed in 1 of 100 at most.
 */
function isGone(
  entries: readonly HistoryEntry[],
  states: readonly State[],
  { id, since }: Pick<RuleChange, 'id' | 'since'>,
): boolean {
  const runs = (from: number, to?: number): Rate => {
    const known = states.slice(from, to).filter((one) => one !== 'unknown');
    return { broken: known.filter((one) => one === 'broken').length, judged: known.length };
  };
  const held = runs(since).judged;
  const operations = operationsOf(entries, id);
  const { judged } = rateIn(entries.slice(since), id, operations);
  return (
    held >= Math.max(LEAST_RUNS, timesToHold(runs(0, since))) &&
    judged >= timesToHold(rateIn(entries.slice(0, since), id, operations))
  );
}

/** Whether runs from one place up to another, in which a rule held, show that what had broken it was gone. */
type StateEnd = (from: number, to: number) => boolean;

/**
 * The first run of the present state; a run that says nothing of the rule does not end a state, nor do runs in which
 * held what shows at times, if they are too few to call it fixed.
 */
function sinceWhen(states: readonly State[], last: State, endsBy: StateEnd): number {
  let since = states.length - 1;
  for (let at = states.length - 1; at >= 0; at -= 1) {
    if (states[at] === last) since = at;
    else if (states[at] !== 'unknown' && (last !== 'broken' || endsBy(at, since))) break;
  }
  return since;
}

/** Seen in one of two runs by chance, something is seen in so many and in none of as many before in 1 of 16,000. */
const LEAST_OF_OTHER_SEEDS = 7;

/** What came or went for good where the document is silent, the newest first. */
export interface SeenChanges {
  readonly changes: readonly SeenChange[];
  /** Unspecified clauses of which some things were seen in some runs and not in others, in no order. */
  readonly varying: readonly string[];
}

/**
 * What was seen from some run on, or up to some run. Only runs that came to their end count, and only
 * unspecified clauses that all of them kept whole.
 */
export function seenChanges(entries: readonly HistoryEntry[]): SeenChanges {
  const isSameSeed = new Set(entries.map(({ seed }) => seed)).size < 2;
  const whole = entries.flatMap((entry, at) => (entry.complete ? [{ entry, at }] : []));
  const changes: SeenChange[] = [];
  const varying = new Set<string>();
  const unspecified = new Set(whole.flatMap(({ entry }) => Object.keys(entry.ledger)));
  for (const clause of unspecified) {
    const seen = whole.map(({ entry }) => ledgerRow(entry, clause));
    if (seen.some((row) => row === undefined)) continue;
    const all = new Set(seen.flatMap((row) => [...(row ?? [])]));
    for (const observation of all) {
      const had = seen.map((row) => row?.has(observation) === true);
      const steps = had.flatMap((one, at) => (at > 0 && one !== had[at - 1] ? [at] : []));
      const [step] = steps;
      const since = step === undefined ? undefined : whole[step]?.at;
      // Other seeds ask by other inputs, so that a few runs with it, or without, may be chance.
      const least = isSameSeed || step === undefined ? 0 : Math.min(step, had.length - step);
      const isChance = steps.length > 1 || (!isSameSeed && least < LEAST_OF_OTHER_SEEDS);
      if (step !== undefined && isChance) varying.add(clause);
      else if (step !== undefined && since !== undefined) {
        changes.push({ clause, observation, kind: had[step] === true ? 'came' : 'went', since });
      }
    }
  }
  return {
    changes: changes.sort((a, b) => b.since - a.since || (a.clause < b.clause ? -1 : 1)),
    varying: [...varying].sort(),
  };
}

/**
 * Undefined where more was seen than was kept; an unspecified clause that the run does not name saw
 * nothing.
 */
function ledgerRow(
  { ledger, ledgerCut }: HistoryEntry,
  clause: string,
): ReadonlySet<string> | undefined {
  if (ledgerCut.includes(clause)) return undefined;
  return new Set(Object.hasOwn(ledger, clause) ? ledger[clause] : []);
}

/** Each limit that some run probed, over all of them. */
export function limitSeries(entries: readonly HistoryEntry[]): LimitSeries[] {
  const keys = new Map<string, Pick<LimitSeries, 'api' | 'scope'>>();
  for (const { limits } of entries) {
    for (const { api, scope } of limits) keys.set(`${api}\n${scope}`, { api, scope });
  }
  return [...keys.values()].map(({ api, scope }) => ({
    ...{ api, scope },
    rows: entries.map(({ limits }) => limits.find((row) => row.api === api && row.scope === scope)),
  }));
}

/** What of a limit would be noticed if it changed; a limit that was not identified has no figures. */
export function limitKey(row: HistoryLimit): string {
  const { verdict, algorithms, limit, windowSeconds, burst, refillPerSecond } = row;
  return JSON.stringify([verdict, algorithms, limit, windowSeconds, burst, refillPerSecond]);
}
