/**
 * Long because what is written, new, gone and pruned is decided by the same rates.
 *
 * Findings of a run against a file of those that are known.
 */

import { probabilityInterval } from '../judging/chance/binomial.ts';
import { isOfNearlyAll, timesAmongOthers, withFewEvents } from '../judging/chance/times-to-hold.ts';
import type { KnownFile, KnownFinding, KnownHeld, RunKnown } from '../run/run-known.ts';
import { omit } from '../wire/json.ts';
import type { Rate, RunFinding, RunJson, RunRuleRow } from '../run/run.ts';
import { brokenThresholds } from '../run/load/load-outcome.ts';
import { isSameTarget, knownTargetOf } from './known-target.ts';
import { askedBy } from './comparable-runs.ts';
import { fingerprintOf } from './fingerprint.ts';
import { foldedPlace } from '../wire/places.ts';
import { timesJudgedAt } from './judged-at.ts';

/** Of what shows as often as before, so many runs in a thousand may call it more often. */
const ALPHA = 0.002;

interface Found {
  readonly rule: RunRuleRow;
  readonly finding: RunFinding;
}

/** Findings of rules that are broken; what is waived is accepted otherwise. */
function foundIn({ rules }: Pick<RunJson, 'rules'>): Map<string, Found> {
  const found = new Map<string, Found>();
  for (const rule of rules) {
    if (rule.verdict !== 'fail' && rule.verdict !== 'warn') continue;
    for (const finding of rule.findings) {
      const key = fingerprintOf(rule.id, finding);
      if (!found.has(key)) found.set(key, { rule, finding });
    }
  }
  return found;
}

function keyOf({ rule, operation, place }: KnownFinding): string {
  return fingerprintOf(rule, { pointer: place, ...(operation === undefined ? {} : { operation }) });
}

/** Of how often comparable requests were judged; of how often the rule judged anything, where these are not known. */
function shareOf({ rule, finding: { count, share } }: Found): Rate {
  return share ?? { broken: count, judged: Math.max(count, rule.evidence) };
}

function rateOf(found: Found): Rate {
  return found.finding.rate ?? shareOf(found);
}

type RunOfFindings = Pick<
  RunJson,
  'rules' | 'startedAt' | 'target' | 'labels' | 'seed' | 'profile' | 'choice'
>;

/**
 * What a run found, to be known from now on.
 *
 * @param earlier a file that was written before: what it has keeps its day and its rate
 */
export function knownFileOf(run: RunOfFindings, earlier: readonly KnownFinding[] = []): KnownFile {
  const before = new Map(earlier.map((one) => [keyOf(one), one]));
  const day = new Date(run.startedAt).toISOString().slice(0, 10);
  // What an outage alone showed is not there once that has ended.
  const lasting = [...foundIn(run)].filter(([, { finding }]) => finding.isOfOutage !== true);
  const known = lasting.map(([key, found]): KnownFinding => {
    const { operation, pointer } = found.finding;
    const { id: rule, level } = found.rule;
    return {
      ...{ rule, level },
      ...(operation === undefined ? {} : { operation }),
      ...{ place: foldedPlace(pointer), rate: rateOf(found) },
      ...(found.finding.rate === undefined ? {} : { share: shareOf(found) }),
      since: before.get(key)?.since ?? day,
    };
  });
  return { schemaVersion: 1, target: knownTargetOf(run), asked: askedBy(run), known };
}

/**
 * What became of known findings in a run.
 *
 * @param file its name
 * @param of of which target it is, that of the run when absent; and what chose the requests that it rests on
 */
