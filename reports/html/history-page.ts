/** What the page says of a run among earlier ones. Nothing here is a verdict. */

import { rateWords } from '../finding-words.ts';
import { marksOf } from '../run-kinds.ts';
import type {
  HistoryEntry,
  HistoryLimit,
  RunHistory,
} from '../../contracts/history/run-history.ts';
import {
  limitKey,
  limitSeries,
  type LimitSeries,
  type RuleChange,
  ruleChanges,
  seenChanges,
} from '../../contracts/history/run-history-changes.ts';
import type { PageHistory, PagePlot, Remark } from './html-data.ts';
import { renderLatencyPlot, renderLimitsPlot, renderRulesPlot } from '../history/history-plot.ts';
import { cut, plural } from '../text.ts';

/** Rows of a list. */
const MAX_ROWS = 100;
/** Operations that are drawn, the slowest ones; the table has all. */
const MAX_DRAWN = 6;
/** Of fewer answers a run has no percentile worth drawing. */
const MIN_ANSWERS = 5;
/** Runs in the table of runs. */
const MAX_RUNS = 120;

/** Of a run: the history that a page shows, and its plots. Undefined if there is no earlier run, and none was left out. */
export function pageHistory(
  history: RunHistory,
): { readonly page: PageHistory; readonly plots: readonly PagePlot[] } | undefined {
  const { entries, notes } = history;
  const last = entries.at(-1);
  if (last === undefined || (entries.length === 1 && notes.length === 0)) return undefined;
  const changes = ruleChanges(entries);
  const { changes: seen, varying } = seenChanges(entries);
  const limits = limitSeries(entries).slice(0, MAX_ROWS);
  const latencies = latencyRows(entries);
  const rules = changes.map((change) => ruleWords(change, entries));
  const ledger = seen.map(({ clause, observation, kind, since }): Remark => [
    kind === 'came' ? '+' : '−',
    `${clause}: ${cut(observation, 200)} ${kind === 'came' ? 'is seen since' : 'is no longer seen since'} ${nameOf(entries[since])}, ${kind === 'came' ? `in none of ${plural(since, 'run')} before` : `after ${plural(since, 'run')} with it`}`,
  ]);
  const page: PageHistory = {
    note: `${plural(entries.length, 'run')}, this one included, from ${dayOf(entries[0])} to ${dayOf(last)}. Earlier figures are those that the records or their index hold; no verdict rests on them.`,
    notes,
    runs: entries.slice(-MAX_RUNS).map(runRow).reverse(),
    rules: bounded(rules),
    latencies,
    limits: limits.map((series) => limitPage(series, entries)),
    ledger: bounded(ledger),
    ...(varying.length === 0
      ? {}
      : {
          varying: `What is seen of ${varying.slice(0, 10).join(', ')}${varying.length > 10 ? ` and ${varying.length - 10} more` : ''} comes and goes from run to run.`,
        }),
  };
  return { page, plots: plotsOf(entries, latencies, limits) };
}

function bounded(rows: readonly Remark[]): PageHistory['rules'] {
  return { rows: rows.slice(0, MAX_ROWS), more: Math.max(0, rows.length - MAX_ROWS) };
}

function nameOf(entry: HistoryEntry | undefined): string {
  return entry === undefined ? '' : `${cut(entry.run, 60)} (${dayOf(entry)})`;
}

/** `2026-02-03 02:00`, in UTC. */
function dayOf(entry: HistoryEntry | undefined): string {
  if (entry === undefined) return '';
  return new Date(entry.startedAt).toISOString().slice(0, 16).replace('T', ' ');
}

function ruleWords(change: RuleChange, entries: readonly HistoryEntry[]): Remark {
  const { state, verdict, since, broken, judged, isJudgedOtherwise, operation } = change;
  const id = operation === undefined ? change.id : `${change.id} at ${operation}`;
  const from = nameOf(entries[since]);
  const aside = isJudgedOtherwise
    ? ' Other code of Assay or another contract judged the run before it.'
    : '';
  const rate =
    change.rate === undefined ? '' : `; intermittent: ${rateWords(change.rate, 'it was judged')}`;
  const often = `broken in ${broken} of ${plural(judged, 'run')} that judged it${rate}`;
  switch (state) {
    case 'red': {
      const word = verdict === 'waived' ? 'broken, and waived,' : 'broken';
      const when = since === 0 ? 'as far back as this goes' : `since ${from}`;
      return [verdict === 'fail' ? '✗' : '!', `${id}: ${word} ${when}; ${often}.${aside}`];
    }
    case 'lost':
      return ['?', `${id}: not reached since ${from}; ${often}.${aside}`];
    case 'mended':
      if (change.isOpen) {
        return [
          '?',
          `${id}: not seen since ${from}, in too few runs to call it fixed; ${often}.${aside}`,
        ];
      }
      return ['✓', `${id}: holds since ${from}; ${often}.${aside}`];
  }
}

