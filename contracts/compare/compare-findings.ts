import { isOfNearlyAll, timesAmongOthers, timesToHold } from '../judging/chance/times-to-hold.ts';
import { fingerprintOf } from './fingerprint.ts';
import { timesJudgedAt } from './judged-at.ts';
import type { Rate, RunFinding, RunJson, RunRuleRow } from '../run/run.ts';
import type { ComparedFinding } from '../run/run-comparison.ts';

/** Findings of broken rules by what became of them. */
export interface FindingsByFate {
  readonly fresh: readonly ComparedFinding[];
  readonly fixed: readonly ComparedFinding[];
  readonly still: readonly ComparedFinding[];
  readonly open: readonly ComparedFinding[];
}

/** What findings of two runs are compared by. */
export interface ComparedBy {
  /** Whether both runs asked the same, were judged alike and came to their end. */
  readonly isSameAsked: boolean;
  /** Whether they did but for the seed, which chose other inputs of the same kinds. */
  readonly isOtherSeed: boolean;
  /**
   * How often the requests of a finding, by its fingerprint, were asked again and its rule held; absent where the
   * exchanges are not at hand, or what answered under load.
   */
  readonly keptOf?: (fingerprint: string) => number;
}

/** A finding with its rule. */
export interface Found {
  readonly rule: RunRuleRow;
  readonly finding: RunFinding;
}

/**
 * Findings of both runs, by their fingerprints. Where a rule passed in the one run, what the other
 * found there is new; to call it fixed, its own requests must have been judged again, or so many comparable ones at its
 * operation that it would have been seen. With another seed these say so only of what nearly all of them showed.
 *
 * A finding that shows at times is never called fixed by one run.
 */
export function comparableFindings(then: RunJson, now: RunJson, by: ComparedBy): FindingsByFate {
  const [before, after] = [foundIn(then), foundIn(now)];
  const rulesThen = new Map(then.rules.map((rule) => [rule.id, rule]));
  const rulesNow = new Map(now.rules.map((rule) => [rule.id, rule]));
  const fresh: ComparedFinding[] = [];
  const fixed: ComparedFinding[] = [];
  const still: ComparedFinding[] = [];
  const open: ComparedFinding[] = [];
  for (const [fingerprint, found] of after) {
    const row = rowOf(fingerprint, found);
    const why = before.has(fingerprint)
      ? undefined
      : found.finding.isOfOutage === true
        ? OF_OUTAGE
        : whyNotNew(found.finding, rulesThen.get(found.rule.id), by);
    if (before.has(fingerprint)) still.push(row);
    else if (why === undefined) fresh.push(row);
    else open.push({ ...row, why });
  }
  for (const [fingerprint, found] of before) {
    if (after.has(fingerprint)) continue;
    const row = rowOf(fingerprint, found);
    const why = whyNotFixed(fingerprint, found.finding, rulesNow.get(found.rule.id), by);
    if (why === undefined) fixed.push(row);
    else open.push({ ...row, why });
  }
  return { fresh, fixed, still, open };
}

const OF_OUTAGE = 'the answers of an outage alone showed it';
const NOT_ASKED = 'it was not seen again, but the requests that showed it were not asked again';
const NOT_JUDGED =
  'it was not seen again, but its rule judged no answer to the same requests, and too few others at its operation';
const OF_ITS_INPUTS =
  'not all comparable requests show it, and the baseline has another seed, which may have chosen others alone';
const MAX_CHARACTERS = 2_100;

const BROKEN: readonly string[] = ['fail', 'warn', 'waived'];

/** What was only observed breaks no rule. */
export function foundIn({ rules }: RunJson): Map<string, Found> {
  const found = new Map<string, Found>();
  for (const rule of rules) {
    if (!BROKEN.includes(rule.verdict)) continue;
    for (const finding of rule.findings) {
      const fingerprint = fingerprintOf(rule.id, finding);
      if (!found.has(fingerprint)) found.set(fingerprint, { rule, finding });
    }
  }
  return found;
}

function rowOf(fingerprint: string, { rule, finding }: Found): ComparedFinding {
  const { operation, pointer, expected, actual } = finding;
  return {
    rule: rule.id,
    level: rule.level,
    fingerprint,
    ...(operation === undefined ? {} : { operation: clipped(operation) }),
    ...{ pointer: clipped(pointer), expected: clipped(expected), actual: clipped(actual) },
    isWaived: rule.verdict === 'waived' || finding.waived !== undefined,
  };
}

/** A record may hold texts of any length: what another one copies of them is bounded. */
export function clipped(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}…`;
}

/** Whether the same requests showed a finding at times. */
function isAtTimes(rate: Rate | undefined): rate is Rate {
  return rate !== undefined && rate.broken < rate.judged;
}

/** Why it cannot be said that a finding is new; undefined where it can. */
function whyNotNew(
  { operation, rate, share }: RunFinding,
  then: RunRuleRow | undefined,
  { isSameAsked, isOtherSeed }: ComparedBy,
): string | undefined {
  if (then === undefined) return 'the baseline did not judge by this rule';
  const judged = timesJudgedAt(then, operation);
  const wouldShow =
    share !== undefined && judged !== undefined && judged >= timesAmongOthers(share);
  const isOfItsInputs = isOtherSeed && share !== undefined && !isOfNearlyAll(share);
  if (isAtTimes(rate) && share !== undefined && judged !== undefined && !wouldShow)
    return `it is intermittent (the same requests showed it ${rate.broken} of ${rate.judged} times), and the baseline judged ${judged} answers there, too few to have surely shown it`;
  if (then.verdict === 'pass') return isOfItsInputs ? OF_ITS_INPUTS : undefined;
  if (BROKEN.includes(then.verdict)) {
    return isSameAsked || (isOtherSeed && wouldShow && !isOfItsInputs)
      ? undefined
      : 'the rule was broken in the baseline as well, elsewhere, and the same was not asked';
  }
  return `the rule was ${then.verdict} in the baseline: ${clipped(then.reason ?? 'no reason was recorded')}`;
}

/** Why it cannot be said that a finding is fixed; undefined where it can. */
function whyNotFixed(
  fingerprint: string,
  { operation, rate, share, isOfOutage }: RunFinding,
  now: RunRuleRow | undefined,
  { isSameAsked, isOtherSeed, keptOf }: ComparedBy,
): string | undefined {
  if (isOfOutage === true) return OF_OUTAGE;
  if (isAtTimes(rate)) {
    return `it is intermittent (the same requests showed it ${rate.broken} of ${rate.judged} times), which one run cannot show to be fixed`;
  }
  if (now === undefined) return 'the run did not judge by this rule';
  if (now.verdict !== 'pass' && !BROKEN.includes(now.verdict)) {
    return `the rule is ${now.verdict} now: ${clipped(now.reason ?? 'no reason was recorded')}`;
  }
  const isComparable = isSameAsked || (isOtherSeed && keptOf !== undefined);
  if (!isComparable) return NOT_ASKED;
  if (keptOf === undefined || keptOf(fingerprint) >= timesToHold(rate)) return undefined;
  const judged = timesJudgedAt(now, operation) ?? 0;
  const isLikeAll = share !== undefined && (isSameAsked || isOfNearlyAll(share));
  if (isLikeAll && judged >= timesAmongOthers(share)) return undefined;
  return isSameAsked ? NOT_JUDGED : NOT_ASKED;
}