export function knownIn(
  run: RunOfFindings & Pick<RunJson, 'outcome' | 'complete'>,
  listed: readonly KnownFinding[],
  file: string,
  of: Pick<KnownFile, 'target' | 'asked'> = { asked: askedBy(run) },
): RunKnown {
  const { target = knownTargetOf(run), asked } = of;
  const isSameAsked = asked === askedBy(run);
  const byKey = new Map(listed.map((one) => [keyOf(one), one]));
  const found = foundIn(run);
  const known: Record<string, string> = {};
  const fresh: Record<string, RunKnown['fresh'][string]> = {};
  for (const [key, one] of found) {
    const before = byKey.get(key);
    if (before === undefined) {
      // An outage is a mark of the run, and no finding that is new.
      if (one.finding.isOfOutage !== true) fresh[key] = 'not-in-file';
    } else if (isMoreOften(one, before, isSameAsked)) fresh[key] = 'more-often';
    else known[key] = before.since;
  }
  const rows = new Map(run.rules.map((rule) => [rule.id, rule]));
  const isOfTarget = isSameTarget(target, knownTargetOf(run));
  const isDecided = run.outcome !== 'undecided' && run.complete;
  const missing = isDecided && isOfTarget ? [...byKey].filter(([key]) => !found.has(key)) : [];
  const unseen = missing.map(([, one]) => ({ one, held: heldBy(one, rows.get(one.rule), run) }));
  const atTimes = unseen.flatMap(({ one, held }) =>
    held !== undefined && takesRuns(one, isSameAsked) && !isGone(one, held, isSameAsked)
      ? [{ ...one, held }]
      : [],
  );
  return {
    ...{ file, known, fresh },
    ...(isOfTarget ? {} : { otherTarget: target }),
    ...(isSameAsked ? {} : { isAskedOtherwise: true as const }),
    ...(atTimes.length === 0 ? {} : { held: atTimes }),
    gone: unseen.flatMap(({ one, held }) => (isGone(one, held, isSameAsked) ? [one] : [])),
  };
}

/** Whether the same requests showed it at times. */
function isAtTimes({ rate, share }: Pick<KnownFinding, 'rate' | 'share'>): boolean {
  return share !== undefined && rate.broken < rate.judged;
}

/**
 * What runs say of a finding that they do not show, this one included; undefined if its rule did not judge there, or of
 * a run from before it was known, or that has been counted.
 */
function heldBy(
  { operation, since, held = { runs: 0, judged: 0 } }: KnownFinding,
  rule: RunRuleRow | undefined,
  { startedAt }: Pick<RunJson, 'startedAt'>,
): KnownHeld | undefined {
  const isBefore = Date.parse(startedAt) < Date.parse(held.until ?? since);
  if (isBefore || startedAt === held.until) return undefined;
  if (rule === undefined || !['pass', 'fail', 'warn'].includes(rule.verdict)) return undefined;
  const judged = timesJudgedAt(rule, operation) ?? 0;
  if (judged === 0) return undefined;
  return { runs: held.runs + 1, judged: held.judged + judged, until: startedAt };
}

/** What shows at times is not called gone by one run. */
const LEAST_RUNS = 2;
/** Nor is what may be of a chain or a token that other requests have seldom: no figure of one run says how seldom. */
const LEAST_RUNS_OF_OTHERS = 10;

/** Whether other requests than those of its run may all hold, though it is there. */
function isOfItsInputs({ rate, share = rate }: KnownFinding, isSameAsked: boolean): boolean {
  return !isSameAsked && !isOfNearlyAll(share);
}

/** Whether it takes runs in a row to say that a finding is gone. */
function takesRuns(one: KnownFinding, isSameAsked: boolean): boolean {
  return isAtTimes(one) || isOfItsInputs(one, isSameAsked);
}

/**
 * Whether a rule was judged so often, at the operation of the finding, that it would have been seen, whatever was asked.
 * What all comparable requests showed is seen by as many as then: some come once in a run.
 */
function isGone(one: KnownFinding, held: KnownHeld | undefined, isSameAsked: boolean): boolean {
  if (held === undefined) return false;
  const { rate, share = rate } = one;
  const times = timesAmongOthers(share);
  const least = isOfItsInputs(one, isSameAsked) ? LEAST_RUNS_OF_OTHERS : LEAST_RUNS;
  if (takesRuns(one, isSameAsked)) return held.runs >= least && held.judged >= times;
  const judged = held.judged - (one.held?.judged ?? 0);
  return judged >= (share.broken < share.judged ? times : Math.min(times, share.judged));
}

/** What each of some inputs showed, others of a seed may be: so few showed it then, and so many now, that it has spread. */
const FEW = 0.5;
const NEARLY_ALL = 0.9;

/**
 * Whether a finding shows clearly more often than is known. Requests are counted that chance did not choose for having
 * broken the rule; what each of its requests showed counts only if nearly all that are comparable do now. If others were
 * chosen, more of them may be such: the same requests then must show it more often as well.
 */
