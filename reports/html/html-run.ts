import { omit } from '../../contracts/wire/json.ts';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import type { RunJson, RunRuleRow } from '../../contracts/run/run.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { ruleStateOf, stateWords } from '../baseline-state.ts';
import { headlineOf } from '../headline.ts';
import { comparisonHeadline, comparisonParts } from '../comparison-words.ts';
import { pageHistory } from './history-page.ts';
import type { PageComparison, PageOutcome, PagePlot, PageRun } from './html-data.ts';
import { cut, pageExchange } from './html-exchange.ts';
import { renderLoadPlot } from '../plots/load-plot.ts';
import { namedExchanges } from '../named-exchanges.ts';
import type { ReportSource } from '../source.ts';
import { baselineRemarks } from '../terminal/terminal-baseline.ts';
import { limitFields } from '../terminal/terminal-limits.ts';
import { generatorFacts, loadOutcomeWords, thresholdWords } from '../terminal/terminal-load.ts';
import { replayOutcome } from '../terminal/terminal-replay.ts';
import { searchWords } from '../terminal/terminal-search.ts';
import { trendRemarks } from '../terminal/terminal-trend.ts';
import { plural, printable } from '../text.ts';
import { renderTrendPlot } from '../plots/trend-plot.ts';

/** How much of a run is shown. */
export interface Thrift {
  /** Characters of JSON that all exchanges together may take. */
  readonly exchanges: number;
  /** Of one rule. */
  readonly findings: number;
  /** Of one text. */
  readonly characters: number;
  /** Rules, and rows of the ledger; broken rules come first. */
  readonly rows: number;
}

/** An SVG that is larger is left out. */
const MAX_PLOT_CHARACTERS = 1_000_000;
/** Where fewer findings have room, a history has none. */
const MIN_FINDINGS_WITH_HISTORY = 50;
/** Places of one exchange that are looked for. */
const MAX_POINTERS = 8;

/**
 * A run as the page shows it.
 *
 * @returns it, and how many characters of JSON its exchanges take
 */
export function pageRun(
  source: ReportSource,
  thrift: Thrift,
): { readonly page: PageRun; readonly exchangeCharacters: number } {
  const { load } = source.run;
  const { exchanges, notShown, characters } = exchangesOf(source, thrift.exchanges);
  const { run, leftOut } = shortened(source.run, thrift);
  const replay = replayOutcome(source.run);
  const search = searchWords(source.run);
  const missing = source.leftOut + notShown;
  const outcome = pageOutcome(source.run);
  const isThrifty = thrift.findings < MIN_FINDINGS_WITH_HISTORY;
  const among = source.history === undefined || isThrifty ? undefined : pageHistory(source.history);
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
      ...(source.history !== undefined && isThrifty
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
          comparison: comparisonOf(source.run.baseline, thrift),
          since: sinceOf(source.run, run.rules),
          otherSilences: otherSilencesOf(source.run.baseline, thrift),
        }),
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
  return { symbol, words: replayed === undefined ? OUTCOMES[symbol] : REPLAYED[replayed.verdict] };
}

function comparisonOf(
  baseline: NonNullable<RunJson['baseline']>,
  { findings }: Thrift,
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
    const words = ids.has(rule.id) ? stateWords(ruleStateOf(rule, run), run) : undefined;
    return words === undefined ? [] : [[rule.id, words] as const];
  });
  return Object.fromEntries(entries);
}

/** Cut as the ledger is, whose texts they are held against. */
function otherSilencesOf(
  { ledger }: NonNullable<RunJson['baseline']>,
  { characters, rows }: Thrift,
): NonNullable<PageRun['otherSilences']> {
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
      'Plot over time of the latency of served answers, of requests a second, and of wrong answers a second; the tables have the figures by step.';
    plots.push({ of: 'load', svg: renderLoadPlot(load), alt });
  }
  if (load?.trend !== undefined && load.trend.series.length > 0) {
    const alt = `Plot of latencies over ${plural(load.trend.nights.length, 'night')}; the table has the figures.`;
    plots.push({ of: 'trend', svg: renderTrendPlot(load.trend), alt });
  }
  return plots;
}

function exchangesOf(
  { run, exchanges }: ReportSource,
  mostCharacters: number,
): {
  readonly exchanges: PageRun['exchanges'];
  readonly notShown: number;
  readonly characters: number;
} {
  const pointers = pointersOf(run.rules);
  const shown: [string, PageRun['exchanges'][string]][] = [];
  let left = mostCharacters;
  let notShown = 0;
  for (const id of namedExchanges(run)) {
    const exchange: Exchange | undefined = exchanges.get(id);
    if (exchange === undefined) continue;
    const one = left > 0 ? pageExchange(exchange, pointers.get(id) ?? []) : undefined;
    const needed = one === undefined ? Infinity : JSON.stringify(one).length;
    if (one === undefined || needed > left) notShown += 1;
    else {
      left -= needed;
      shown.push([id, one]);
    }
  }
  const characters = mostCharacters - left;
  return { exchanges: Object.fromEntries(shown), notShown, characters };
}

function pointersOf(rules: readonly RunRuleRow[]): Map<string, string[]> {
  const pointers = new Map<string, string[]>();
  for (const { findings } of rules) {
    for (const { pointer, exchanges } of findings) {
      for (const id of exchanges) {
        const known = pointers.get(id) ?? [];
        if (known.length < MAX_POINTERS && !known.includes(pointer)) {
          pointers.set(id, [...known, pointer]);
        }
      }
    }
  }
  return pointers;
}

/** The summary without what a page has no room for. */
function shortened(
  run: RunJson,
  { findings: mostFindings, characters, rows }: Thrift,
): { readonly run: RunJson; readonly leftOut: readonly string[] } {
  const rank = (rule: RunRuleRow): number => (rule.findings.length > 0 ? 0 : 1);
  const isTooMany = run.rules.length > rows;
  const rules = isTooMany
    ? run.rules.toSorted((a, b) => rank(a) - rank(b)).slice(0, rows)
    : run.rules;
  const cutRules = rules.filter(({ findings }) => findings.length > mostFindings);
  const short = {
    ...omit(run, 'baseline'),
    rules: rules.map((rule) => ({ ...rule, findings: rule.findings.slice(0, mostFindings) })),
    ledger: run.ledger.slice(0, rows),
    ...(run.load === undefined ? {} : { load: withoutHistograms(run.load) }),
  };
  const leftOut = [
    ...(isTooMany ? [`${run.rules.length - rows} rules are not on this page.`] : []),
    ...(run.ledger.length > rows
      ? [`${run.ledger.length - rows} silences are not on this page.`]
      : []),
    ...(cutRules.length === 0
      ? []
      : [
          `Of ${plural(cutRules.length, 'rule')} the first ${mostFindings} findings are shown, the others in findings.ndjson of the record.`,
        ]),
  ];
  return { run: shorten(short, characters) as RunJson, leftOut };
}

function withoutHistograms(load: NonNullable<RunJson['load']>): RunJson['load'] {
  const bare = <T extends object>(row: T): T => ({
    ...row,
    histogram: '',
    throttledHistogram: undefined,
  });
  return {
    ...load,
    whole: bare(load.whole),
    steps: load.steps.map(bare),
    operations: load.operations.map(bare),
    // The plot shows them.
    moments: [],
  };
}

/** The same plain data, its long texts cut. */
function shorten(value: unknown, characters: number): unknown {
  if (typeof value === 'string') return cut(value, characters);
  if (Array.isArray(value)) return value.map((item) => shorten(item, characters));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [cut(key, characters), shorten(item, characters)]),
  );
}
