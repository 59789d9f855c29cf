/** Where a finding is, and what was there: the same words in all reports. */

import { probabilityInterval } from '../contracts/judging/chance/binomial.ts';
import {
  isIntermittent,
  type Rate,
  type RunFinding,
  type RunRuleRow,
} from '../contracts/run/run.ts';
import { plural } from './text.ts';

/** What a rule speaks of: its id without the promise. */
function subjectOf(rule: Pick<RunRuleRow, 'id'>): string {
  const at = rule.id.lastIndexOf('.');
  return at > 0 ? rule.id.slice(0, at) : rule.id;
}

/** The operation that a finding is about, or what its rule speaks of if no operation is named. */
function aboutOf(
  rule: Pick<RunRuleRow, 'id'>,
  { operation }: Pick<RunFinding, 'operation'>,
): string {
  return operation ?? subjectOf(rule);
}

/** Where a finding is. One without a pointer says what it is about. */
export function placeWords(
  rule: Pick<RunRuleRow, 'id'>,
  finding: Pick<RunFinding, 'pointer' | 'operation'>,
): string {
  const { pointer } = finding;
  return pointer === '' ? `the response as a whole of ${aboutOf(rule, finding)}` : pointer;
}

/** Where a finding is, with its operation if its rule is broken at several. */
export function placeAmongWords(
  rule: Pick<RunRuleRow, 'id' | 'findings'>,
  finding: Pick<RunFinding, 'pointer' | 'operation'>,
): string {
  return `${placeWords(rule, finding)}${ofOperationWords(rule, finding)}`;
}

/** The operation behind a place, if its rule is broken at several; else nothing. */
export function ofOperationWords(
  rule: Pick<RunRuleRow, 'findings'>,
  { pointer, operation }: Pick<RunFinding, 'pointer' | 'operation'>,
): string {
  const isOneOfSeveral = rule.findings.some((other) => other.operation !== operation);
  return isOneOfSeveral && pointer !== '' && operation !== undefined ? ` of ${operation}` : '';
}

/** What was there; what is empty was nothing. */
export function actualWords({ actual }: Pick<RunFinding, 'actual'>): string {
  return actual === '' ? 'nothing' : actual;
}

/** How often something is broken, of what was judged whether or not it broke it, with its interval of 95 %. */
export function rateWords({ broken, judged }: Rate, when: string): string {
  return `${broken} of ${judged} times that ${when}, ${shareWords(broken, judged)}`;
}

/** A share with its interval of 95 %. */
export function shareWords(count: number, of: number): string {
  const [least, greatest] = probabilityInterval(count, of);
  return `${percent(count / of)} (${percent(least)} to ${percent(greatest)})`;
}

/** How often a finding shows that the same requests show at times; undefined of another. */
export function intermittentWords(finding: Pick<RunFinding, 'rate' | 'share'>): string | undefined {
  const { rate, share } = finding;
  if (rate === undefined || !isIntermittent(finding)) return undefined;
  // These were chosen for having broken the rule, so that their share says nothing of others.
  const same = `requests that broke it did so ${rate.broken} of ${rate.judged} times`;
  return share === undefined
    ? `intermittent: ${same}`
    : `intermittent: ${rateWords(share, 'comparable requests were judged')}; ${same}`;
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(2))} %`;
}

/**
 * Where a finding was seen, and of how much that its rule judged. A list may be broken at many places of one answer, so
 * that places are no times.
 */
export function seenWords(
  { count, share }: Pick<RunFinding, 'count' | 'share'>,
  { evidence }: Pick<RunRuleRow, 'evidence'>,
): string {
  const judged = `${evidence} ${evidence === 1 ? 'exchange or group' : 'exchanges or groups'} judged`;
  if (share === undefined) return `at ${plural(count, 'place')}; ${judged}`;
  const places = count === share.broken ? '' : `at ${plural(count, 'place')} `;
  return `${places}in ${share.broken} of ${judged}`;
}

/** What else is to be said of a finding: a label and a text for each line. */
export function findingNotes(
  finding: Pick<RunFinding, 'waived' | 'rate' | 'share'>,
): (readonly [label: string, text: string])[] {
  const { waived } = finding;
  const rate = intermittentWords(finding);
  return [
    ...(rate === undefined ? [] : [['rate', rate] as const]),
    ...(waived === undefined ? [] : [['waived', waived] as const]),
  ];
}

/** What was found, for a line by itself: where; without a place of what, and what should have been. */
export function wasWords(
  rule: Pick<RunRuleRow, 'id'>,
  finding: Pick<RunFinding, 'pointer' | 'operation' | 'expected' | 'actual'>,
): string {
  const { pointer, expected, actual } = finding;
  const was = actualWords({ actual });
  if (pointer !== '') return `${memberWords(pointer)} was ${was}`;
  return `${aboutOf(rule, finding)}: expected ${expected}, was ${was}`;
}

/** The member at the end of a pointer; of an item, its list too. */
function memberWords(pointer: string): string {
  return /[^/]*(?:\/\d+)*$/.exec(pointer)?.[0] ?? pointer;
}

/** How often the smallest request of a broken rule showed it again. */
export function reproducedWords({
  reproduced: { times, of, judged = of },
}: Pick<NonNullable<RunRuleRow['counterexample']>, 'reproduced'>): string {
  if (of === 0) return 'not sent again';
  // It needs what came before, or is over the whole run.
  if (judged === 0) return 'not reproduced alone';
  return `reproduced ${times} of ${judged} times${times < judged ? ', intermittent' : ''}`;
}
