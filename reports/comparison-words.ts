/** What became of a run since its baseline, in words. */

import { isAdded } from '../contracts/compare/compare-runs.ts';
import type {
  AnswerChange,
  Bounded,
  ComparedFinding,
  LatencyChange,
  LedgerChange,
  RunComparison,
  UnreachedRule,
} from '../contracts/run/run-comparison.ts';
import { plural } from './text.ts';

/** A sentence, how it is marked (`✗`, `!`, `✓`, `?`, `·`), and what of it is foreign. */
export interface ComparisonRow {
  readonly symbol: '✗' | '!' | '✓' | '?' | '·';
  readonly text: string;
}

/** Rows of one sort. */
export interface ComparisonPart {
  readonly title: string;
  readonly rows: readonly ComparisonRow[];
  /** Rows beyond those. */
  readonly more: number;
  /** Whether chance or a service's data explain all of it, so that it is counted if room is short. */
  readonly isChance?: true;
}

/** Longer values are cut. */
const MAX_CHARACTERS = 200;
/** What one run shows of latency is reported if the median at least doubled or halved, by this many answers. */
const LATENCY_ANSWERS = 20;
const LATENCY_FACTOR = 2;
const LATENCY_MS = 5;

/** The whole in one sentence. */
export function comparisonHeadline(comparison: RunComparison): string {
  const { base, verdict, findings, answers, notReached } = comparison;
  const totalOf = (list: Bounded<unknown>): number => list.rows.length + list.more;
  const certain = certainChanges(comparison);
  const added = addedCount(comparison);
  const fates = base.beside === undefined ? SINCE : BESIDE;
  const counts = [
    [totalOf(findings.fresh), fates.fresh],
    [totalOf(findings.fixed), fates.fixed],
    [totalOf(findings.still), fates.still],
    [totalOf(findings.open), 'that nothing can be said of'],
  ] as const;
  const reported = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  const parts = [
    reported.length === 0 ? 'no findings in either' : `findings: ${reported.join(', ')}`,
    ...(certain > 0 ? [`${plural(certain, 'difference')} that a client would notice`] : []),
    ...(added > 0 ? [`${added} added`] : []),
    ...(totalOf(notReached) > 0
      ? [`${plural(totalOf(notReached), 'rule')} newly not reached`]
      : []),
    ...(answers === undefined
      ? []
      : [`${plural(answers.pairs, 'request')} sent and answered in both`]),
  ];
  const words = {
    same: 'no difference that a client would notice',
    changed: 'it differs',
    unclear: 'whether it differs is not known',
  };
  return `Against ${baseWords(base)}: ${words[verdict]}; ${parts.join('; ')}`;
}

/** What the run is compared with: an earlier run, or another target that was asked at the same time. */
function baseWords({ name, startedAt, beside, outcome }: RunComparison['base']): string {
  const day = startedAt.slice(0, 16).replace('T', ' ');
  if (beside === undefined) return `the baseline ${cut(name)} of ${day}`;
  const urls = Object.entries(beside).map(([api, url]) => `${api} ${cut(url)}`);
  const came = {
    conforms: 'conforms',
    'does-not-conform': 'does not conform',
    undecided: 'is undecided',
  };
  return `the baseline ${urls.join(', ')}, which ${came[outcome]} (record ${cut(name)})`;
}

/** What became of findings since an earlier run. */
const SINCE = {
  ...{ fresh: 'new', fixed: 'fixed', still: 'still failing' },
  titles: ['New findings', 'Findings that are fixed', 'Still failing'],
} as const;

/** Where findings are, of two targets that were asked at the same time: nothing has become of them. */
const BESIDE = {
  ...{ fresh: 'in this target alone', fixed: 'in the baseline alone', still: 'in both' },
  titles: ['Findings in this target alone', 'Findings in the baseline alone', 'Failing in both'],
} as const;

/** Differences of answers and unspecified clauses that are certain, as far as they are listed. */
function certainChanges({ answers, ledger }: RunComparison): number {
  const isCertain = ({ grade }: { readonly grade: string }): boolean => grade === 'certain';
  const changes = (answers?.changes ?? []).filter((change) => !isAdded(change));
  return changes.filter(isCertain).length + ledger.rows.filter(isCertain).length;
}

/** Operations, fields and header fields that were added, as far as they are listed. */
export function addedCount({ added, answers }: Pick<RunComparison, 'added' | 'answers'>): number {
  const fields = (answers?.changes ?? [])
    .filter(({ grade }) => grade === 'certain')
    .filter(isAdded);
  return fields.length + (added === undefined ? 0 : added.rows.length + added.more);
}