const OUTCOMES = { conforms: '✓', 'does-not-conform': '✗', undecided: '?' } as const;

function runRow(entry: HistoryEntry): PageHistory['runs'][number] {
  const { verdicts, labels = {}, outcome, complete } = entry;
  const count = (...names: (keyof typeof verdicts)[]): number =>
    names.reduce((sum, name) => sum + (verdicts[name]?.length ?? 0), 0);
  const reported = [
    ...marksOf(entry),
    ...Object.entries(labels).map(([key, value]) => `${key}=${value}`),
  ];
  return {
    name: cut(entry.run, 60),
    startedAt: dayOf(entry),
    symbol: OUTCOMES[outcome],
    isComplete: complete,
    broken: count('fail', 'warn'),
    waived: count('waived'),
    notReached: count('not-reached', 'inconclusive'),
    judged: count('pass', 'observed', 'fail', 'warn', 'waived'),
    labels: cut(reported.join(', '), 120),
  };
}

/** All operations of the newest run, the slowest first. */
function latencyRows(entries: readonly HistoryEntry[]): PageHistory['latencies'] {
  const newest = entries.at(-1)?.latencies ?? [];
  if (entries.length < 2) return [];
  const rows = newest.map(({ operation, count, p50Ms, p95Ms }) => {
    const before = entries
      .slice(0, -1)
      .flatMap(({ latencies }) => latencies.filter((row) => row.operation === operation));
    const sorted = before.map((row) => row.p95Ms).toSorted((a, b) => a - b);
    const [least, middle, greatest] = [sorted[0], sorted[(sorted.length - 1) >> 1], sorted.at(-1)];
    return {
      ...{ operation, answers: count, p50Ms, p95Ms, runs: sorted.length },
      ...(least === undefined || middle === undefined || greatest === undefined
        ? {}
        : { before: { least, middle, greatest } }),
    };
  });
  return rows.toSorted((a, b) => b.p95Ms - a.p95Ms);
}

/** A limit in words: each run in which it was found differently than in the one before that probed it. */
function limitPage(
  { api, scope, rows }: LimitSeries,
  entries: readonly HistoryEntry[],
): PageHistory['limits'][number] {
  const reported: Remark[] = [];
  let before: string | undefined;
  for (const [at, row] of rows.entries()) {
    if (row === undefined || limitKey(row) === before) continue;
    reported.push([before === undefined ? '·' : '!', `${nameOf(entries[at])}: ${limitWords(row)}`]);
    before = limitKey(row);
  }
  return { title: `${api}, ${scope}`, ...bounded(reported.reverse()) };
}

function limitWords(row: HistoryLimit): string {
  const { verdict, algorithms, limit, windowSeconds, burst, refillPerSecond } = row;
  const figures = [
    ...(limit === undefined ? [] : [`${limit} requests`]),
    ...(windowSeconds === undefined ? [] : [`in ${windowSeconds} s`]),
    ...(burst === undefined ? [] : [`${burst} at once`]),
    ...(refillPerSecond === undefined ? [] : [`${refillPerSecond} a second`]),
  ];
  const kind = algorithms.length === 0 ? '' : `, ${algorithms.slice(0, 5).join(' or ')}`;
  return `${verdict}${kind}${figures.length === 0 ? '' : `: ${figures.join(', ')}`}`;
}

function plotsOf(
  entries: readonly HistoryEntry[],
  latencies: PageHistory['latencies'],
  limits: readonly LimitSeries[],
): PagePlot[] {
  // One run is no line.
  if (entries.length < 2) return [];
  const runs = plural(entries.length, 'run');
  const plots: PagePlot[] = [
    {
      of: 'history-rules',
      svg: renderRulesPlot(entries),
      alt: `Plot of how many rules were broken and not reached over ${runs}; the table of runs has the figures.`,
    },
  ];
  const drawn = latencies
    .filter(({ answers }) => answers >= MIN_ANSWERS)
    .slice(0, MAX_DRAWN)
    .map(({ operation }) => operation);
  if (drawn.length > 0) {
    plots.push({
      of: 'history-latency',
      svg: renderLatencyPlot(entries, drawn),
      alt: `Plot of latency over ${runs}, of the ${plural(drawn.length, 'operation')} that are slowest now, with five answers or more; the table below it has all operations.`,
    });
  }
  if (limits.length > 0) {
    plots.push({
      of: 'history-limits',
      svg: renderLimitsPlot(entries, limits),
      alt: `Plot of the rate limits that were measured over ${runs}; the lists below it say what they were.`,
    });
  }
  return plots;
}
