import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import type { RunJson, RunRuleRow } from '../../contracts/run/run.ts';
import { inOrder, ruleState } from '../baseline-state.ts';
import { headlineOf, knownWords } from '../headline.ts';
import { comparisonHeadline, comparisonParts } from '../comparison-words.ts';
import { pageHistory } from './history-page.ts';
import type { PageComparison, PageOutcome, PagePlot, PageRun } from './html-data.ts';
import { cut } from './html-exchange.ts';
import { exchangesOf, shortened, type PageBounds } from './page-bounds.ts';
import { renderLoadPlot } from '../plots/load-plot.ts';
import { askedRules } from '../rules-pass.ts';
import type { ReportSource } from '../source.ts';
import { baselineRemarks } from '../terminal/terminal-baseline.ts';
import { limitFields } from '../terminal/terminal-limits.ts';
import { generatorFacts, loadOutcomeWords, thresholdWords } from '../terminal/load-words.ts';
import { replayOutcome } from '../terminal/terminal-replay.ts';
import { searchWords } from '../terminal/terminal-search.ts';
import { trendRemarks } from '../terminal/terminal-trend.ts';
import { plural, printable } from '../text.ts';
import { renderTrendPlot } from '../plots/trend-plot.ts';

/** An SVG that is larger is left out. */
const MAX_PLOT_CHARACTERS = 1_000_000;
/** If fewer findings have room, a history has none. */
const MIN_FINDINGS_WITH_HISTORY = 50;
/**
 * A run as the page shows it.
 *
 * @returns it, and how many characters of JSON its exchanges take
 */
export function pageRun(
  source: ReportSource,
  bounds: PageBounds,
): { readonly page: PageRun; readonly exchangeCharacters: number } {
  const { load } = source.run;
  const { exchanges, notShown, characters } = exchangesOf(source, bounds.exchanges);
  // The others would be counted here and nowhere else.
  const asked = { ...source.run, rules: askedRules(inOrder(source.run)) };
  const { run, leftOut } = shortened(asked, bounds);
  const replay = replayOutcome(source.run);
  const search = searchWords(source.run);
  const missing = source.leftOut + notShown;
  const outcome = pageOutcome(source.run);
  const isShortened = bounds.findings < MIN_FINDINGS_WITH_HISTORY;
  const among =
    source.history === undefined || isShortened ? undefined : pageHistory(source.history);
  const shown = {
    name: cut(source.name, 200),
    outcome,
    ...(outcome.symbol === '?' ? { undecided: headlineOf(source.run).words } : {}),
    run,
    leftOut: [
      ...(missing === 0
        ? []
        : [
            `${plural(missing, 'exchange')} that findings name ${missing === 1 ? 'is' : 'are'} not on this page, which is kept small; exchanges.ndjson of the record has all.`,
          ]),
      ...leftOut,
      ...(source.history !== undefined && isShortened
        ? ['Earlier runs are not on this page, which is kept small.']
        : []),
    ],
    limits: source.run.limits.map((row) => ({
      title: `${row.api}, ${row.scope}`,
      verdict: row.verdict,
      fields: limitFields(row),
    })),
    ...(load === undefined ? {} : { load: loadWords(load) }),
    ...(replay === undefined ? {} : { replay }),
    ...(search === undefined ? {} : { search }),
    ...(source.run.baseline === undefined
      ? {}
      : {
          comparison: comparisonOf(source.run.baseline, bounds),
          otherUnspecified: otherUnspecifiedOf(source.run.baseline, bounds),
        }),
    ...(source.run.baseline === undefined && source.run.known === undefined
      ? {}
      : { since: sinceOf(source.run, run.rules) }),
    ...(among === undefined ? {} : { history: among.page }),
    trend: load?.trend === undefined ? [] : trendRemarks(load.trend),
    baseline: load?.baseline === undefined ? [] : baselineRemarks(load.baseline),
  };
  const all = [...plotsOf(source), ...(among?.plots ?? [])];
  const plots = all.filter(({ svg }) => svg.length <= MAX_PLOT_CHARACTERS);
  return { page: { ...printable(shown), exchanges, plots }, exchangeCharacters: characters };
}

const OUTCOMES = { '✓': 'Conforms', '✗': 'Does not conform', '?': 'Undecided' } as const;
const REPLAYED = { shown: 'Shown again', 'not-shown': 'Not shown again', unclear: 'Undecided' };

/** What a run came to, in a few words. */
export function pageOutcome(run: RunJson): PageOutcome {
  const { symbol } = headlineOf(run);
  const { replayed } = run;
  if (replayed !== undefined) return { symbol, words: REPLAYED[replayed.verdict] };
  const known = symbol === '✗' ? knownWords(run).replace(/: $/, '') : '';
  return { symbol, words: `${OUTCOMES[symbol]}${known === '' ? '' : `: ${known}`}` };
}

function comparisonOf(
  baseline: NonNullable<RunJson['baseline']>,
  { findings }: PageBounds,
): PageComparison {
  return {
    headline: comparisonHeadline(baseline),
    parts: comparisonParts(baseline).map(({ title, rows, more }) => ({
      title,
      rows: rows.slice(0, findings).map(({ symbol, text }) => [symbol, text] as const),
      more: more + Math.max(0, rows.length - findings),
    })),
  };
}

/** Of broken rules that the page shows. */
function sinceOf(run: RunJson, shown: readonly RunRuleRow[]): NonNullable<PageRun['since']> {
  const ids = new Set(shown.map(({ id }) => id));
  const entries = run.rules.flatMap((rule) => {
    const words = ids.has(rule.id) ? ruleState(rule, run) : undefined;
    return words === undefined ? [] : [[rule.id, words] as const];
  });
  return Object.fromEntries(entries);
}

/** Cut as the ledger is, whose texts they are compared with. */
function otherUnspecifiedOf(
  { ledger }: NonNullable<RunJson['baseline']>,
  { characters, rows }: PageBounds,
): NonNullable<PageRun['otherUnspecified']> {
  const short = (texts: readonly string[]): string[] => texts.map((text) => cut(text, characters));
  return Object.fromEntries(
    ledger.rows
      .slice(0, rows)
      .map(({ id, came, went }) => [id, { came: short(came), went: short(went) }]),
  );
}

function loadWords(load: RunLoad): NonNullable<PageRun['load']> {
  return {
    outcome: loadOutcomeWords(load),
    thresholds: thresholdWords(load).map(({ symbol, expression, measured }) => [
      symbol,
      `${expression}: ${measured}`,
    ]),
    generator: generatorFacts(load).join(', '),
  };
}

function plotsOf({ run: { load, limits }, limitPlot }: ReportSource): PagePlot[] {
  const plots: PagePlot[] = [];
  if (limitPlot !== undefined) {
    const alt = `Plot of what was sent to find ${plural(limits.length, 'rate limit')}, when each request was admitted or rejected, and what the fitted model says was left; the list beside it has the figures.`;
    plots.push({ of: 'limits', svg: limitPlot, alt });
  }
  if (load !== undefined && load.moments.length > 0) {
    const alt =
      'Plot over time of the latency of served answers, of errors by reason, of requests a second and on their way, and of wrong answers a second; the tables have the figures by step.';
    plots.push({ of: 'load', svg: renderLoadPlot(load), alt });
  }
  if (load?.trend !== undefined && load.trend.series.length > 0) {
    const alt = `Plot of latencies over ${plural(load.trend.nights.length, 'night')}; the table has the figures.`;
    plots.push({ of: 'trend', svg: renderTrendPlot(load.trend), alt });
  }
  return plots;
}