function isMoreOften(found: Found, { rate, share }: KnownFinding, isSameAsked: boolean): boolean {
  if (rate.broken >= rate.judged) {
    const { share: all } = found.finding;
    if (share === undefined || all === undefined) return false;
    return intervalOf(share)[1] < FEW && intervalOf(all)[0] > NEARLY_ALL;
  }
  if (!isSameAsked && !isAbove(rateOf(found), rate)) return false;
  return share === undefined ? isAbove(rateOf(found), rate) : isAbove(shareOf(found), share);
}

function isAbove(now: Rate, then: Rate): boolean {
  return intervalOf(now)[0] > intervalOf(then)[1];
}

function intervalOf(rate: Rate): readonly [least: number, greatest: number] {
  const { broken, judged } = withFewEvents(rate);
  return probabilityInterval(broken, judged, ALPHA);
}

/**
 * The findings of a file that several runs leave in it. What is gone by all of them is left out, and of what not each
 * request shows stands how often it has held.
 *
 * @param runs what became of the same file in each
 */
export function prunedKnown(
  listed: readonly KnownFinding[],
  runs: readonly (RunKnown | undefined)[],
): KnownFinding[] {
  return listed.flatMap((one): KnownFinding[] => {
    if (runs.every((run) => run?.gone.includes(one) === true)) return [];
    const key = keyOf(one);
    const isSeen = runs.some((run) => Object.hasOwn({ ...run?.known, ...run?.fresh }, key));
    if (isSeen) return [omit(one, 'held')];
    const before: KnownHeld = one.held ?? { runs: 0, judged: 0 };
    const held: { -readonly [Name in keyof KnownHeld]: KnownHeld[Name] } = { ...before };
    const rows = runs.flatMap((run) => run?.held?.filter((it) => keyOf(it) === key) ?? []);
    // A run that is given twice counts once.
    for (const row of new Map(rows.map((it) => [it.held?.until, it])).values()) {
      held.runs += (row.held?.runs ?? 0) - before.runs;
      held.judged += (row.held?.judged ?? 0) - before.judged;
      held.until = later(held.until, row.held?.until);
    }
    if (held.runs === before.runs) return [one];
    const isSameAsked = runs.every((run) => run?.isAskedOtherwise !== true);
    return isGone(one, held, isSameAsked) ? [] : [{ ...one, held }];
  });
}

function later(one = '', other = ''): string {
  return Date.parse(other) > (Date.parse(one) || 0) ? other : one;
}

/** Findings that fail a run. */
export interface KnownCounts {
  readonly known: number;
  readonly fresh: number;
  /** How often rules were broken at places that are not listed; whether these are known is not known. */
  readonly unlisted: number;
  /** Of those that are not known, how many an outage alone showed: neither known nor new, they fail the run. */
  readonly ofOutage: number;
}

/** How many findings that fail a run are known and how many are new; undefined of a run without such a file. */
export function knownCounts({
  known: file,
  rules,
  choice,
}: Pick<RunJson, 'known' | 'rules' | 'choice'>): KnownCounts | undefined {
  if (file === undefined) return undefined;
  const failing = rules.filter(({ verdict }) => verdict === 'fail' || choice?.failOn === 'should');
  const open = [...foundIn({ rules: failing })].filter(([key]) => !Object.hasOwn(file.known, key));
  const known = foundIn({ rules: failing }).size - open.length;
  const ofOutage = open.filter(([, { finding }]) => finding.isOfOutage === true).length;
  const further = failing.flatMap(({ findings }) => findings.map((one) => one.further ?? 0));
  const unlisted = further.reduce((sum, one) => sum + one, 0);
  return { known, fresh: open.length - ofOutage, unlisted, ofOutage };
}

/** Whether all that keeps a run from conforming is known, and nothing else of it is open. */
export function isAllKnown(
  run: Pick<RunJson, 'known' | 'rules' | 'choice' | 'load' | 'failure'>,
): boolean {
  const counts = knownCounts(run);
  const thresholds = run.load === undefined ? [] : brokenThresholds(run.load);
  return (
    counts !== undefined &&
    counts.known > 0 &&
    counts.fresh + counts.unlisted + counts.ofOutage === 0 &&
    thresholds.length === 0 &&
    run.failure === undefined
  );
}
