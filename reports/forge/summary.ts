/** Runs in at most ten lines of Markdown: what broke, since which build, and what is known. */

import { ruleChanges } from '../../contracts/history/run-history-changes.ts';
import type { HistoryEntry } from '../../contracts/history/run-history.ts';
import type { RunJson, RunRuleRow } from '../../contracts/run/run.ts';
import { ruleState } from '../baseline-state.ts';
import { causesFirst, isOfOutage } from '../causes.ts';
import { intermittentWords } from '../finding-words.ts';
import { headlineOf } from '../headline.ts';
import { knownSum } from '../known-words.ts';
import { kindWords, marksOf, numbered } from '../run-kinds.ts';
import type { ReportSource } from '../source.ts';
import { errorRowWords } from '../terminal/load-words.ts';
import { plural } from '../text.ts';
import { codeSpan as code, plainWords } from './markdown-text.ts';

const MAX_LINES = 10;
/** Labels that say which build was there, the ones that say most first. */
const BUILD = ['commit', 'build', 'version', 'release'] as const;

/** Runs in at most ten lines of Markdown, those that broke something first. */
export function renderSummary(sources: readonly ReportSource[]): string {
  const kinds = numbered(sources.map(({ run }) => kindWords(run)));
  const parts = sources
    .map((source, at) => ({ source, kind: kinds[at] ?? '', headline: headlineOf(source.run) }))
    .sort((a, b) => urgency(a.headline.symbol) - urgency(b.headline.symbol));
  const heads = parts.map(({ source: { run }, kind, headline }) => {
    const build = buildOf(run.labels);
    const marks = marksOf(run);
    const of = [`${plainWords(kind)}${build === undefined ? '' : ` of ${build}`}`, ...marks];
    return `${headline.symbol} **${plainWords(headline.words)}** (${of.join('; ')})`;
  });
  const lines = parts.flatMap(({ source }) => [...brokenLines(source), ...unendedLines(source)]);
  const all = [...heads, ...lines];
  const shown = all.length > MAX_LINES ? all.slice(0, MAX_LINES - 1) : all;
  const more = all.length - shown.length;
  const end = more === 0 ? [] : [`and ${plural(more, 'line')} more in the reports`];
  return [...shown, ...end].map((line) => `- ${line}\n`).join('');
}

function urgency(symbol: string): number {
  return ['✗', '?', '✓'].indexOf(symbol);
}

/** Each broken rule of a run: since when, and whether it is known. */
function brokenLines({ run, history }: ReportSource): string[] {
  const entries = history?.entries ?? [];
  const changes = ruleChanges(entries);
  const sinceOf = ({ id, findings: [first] }: RunRuleRow): number | undefined =>
    changes.find((one) => one.id === id && (one.operation ?? first?.operation) === first?.operation)
      ?.since;
  const rules = causesFirst(run.rules).filter(
    ({ verdict }) => verdict === 'fail' || run.choice?.failOn === 'should',
  );
  const out = rules.filter(isOfOutage).length;
  const gone = run.known?.gone ?? [];
  return [
    ...rules
      .filter((rule) => !isOfOutage(rule))
      .flatMap(byOperation)
      .map((rule) => lineOf(rule, run, entries, sinceOf(rule))),
    ...(out === 0 ? [] : [`${plural(out, 'rule')} broken by an outage alone`]),
    ...loadErrorLines(run),
    ...(gone.length === 0 ? [] : [`${knownSum(gone)} gone: --prune known`]),
  ];
}

/** Runs since the one before that were not judged to their end: a red one that somebody cancelled is one of them. */
function unendedLines({ history }: ReportSource): string[] {
  const runs = history?.unended ?? [];
  const [last] = runs.slice(-1);
  if (last === undefined) return [];
  const build = buildOf(last.labels);
  const what = `${code(last.run)}${build === undefined ? '' : ` of ${build}`}, began ${last.startedAt.slice(0, 10)}`;
  const before = runs.length === 1 ? '' : ` and ${runs.length - 1} before it`;
  return [`not judged to its end: ${what}${before}; \`assay judge\` shows what is broken so far`];
}

/** A rule once for each operation that broke it, with the findings there. */
function byOperation(rule: RunRuleRow): RunRuleRow[] {
  const operations = new Set(rule.findings.map(({ operation }) => operation));
  if (operations.size < 2) return [rule];
  return [...operations].map((at) => ({
    ...rule,
    findings: rule.findings.filter(({ operation }) => operation === at),
  }));
}

/** More reasons of errors under load are left to the reports. */
const MAX_REASONS = 3;

/** The most frequent errors of a load, in one line. */
function loadErrorLines({ load }: RunJson): string[] {
  const rows = load === undefined ? [] : errorRowWords(load);
  if (rows.length === 0) return [];
  const shown = rows
    .slice(0, MAX_REASONS)
    .map(({ what, share, when }) => `${what}: ${share}, ${when}`);
  const more = rows.length - shown.length;
  return [plainWords(`errors: ${[...shown, ...(more > 0 ? [`${more} more`] : [])].join('; ')}`)];
}

function lineOf(
  rule: RunRuleRow,
  run: RunJson,
  entries: readonly HistoryEntry[],
  since: number | undefined,
): string {
  const first = since === undefined ? undefined : entries[since];
  const state = ruleState(rule, run);
  const [{ waived } = {}] = rule.findings;
  const operations = new Set(rule.findings.flatMap(({ operation }) => operation ?? []));
  const rates = rule.findings.flatMap((finding) => intermittentWords(finding) ?? []);
  const where = [...operations].slice(0, 3).map((operation) => code(operation));
  return [
    `${code(rule.id)}${where.length === 0 ? '' : ` at ${where.join(', ')}`}: ${sinceWords(first, since)}`,
    ...rates.slice(0, 1).map((words) => plainWords(words)),
    ...(waived !== undefined && rule.findings.every((one) => one.waived !== undefined)
      ? [plainWords(`waived: ${waived}`)]
      : []),
    ...(state === undefined ? [] : [plainWords(state)]),
  ].join('; ');
}

function sinceWords(first: HistoryEntry | undefined, since: number | undefined): string {
  if (first === undefined) return 'since when is not known, as no history has it';
  const build = buildOf(first.labels);
  const red = `first red ${first.startedAt.slice(0, 10)} in ${code(first.run)}`;
  const words = build === undefined ? red : `broken since ${build}, ${red}`;
  return since === 0 ? `${words}, the oldest of the history` : words;
}

function buildOf(labels: RunJson['labels']): string | undefined {
  const name = BUILD.find((label) => labels?.[label] !== undefined);
  return name === undefined ? undefined : `${name} ${code(labels?.[name] ?? '')}`;
}
