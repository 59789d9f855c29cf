import type { Answers } from './answer-forms.ts';
import { clipped, comparableFindings, type ComparedBy } from './compare-findings.ts';
import { compareAnswers } from './compare-answers.ts';
import { compareLedgers } from './compare-ledgers.ts';
import { isOtherSeedAlone, reservationsOf } from './comparable-runs.ts';
import type { RunJson } from '../run/run.ts';
import type {
  AnswerChange,
  Bounded,
  ComparedRun,
  LatencyChange,
  RunComparison,
  UnreachedRule,
} from '../run/run-comparison.ts';

/** A run to compare: its summary, and how its requests were answered, where its exchanges are at hand. */
export interface ComparableRun {
  readonly run: RunJson;
  readonly answers?: Answers;
}

const MAX_ROWS = 200;
/** Of one unspecified clause, on either side. */
const MAX_SEEN = 60;

interface ComparingOptions extends Pick<ComparedBy, 'keptOf'> {
  readonly isBeside?: boolean | undefined;
}

/**
 * A run compared with an earlier one, or one deployment with another. The verdict of the run is not
 * touched by it. What one run does not show counts as absent only where the same was asked, and judged.
 *
 * @param name of the baseline's record, for texts
 * @param options.keptOf how often the requests of a finding, by its fingerprint, were asked again and its rule held
 * @param options.isBeside whether it is of a second target, which was asked at the same time
 */
export function compareRuns(
  then: ComparableRun,
  now: ComparableRun,
  name: string,
  { isBeside = false, keptOf }: ComparingOptions = {},
): RunComparison {
  const reservations = reservationsOf(then.run, now.run);
  const isSameAsked = reservations.length === 0;
  const isOtherSeed = isOtherSeedAlone(then.run, now.run);
  const answers =
    then.answers === undefined || now.answers === undefined
      ? undefined
      : compareAnswers(then.answers, now.answers, then.run.complete && now.run.complete);
  if (answers?.pairs === 0) {
    reservations.push('No request was sent and answered in both runs, so no answers are compared.');
  }
  const { fresh, fixed, still, open } = comparableFindings(then.run, now.run, {
    isSameAsked,
    isOtherSeed,
    ...(keptOf === undefined ? {} : { keptOf }),
  });
  const ledger = compareLedgers(then.run, now.run, isSameAsked);
  const notReached = newlyNotReached(then.run, now.run);
  const added = addedOperations(then.run, now.run);
  const isChanged =
    fresh.length + fixed.length > 0 ||
    ledger.some(({ grade }) => grade === 'certain') ||
    answers?.moreIsCertain === true ||
    answers?.changes.some((one) => one.grade === 'certain' && !isAdded(one)) === true;
  // Other inputs of the same kinds explain what some of them alone show.
  const isLikely = isOtherSeed && !ledger.some(({ isOther }) => isOther);
  const isUnclear = open.length > 0 || (reservations.length > 0 && !isLikely);
  const { record, startedAt, seed, profile, tool, outcome } = then.run;
  return {
    base: {
      ...{ name, id: clipped(record.id), startedAt, seed, profile, outcome },
      tool: clipped(tool.version),
      ...(isBeside ? { beside: urlsOf(then.run) } : {}),
    },
    reservations,
    findings: {
      fresh: bounded(fresh),
      fixed: bounded(fixed),
      still: bounded(still),
      open: bounded(open),
    },
    notReached: bounded(notReached),
    ...(answers === undefined ? {} : { answers }),
    ledger: bounded(
      ledger.map(({ id, clause, came, went, grade }) => ({
        ...{ id, clause, grade },
        came: came.slice(0, MAX_SEEN),
        went: went.slice(0, MAX_SEEN),
      })),
    ),
    latencies: latencyChanges(then.run, now.run),
    ...(added.length === 0 ? {} : { added: bounded(added) }),
    verdict: isChanged ? 'changed' : isUnclear ? 'unclear' : 'same',
  };
}

/** Whether a difference is a field or a header field that no answer had before: no client breaks by it. */
export function isAdded({ aspect, then }: AnswerChange): boolean {
  return aspect !== 'status' && then === null;
}

/** Operations that only the run asked, of two that were to ask the same. */
function addedOperations(then: RunJson, now: RunJson): string[] {
  const isAlike = then.complete && now.complete && then.profile === now.profile;
  const others = reservationsOf(then, {
    ...now,
    ...{ seed: then.seed, contract: then.contract, tool: then.tool },
  });
  if (!isAlike || others.length > 0) return [];
  const operationsOf = ({ latencies = [] }: RunJson): string[] =>
    // Of what is no operation, method and API stand there.
    latencies.map(({ operation }) => operation).filter((operation) => !operation.includes(' '));
  const before = new Set(operationsOf(then));
  return operationsOf(now)
    .filter((operation) => !before.has(operation))
    .map(clipped);
}

function urlsOf({ target: { urls } }: RunJson): NonNullable<ComparedRun['beside']> {
  return Object.fromEntries(Object.entries(urls).map(([api, url]) => [api, clipped(url)]));
}

function bounded<T>(all: readonly T[]): Bounded<T> {
  const rows = all.slice(0, MAX_ROWS);
  return { rows, more: all.length - rows.length };
}

function newlyNotReached(then: RunJson, now: RunJson): UnreachedRule[] {
  const before = new Map(then.rules.map(({ id, verdict }) => [id, verdict]));
  return now.rules.flatMap(({ id, verdict, reason }): UnreachedRule[] => {
    const was = before.get(id);
    const isGone = verdict === 'not-reached' || verdict === 'inconclusive';
    const wasThere = was !== undefined && was !== 'not-reached' && was !== 'inconclusive';
    if (!isGone || !wasThere) return [];
    return [{ rule: id, then: was, reason: clipped(reason ?? 'no reason was recorded') }];
  });
}

function latencyChanges(then: RunJson, now: RunJson): LatencyChange[] {
  const before = new Map((then.latencies ?? []).map((row) => [row.operation, row]));
  return (now.latencies ?? []).slice(0, MAX_ROWS).flatMap((row): LatencyChange[] => {
    const was = before.get(row.operation);
    if (was === undefined) return [];
    const latencyOf = ({ count, p50Ms, p95Ms }: typeof row): LatencyChange['now'] => ({
      ...{ count, p50Ms, p95Ms },
    });
    return [{ operation: row.operation, then: latencyOf(was), now: latencyOf(row) }];
  });
}
