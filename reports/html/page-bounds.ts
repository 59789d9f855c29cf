/** What of a run a page has room for. */

import type { RunJson, RunRuleRow } from '../../contracts/run/run.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { omit } from '../../contracts/wire/json.ts';
import { namedExchanges } from '../named-exchanges.ts';
import type { ReportSource } from '../source.ts';
import { plural } from '../text.ts';
import type { PageRun } from './html-data.ts';
import { cut, pageExchange } from './html-exchange.ts';

/** How much of a run is shown. */
export interface PageBounds {
  /** Characters of JSON that all exchanges together may take. */
  readonly exchanges: number;
  /** Of one rule. */
  readonly findings: number;
  /** Of one text. */
  readonly characters: number;
  /** Rules, and rows of the ledger; broken rules come first. */
  readonly rows: number;
}

/** Places of one exchange that are looked for. */
const MAX_POINTERS = 8;

/** The exchanges that the rules name, as far as there is room for them. */
export function exchangesOf(
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
export function shortened(
  run: RunJson,
  { findings: mostFindings, characters, rows }: PageBounds,
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
    ...(run.simulations === undefined ? {} : { simulations: run.simulations.slice(0, rows) }),
    ...(run.load === undefined ? {} : { load: withoutHistograms(run.load) }),
  };
  const leftOut = [
    ...(isTooMany ? [`${run.rules.length - rows} rules are not on this page.`] : []),
    ...(run.ledger.length > rows
      ? [`${run.ledger.length - rows} unspecified clauses are not on this page.`]
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
    errorsHistogram: undefined,
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
