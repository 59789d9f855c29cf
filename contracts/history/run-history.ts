/**
 * What is kept of a run so that later ones can be seen beside it: one line of a history.
 *
 * Long because what is kept of a run, and which runs stand beside one, have the same bounds.
 */

import { knownTargetOf } from '../compare/known-target.ts';
import { omit } from '../wire/json.ts';
import type {
  AtTimesRow,
  BrokenBy,
  LimitFigures,
  LimitRow,
  Outcome,
  Rate,
  RunJson,
  RunKind,
  RunRuleRow,
  RunTarget,
  Verdict,
} from '../run/run.ts';
import { isIntermittent, limitFigures, VERDICTS } from '../run/run.ts';
import { isOfOutage } from '../run/of-outage.ts';
import type { ProfileName } from '../judging/profile.ts';
import { kindOf } from '../release/release-runs.ts';

/** One limit as a history keeps it. */
export type HistoryLimit = LimitFigures;

/** What an operation did not serve at times, as a history keeps it. */
export type HistoryAtTimes = Omit<AtTimesRow, 'said'>;

/** One operation's latency as a history keeps it. */
export interface HistoryLatency {
  readonly operation: string;
  readonly count: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/** One run of a history. No verdict ever rests on it. */
export interface HistoryEntry {
  readonly schemaVersion: 1;
  /** Name of the folder that its record had. */
  readonly run: string;
  /** Of its record: which run it is, wherever its folder was copied to. */
  readonly id: string;
  /** RFC 3339. */
  readonly startedAt: string;
  readonly kind: RunKind;
  readonly outcome: Outcome;
  readonly complete: boolean;
  /** Digest of the code that judged. */
  readonly tool: string;
  /** Digest of the contract. */
  readonly contract: string;
  readonly profile: ProfileName;
  readonly seed: number;
  /** The choice of rules as JSON; absent if all were judged. */
  readonly choice?: string;
  readonly target: Pick<RunTarget, 'kind' | 'urls'>;
  readonly labels?: Readonly<Record<string, string>>;
  /** APIs and operations that were out; absent if none was. */
  readonly outages?: readonly string[];
  /** Ids of rules that the answers of an outage alone broke; absent if there are none. */
  readonly ofOutage?: readonly string[];
  /** What did not serve at times; absent if there is none. */
  readonly atTimes?: readonly HistoryAtTimes[];
  /** By what it does not conform; absent of others. */
  readonly brokenBy?: readonly BrokenBy[];
  /** How often a rule was judged broken, of how often it was judged outside of outages, by its id; of others absent. */
  readonly rates?: Readonly<Record<string, Rate>>;
  /** Ids of rules that the same requests broke, and did not break; absent if there are none. */
  readonly intermittent?: readonly string[];
  /** Operations at which a rule that was broken was, by its id; absent from entries of earlier versions. */
  readonly brokenAt?: Readonly<Record<string, readonly string[]>>;
  /** How often a rule of several operations was judged at each, by its id and theirs; likewise absent. */
  readonly judgedAt?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** How often each rule of `verdicts` judged anything, in the same order; absent from entries of earlier versions. */
  readonly judged?: Readonly<Partial<Record<Verdict, readonly number[]>>>;
  /** Ids of the rules, by verdict. */
  readonly verdicts: Readonly<Partial<Record<Verdict, readonly string[]>>>;
  readonly latencies: readonly HistoryLatency[];
  readonly limits: readonly HistoryLimit[];
  /** What was seen where the document is silent, by id of the unspecified clause. */
  readonly ledger: Readonly<Record<string, readonly string[]>>;
  /** Unspecified clauses of which more was seen than is kept. */
  readonly ledgerCut: readonly string[];
}

/** A run that is under way, or was ended before its record was judged: nobody knows yet what it came to. */
export interface UnendedRun extends Pick<HistoryEntry, 'run' | 'startedAt' | 'profile' | 'target'> {
  readonly labels: Readonly<Record<string, string>>;
}

/** Bounds of one entry; what is beyond them is left out. */
export const MAX_OF_ENTRY = {
  rules: 3_000,
  operations: 300,
  limits: 50,
  unspecified: 500,
  observations: 100,
  ledgerCharacters: 60_000,
  labels: 20,
  characters: 300,
} as const;

/**
 * What is known of a run that was not judged to its end.
 *
 * @param folder name of the folder of its record
 */
export function unendedRunOf(
  { startedAt, profile, target, labels }: RunJson,
  folder: string,
): UnendedRun {
  return {
    ...{ run: folder.slice(0, MAX_OF_ENTRY.characters), startedAt, profile },
    target: { kind: target.kind, urls: target.urls },
    labels: labelsOf(labels),
  };
}

/**
 * What a history keeps of a run.
 *
 * @param folder name of the folder of its record
 */
export function historyEntryOf(run: RunJson, folder: string): HistoryEntry {
  const { record, startedAt, outcome, complete, profile, seed, target, choice, labels } = run;
  const { characters } = MAX_OF_ENTRY;
  const reported = labelsOf(labels);
  return {
    schemaVersion: 1,
    ...{ run: folder.slice(0, characters), id: record.id, startedAt, kind: kindOf(run) },
    ...{ outcome, complete, tool: run.tool.sha256, contract: run.contract.sha256, profile, seed },
    ...(choice === undefined ? {} : { choice: JSON.stringify(omit(choice, 'leftOut')) }),
    target: { kind: target.kind, urls: target.urls },
    ...(Object.keys(reported).length === 0 ? {} : { labels: reported }),
    ...(run.outages === undefined ? {} : { outages: bounded(run.outages).map(cut) }),
    ...atTimesIn(run),
    ...ofOutageIn(run),
    ...(run.brokenBy === undefined ? {} : { brokenBy: run.brokenBy }),
    ...ratesOf(run),
    ...placesOf(run),
    verdicts: byVerdict(run, ({ id }) => cut(id)),
    judged: byVerdict(run, ({ evidence }) => evidence),
    latencies: (run.latencies ?? [])
      .slice(0, MAX_OF_ENTRY.operations)
      .map(({ operation, count, p50Ms, p95Ms }) => ({
        ...{ operation: cut(operation), count, p50Ms, p95Ms },
      })),
    limits: run.limits.slice(0, MAX_OF_ENTRY.limits).map(limitOf),
    ...ledgerOf(run),
  };
}

function labelsOf(labels: RunJson['labels'] = {}): Readonly<Record<string, string>> {
  const kept = Object.entries(labels).slice(0, MAX_OF_ENTRY.labels);
  return Object.fromEntries(kept.map(([key, value]) => [cut(key), cut(value)]));
}

function byVerdict<T>(
  { rules }: RunJson,
  factOf: (rule: RunRuleRow) => T,
): Partial<Record<Verdict, readonly T[]>> {
  const kept = rules.slice(0, MAX_OF_ENTRY.rules);
  return Object.fromEntries(
    VERDICTS.flatMap((verdict) => {
      const facts = kept.filter((rule) => rule.verdict === verdict).map(factOf);
      return facts.length === 0 ? [] : [[verdict, facts] as const];
    }),
  );
}

function atTimesIn({ atTimes = [] }: RunJson): Pick<HistoryEntry, 'atTimes'> {
  const kept = bounded(atTimes).map(({ api, operation, kind, count, of }) => ({
    ...{ api: cut(api), operation: cut(operation), kind, count, of },
  }));
  return kept.length === 0 ? {} : { atTimes: kept };
}

function ofOutageIn({ rules }: RunJson): Pick<HistoryEntry, 'ofOutage'> {
  const ids = rules.slice(0, MAX_OF_ENTRY.rules).flatMap((row) => (isOfOutage(row) ? row.id : []));
  return ids.length === 0 ? {} : { ofOutage: ids.map(cut) };
}

function ratesOf({ rules }: RunJson): Pick<HistoryEntry, 'rates' | 'intermittent'> {
  const kept = rules.slice(0, MAX_OF_ENTRY.rules);
  const rates = kept.flatMap(({ id, rate }) => (rate ? [[cut(id), rate] as const] : []));
  const intermittent = kept.filter(({ findings }) => findings.some(isIntermittent));
  return {
    ...(rates.length === 0 ? {} : { rates: Object.fromEntries(rates) }),
    ...(intermittent.length === 0 ? {} : { intermittent: intermittent.map(({ id }) => cut(id)) }),
  };
}

function placesOf({ rules }: RunJson): Pick<HistoryEntry, 'brokenAt' | 'judgedAt'> {
  const kept = rules.slice(0, MAX_OF_ENTRY.rules);
  const brokenAt = kept.flatMap(({ id, findings }) => {
    const operations = new Set(findings.flatMap(({ operation }) => operation ?? []));
    return operations.size === 0 ? [] : [[cut(id), bounded([...operations].map(cut))] as const];
  });
  const judgedAt = kept.flatMap(({ id, judgedAt: rows = [] }) => {
    const times = rows.map(({ operation = '', times: count }) => [cut(operation), count] as const);
    return times.length < 2 ? [] : [[cut(id), Object.fromEntries(bounded(times))] as const];
  });
  return {
    ...(brokenAt.length === 0 ? {} : { brokenAt: Object.fromEntries(brokenAt) }),
    ...(judgedAt.length === 0 ? {} : { judgedAt: Object.fromEntries(judgedAt) }),
  };
}

function bounded<T>(some: readonly T[]): readonly T[] {
  return some.slice(0, MAX_OF_ENTRY.operations);
}

function limitOf(row: LimitRow): HistoryLimit {
  return { ...limitFigures(row), scope: cut(row.scope) };
}

function ledgerOf({ ledger }: RunJson): Pick<HistoryEntry, 'ledger' | 'ledgerCut'> {
  const kept: [string, readonly string[]][] = [];
  const ledgerCut: string[] = [];
  let room: number = MAX_OF_ENTRY.ledgerCharacters;
  for (const { id, observed } of ledger.slice(0, MAX_OF_ENTRY.unspecified)) {
    const needed = observed.reduce((sum, text) => sum + text.length, 0);
    const isShort = observed.every((text) => text.length <= MAX_OF_ENTRY.characters);
    if (observed.length > MAX_OF_ENTRY.observations || !isShort || needed > room) {
      ledgerCut.push(cut(id));
    } else {
      room -= needed;
      kept.push([cut(id), observed]);
    }
  }
  return { ledger: Object.fromEntries(kept), ledgerCut };
}

function cut(text: string): string {
  return text.slice(0, MAX_OF_ENTRY.characters);
}

/** Earlier runs beside one, as far as they can be set beside it. */
export interface RunHistory {
  /** Oldest first; the run itself is last. */
  readonly entries: readonly HistoryEntry[];
  /** Why others were left out, and what a reader must know, as sentences. */
  readonly notes: readonly string[];
  /** Runs of the same target between the one before and the run itself that were not judged to their end, oldest first. */
  readonly unended?: readonly UnendedRun[];
}

/** Runs that are shown beside one at the most, the newest. */
const MAX_SHOWN = 120;

/**
 * Sets a run among others: those of the same kind, target, profile and choice of rules that began before
 * it. The others are counted with the reason.
 *
 * @param found in any order; the run itself and copies may be among them
 */
export function historyOf(
  run: HistoryEntry,
  found: readonly HistoryEntry[],
  notes: readonly string[] = [],
  unended: readonly UnendedRun[] = [],
): RunHistory {
  const reasons = new Map<string, number>();
  const ids = new Set([run.id]);
  const kept: HistoryEntry[] = [];
  for (const other of found.toSorted((a, b) => timeOf(a) - timeOf(b))) {
    if (other.id === run.id) continue;
    const reason = ids.has(other.id) ? 'copies of another one' : difference(run, other);
    ids.add(other.id);
    if (reason === undefined) kept.push(other);
    else reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  const shown = kept.slice(1 - MAX_SHOWN);
  const sinceMs = shown.length === 0 ? -Infinity : Math.max(...shown.slice(-1).map(timeOf));
  const between = unended
    .filter((one) => timeOf(one) >= sinceMs && timeOf(one) <= timeOf(run))
    .filter((one) => targetOf(one) === targetOf(run) && one.profile === run.profile)
    .toSorted((a, b) => timeOf(a) - timeOf(b));
  const left = [...reasons].map(([reason, count]) => `${count} ${reason}`).join(', ');
  const tooOld = kept.length - shown.length;
  const others = (differs: (other: HistoryEntry) => boolean): number =>
    shown.filter(differs).length;
  const judgedOtherwise = others(({ tool }) => tool !== run.tool);
  const otherContract = others(({ contract }) => contract !== run.contract);
  return {
    entries: [...shown, run],
    ...(between.length === 0 ? {} : { unended: between }),
    notes: [
      ...notes,
      ...(left === '' ? [] : [`Not shown: ${left}.`]),
      ...(tooOld === 0 ? [] : [`The oldest ${tooOld} are not shown, beyond ${MAX_SHOWN}.`]),
      ...(judgedOtherwise === 0
        ? []
        : [
            `${judgedOtherwise} of ${shown.length} earlier runs were judged by other code of Assay than this one.`,
          ]),
      ...(otherContract === 0
        ? []
        : [`${otherContract} of ${shown.length} earlier runs were judged by another contract.`]),
    ],
  };
}

/** Why a run is not shown beside another, in the plural; undefined if it is. */
function difference(run: HistoryEntry, other: HistoryEntry): string | undefined {
  if (other.kind !== run.kind) return `of another kind than ${run.kind}`;
  if (targetOf(run) !== targetOf(other)) return 'of another target';
  if (other.profile !== run.profile) return `of another profile than ${run.profile}`;
  if (other.choice !== run.choice) return 'with another choice of rules';
  return timeOf(other) > timeOf(run) ? 'that began after it' : undefined;
}

function targetOf(run: Pick<HistoryEntry, 'target' | 'labels'>): string {
  const names = Object.entries(knownTargetOf(run));
  return JSON.stringify(names.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function timeOf({ startedAt }: Pick<HistoryEntry, 'startedAt'>): number {
  return Date.parse(startedAt);
}