/** The parts of a comparison that say something, what wants attention first. */
export function comparisonParts(comparison: RunComparison): ComparisonPart[] {
  const { base, findings, notReached, answers, ledger, reservations, latencies } = comparison;
  const all = answers?.changes.filter(({ grade }) => grade === 'certain') ?? [];
  const certain = all.filter((change) => !isAdded(change));
  const fields = all.filter(isAdded);
  const uncertain = answers?.changes.filter(({ grade }) => grade === 'uncertain') ?? [];
  const sure = ledger.rows.filter(({ grade }) => grade === 'certain');
  const unsure = ledger.rows.filter(({ grade }) => grade === 'uncertain');
  const slow = latencies.filter(isOther);
  const [freshTitle, fixedTitle, stillTitle] = (base.beside === undefined ? SINCE : BESIDE).titles;
  const parts: ComparisonPart[] = [
    part('What makes the two hard to compare', '?', { rows: reservations, more: 0 }, (why) => why),
    part(freshTitle, '✗', findings.fresh, findingWords),
    part('What a client would notice', '!', { rows: alike(certain), more: 0 }, alikeWords),
    part('Other behaviour where the document is silent', '!', { rows: sure, more: 0 }, ledgerWords),
    part('Added operations', '·', comparison.added ?? { rows: [], more: 0 }, cut),
    part('Added to answers', '·', { rows: alike(fields), more: 0 }, alikeWords),
    part(fixedTitle, '✓', findings.fixed, findingWords),
    part('Findings that nothing can be said of in one of both', '?', findings.open, findingWords),
    part(
      'Rules newly not reached',
      '?',
      { rows: byReason(notReached.rows), more: notReached.more },
      ([reason, ids]) => `${some(ids)} (${plural(ids.length, 'rule')}): ${cut(reason)}`,
    ),
    part(stillTitle, '·', findings.still, findingWords),
    part(
      'Differences that the service’s data may explain',
      '·',
      { rows: uncertain, more: answers?.more ?? 0, isChance: true },
      answerWords,
    ),
    part(
      'Seen in one run alone if the document is silent',
      '·',
      { rows: unsure, more: ledger.more, isChance: true },
      ledgerWords,
    ),
    part(
      'Medians of latency that doubled or halved; one run each shows little of a service',
      '·',
      { rows: slow, more: 0, isChance: true },
      latencyWords,
    ),
  ];
  return parts.filter(({ rows }) => rows.length > 0);
}

function part<T>(
  title: string,
  symbol: ComparisonRow['symbol'],
  { rows, more, isChance }: Bounded<T> & Pick<ComparisonPart, 'isChance'>,
  words: (row: T) => string,
): ComparisonPart {
  const all = rows.map((row) => ({ symbol, text: words(row) }));
  return { title, rows: all, more, ...(isChance === undefined ? {} : { isChance }) };
}

function findingWords({ rule, operation, pointer, ...finding }: ComparedFinding): string {
  const at = pointer === '' ? 'the response as a whole' : cut(pointer);
  const inOperation = operation === undefined ? '' : ` of ${cut(operation)}`;
  const { expected, actual, isWaived, why } = finding;
  const waived = isWaived ? ' (waived)' : '';
  const open = why === undefined ? '' : `; ${cut(why)}`;
  return `${cut(rule)}${waived} at ${at}${inOperation}: expected ${cut(expected)}, was ${cut(actual)}${open}`;
}

function answerWords(change: AnswerChange): string {
  const { operation, aspect, answer, what, then, now, requests, of: total } = change;
  const [was, is] = [then, now].map((text) => cut(text ?? 'absent'));
  const name = aspect === 'status' ? 'status' : `${aspect} ${cut(what === '' ? 'the body' : what)}`;
  const among = answer === undefined ? '' : ` in answers ${cut(answer)}`;
  return `${cut(operation)}: ${name}${among} was ${was ?? ''}, is ${is ?? ''} (${requests} of ${plural(total, 'request')})`;
}

const MAX_SEEN = 3;

/** Changes of one header field or code at several operations, which a service makes in one place. */
function alike(changes: readonly AnswerChange[]): AnswerChange[][] {
  const groups = new Map<string, AnswerChange[]>();
  for (const change of changes) {
    const { aspect, operation, answer, what, then, now } = change;
    const where = aspect === 'field' ? [operation, answer] : [];
    const key = JSON.stringify([aspect, what, then, now, ...where]);
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  return [...groups.values()];
}

function alikeWords(changes: readonly AnswerChange[]): string {
  const [first] = changes;
  if (first === undefined) return '';
  const others = new Set(changes.map(({ operation }) => operation)).size - 1;
  return others === 0
    ? answerWords(first)
    : `${answerWords(first)}, and so for ${plural(others, 'other operation')}`;
}

/** The first of some texts, and how many more there are. */
function some(texts: readonly string[]): string {
  const more = texts.length - MAX_SEEN;
  const named = texts.slice(0, MAX_SEEN).map(cut).join(', ');
  return more > 0 ? `${named} and ${more} more` : named;
}

function byReason(
  rows: readonly UnreachedRule[],
): (readonly [reason: string, ids: readonly string[]])[] {
  const groups = new Map<string, string[]>();
  for (const { rule, reason } of rows) groups.set(reason, [...(groups.get(reason) ?? []), rule]);
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}

function ledgerWords({ id, clause, came, went }: LedgerChange): string {
  const reported = [
    ...(went.length === 0 ? [] : [`in the baseline alone ${some(went)}`]),
    ...(came.length === 0 ? [] : [`in this run alone ${some(came)}`]),
  ];
  return `${cut(id)} (${cut(clause)}): ${reported.join('; ')}`;
}

function isOther({ then, now }: LatencyChange): boolean {
  const [less, more] = [Math.min(then.p50Ms, now.p50Ms), Math.max(then.p50Ms, now.p50Ms)];
  const isMany = Math.min(then.count, now.count) >= LATENCY_ANSWERS;
  return isMany && more - less >= LATENCY_MS && more >= LATENCY_FACTOR * less;
}

function latencyWords({ operation, then, now }: LatencyChange): string {
  const times = (p: 'p50Ms' | 'p95Ms'): string =>
    `${then[p].toFixed(1)} ms, now ${now[p].toFixed(1)} ms`;
  return `${cut(operation)}: p50 was ${times('p50Ms')}; p95 was ${times('p95Ms')}`;
}

function cut(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  const chars = Array.from(text.slice(0, 2 * MAX_CHARACTERS));
  return `${chars.slice(0, MAX_CHARACTERS).join('')}…`;
}
