import { measuredWords } from '../../contracts/run/load/selected-row.ts';
import { brokenThresholds } from '../../contracts/run/load/load-outcome.ts';
import type { KnownFinding } from '../../contracts/run/run-known.ts';
import type { LimitFigures, LimitRow, RunJson, RunRuleRow } from '../../contracts/run/run.ts';
import { codeSpan, list, plainWords } from './markdown-text.ts';
import {
  errorRowWords,
  loadOutcomeWords,
  setAsideWords,
  thresholdSymbol,
} from '../terminal/load-words.ts';
import { queueOf } from '../terminal/terminal-limits.ts';
import { otherTargetWords } from '../known-words.ts';
import { askedRules } from '../rules-pass.ts';
import { plural } from '../text.ts';

const MAX_THRESHOLDS = 50;
const MAX_VIOLATIONS = 20;
const MAX_ERRORS = 5;
const MAX_LIMITS = 50;
const MAX_REASONS = 10;
const MAX_IDS = 5;

/** What load came to: thresholds, broken ones first, and rules that answers broke. */
export function loadBlocks({ load }: RunJson): string[] {
  if (load === undefined) return [];
  const broken = new Set(brokenThresholds(load));
  const inOrder = [...broken, ...load.thresholds.filter((one) => !broken.has(one))];
  const thresholds = inOrder
    .slice(0, MAX_THRESHOLDS)
    .map(
      (one) => `- ${thresholdSymbol(one, load)} ${codeSpan(one.expression)}: ${measuredWords(one)}`,
    );
  const violations = load.violations
    .slice(0, MAX_VIOLATIONS)
    .map(
      (one) =>
        `- ${one.isSetAside === true ? '?' : '✗'} ${codeSpan(one.rule)}: broken by ${plural(one.count, 'answer')}, first ${codeSpan(one.firstExchange)}${setAsideWords(one)}`,
    );
  const invalid = load.invalid.map((why) => `- ? ${plainWords(why)}`);
  const errors = errorRowWords(load)
    .slice(0, MAX_ERRORS)
    .map(({ what, share, when }) => `- ${plainWords(`${what}: ${share}, ${when}`)}`);
  const rows = [...errors, ...invalid, ...violations, ...thresholds];
  return [
    `### ${plainWords(loadOutcomeWords(load))}`,
    ...(rows.length === 0 ? [] : [rows.join('\n')]),
  ];
}

/** The limits that were measured. */
export function limitBlocks({ limits }: RunJson): string[] {
  if (limits.length === 0) return [];
  const rows = limits.slice(0, MAX_LIMITS).map((row) => `- ${limitWords(row)}`);
  return ['### Rate limits', rows.join('\n')];
}

/** One limit that was measured, in words. */
export function limitWords(shown: LimitFigures & Partial<LimitRow>): string {
  const { api, scope, verdict, limit, windowSeconds, ...row } = shown;
  const values = [
    ...(limit === undefined ? [] : [`${limit} requests`]),
    ...(windowSeconds === undefined ? [] : [`in ${windowSeconds} s`]),
    ...(row.burst === undefined ? [] : [`a burst of ${row.burst}`]),
    ...(row.refillPerSecond === undefined ? [] : [`${row.refillPerSecond} a second`]),
    ...(row.queue === undefined ? [] : [queueOf(row.queue)]),
  ];
  const wait =
    row.retryAfter === undefined
      ? ''
      : `; announced waits ${row.retryAfter.verdict}: ${row.retryAfter.detail}`;
  const found = values.length === 0 ? '' : `, ${values.join(', ')}`;
  const kind = row.algorithms.length === 0 ? '' : ` (${row.algorithms.join(' or ')})`;
  const whole = verdict === 'identified' ? row.envelope?.at(-1) : undefined;
  const tried =
    whole === undefined ? '' : `, as far as ${whole.requests} in ${whole.seconds} s show`;
  return plainWords(`${api} ${scope}: ${verdict}${found}${kind}${tried}${wait}`);
}

/** What was waived, or could not be decided, and why. */
export function reasonBlocks(run: RunJson): string[] {
  const asked = askedRules(run);
  return (['waived', 'inconclusive', 'not-reached'] as const).flatMap((verdict) => {
    const rows = asked.filter((rule) => rule.verdict === verdict);
    if (rows.length === 0) return [];
    const word = verdict === 'not-reached' ? 'not reached' : verdict;
    const summary = `<details><summary>${plural(rows.length, 'rule')} ${word}</summary>`;
    return [[summary, reasonLines(rows).join('\n'), '</details>'].join('\n\n')];
  });
}

function reasonLines(rules: readonly RunRuleRow[]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { id, needs, reason = 'no reason was recorded' } of rules) {
    const why = needs === undefined ? reason : `needs ${needs}`;
    byReason.set(why, [...(byReason.get(why) ?? []), id]);
  }
  const reasons = [...byReason].sort(([, a], [, b]) => b.length - a.length);
  const lines = reasons.slice(0, MAX_REASONS).map(([why, ids]) => {
    const named = ids.slice(0, MAX_IDS).map((id) => codeSpan(id, 200));
    const more = ids.length - named.length;
    const others = more > 0 ? ` and ${more} more` : '';
    return `- ${plainWords(why)}: ${named.join(', ')}${others}`;
  });
  const left = reasons.length - lines.length;
  return left > 0 ? [...lines, `- and ${plural(left, 'reason')} more`] : lines;
}

/** Findings that are known, and gone. */
export function goneBlocks({ known }: RunJson): string[] {
  if (known === undefined) return [];
  const { file, gone, held = [], otherTarget } = known;
  if (otherTarget !== undefined) {
    const why = `Nothing is said of what is gone from ${file}, as ${otherTargetWords(otherTarget)}.`;
    return [plainWords(why)];
  }
  const parts: readonly (readonly [string, readonly KnownFinding[]])[] = [
    ['Known and gone', gone],
    ['Known to be shown by some requests or at times, and not seen in this run', held],
  ];
  return parts.flatMap(([head, findings]) => {
    if (findings.length === 0) return [];
    const rows = findings.map(({ rule, operation, place, since }) => {
      const where = [operation, place].filter((word) => word !== undefined && word !== '');
      return `${codeSpan(rule)}${where.map((word) => ` ${codeSpan(word ?? '')}`).join('')}, known since ${since}`;
    });
    return [`### ${head} (${plainWords(file)})`, list(rows)];
  });
}
