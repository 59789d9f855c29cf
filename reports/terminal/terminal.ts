/** The report that a person reads after a run. */

import { isOfOutage } from '../causes.ts';
import type { RunJson, RunRuleRow, Verdict } from '../../contracts/run/run.ts';
import { given } from '../../contracts/wire/json.ts';
import { simulationWords } from '../simulation-words.ts';
import { wholeOutcome } from '../../contracts/run/whole-outcome.ts';
import { judgingLater } from '../../contracts/run/unjudged.ts';
import { quote } from '../../contracts/run/curl.ts';
import { comparisonLines } from './terminal-comparison.ts';
import { detailBlocks, tableBlocks } from './terminal-details.ts';
import { findingLines, goneLines } from './terminal-findings.ts';
import { limitLines } from './terminal-limits.ts';
import { ownFailure } from '../run/run-notices.ts';
import { loadOutcomeWords } from './load-words.ts';
import { loadBlocks } from './terminal-load.ts';
import { regressionLines, replayLines, replayOutcome } from './terminal-replay.ts';
import { searchLines } from './terminal-search.ts';
import { bullet, cut, plural, printable, wrap } from '../text.ts';
import { inOrder } from '../baseline-state.ts';
import { wasWords } from '../finding-words.ts';
import { knownWords } from '../headline.ts';
import { marksOf } from '../run-kinds.ts';
import { askedRules, rulesSum } from '../rules-pass.ts';
import { EMBEDDED, targetLines } from './terminal-target.ts';
import { type Paint, painter, VERDICT_STYLE } from './verdict-style.ts';

/** How much of a run is reported: its outcome alone, what needs a look, or everything. */
export type Detail = 'quiet' | 'short' | 'verbose';

/** How to render. */
export interface TerminalOptions {
  readonly color: boolean;
  /** Columns of the terminal; taken as 40 to 120. */
  readonly width: number;
  /** The folder of the run record, named at the end. */
  readonly record?: string;
  /** The file of its page, named last. */
  readonly page?: string;
  /** Default `short`. */
  readonly detail?: Detail;
}

const OUTCOME: Readonly<
  Record<
    RunJson['outcome'],
    { readonly symbol: string; readonly words: string; readonly format: 'green' | 'red' | 'yellow' }
  >
> = {
  conforms: { symbol: '✓', words: 'conforms', format: 'green' },
  'does-not-conform': { symbol: '✗', words: 'does not conform', format: 'red' },
  undecided: { symbol: '?', words: 'undecided', format: 'yellow' },
};

const LABEL_WIDTH = 14;
/** In fewer columns no sentence can be read. */
const LEAST_WIDTH = 40;

/** The whole report, ending in a line break. */
export function renderTerminal(run: RunJson, options: TerminalOptions): string {
  const width = Math.min(120, Math.max(LEAST_WIDTH, options.width));
  const paint = painter(options.color);
  const { detail = 'short', record, page } = options;
  const everything = printable(inOrder(run));
  // Rules that nobody asked for would be counted in some places and not in others.
  const safe = { ...everything, rules: askedRules(everything) };
  const blocks =
    detail === 'quiet'
      ? [quietLines(safe, width, paint)]
      : [
          [
            ...outcomeLines(safe, width, paint),
            ...whyLines(safe, width),
            ...targetLines(safe, width, paint),
          ],
          replayLines(safe, width, paint),
          safe.notices.flatMap((notice) => bullet('!', notice, width)),
          regressionLines(safe, width, paint, detail === 'verbose'),
          ...(detail === 'verbose' ? tableBlocks(safe, width, paint) : []),
          ...brokenRules(safe).map((rule) => findingLines(rule, safe, width, paint)),
          ...(detail === 'verbose' ? detailBlocks(safe, width, paint) : []),
          limitLines(safe.limits, width, paint),
          ...loadBlocks(safe.load, safe.rules, width, paint),
          searchLines(safe, width, paint),
          safe.baseline === undefined
            ? []
            : comparisonLines(safe.baseline, width, paint, detail === 'verbose'),
          goneLines(safe, width),
          safe.replay === undefined ? foldedLines(safe, detail, width, paint) : [],
          [
            ...brokenLines(safe, width, paint),
            ...recordLines(record, page, paint),
            ...completionLines(safe, record),
          ],
        ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => line.trimEnd()).join('\n'))
    .join('\n\n')}\n`;
}

/** Broken rules but for those that only an outage broke, those that fail the run first, in the order of the document. */
function brokenRules({ rules }: RunJson): RunRuleRow[] {
  return (['fail', 'warn'] as const).flatMap((verdict) =>
    rules.filter((rule) => rule.verdict === verdict && !isOfOutage(rule)),
  );
}

/** The outcome, and why it is undecided; that nobody named a target must not look like a verdict on theirs. */
function quietLines(run: RunJson, width: number, paint: Paint): string[] {
  const { outcome, reasons } = wholeOutcome(run);
  const [why] = outcome === 'undecided' && run.replayed === undefined ? reasons : [];
  return [
    ...outcomeLines(run, width, paint),
    ...(why === undefined
      ? []
      : [`  ${run.failure === undefined ? why : ownFailure(run.failure)}`]),
    ...(run.target.kind === 'reference' ? [`  of ${EMBEDDED}: no target was named`] : []),
    ...(run.load === undefined ? [] : [loadOutcomeWords(run.load)]),
  ];
}

/** Why a run is undecided, if no notice below says so. */
function whyLines(run: RunJson, width: number): string[] {
  const { outcome, reasons } = wholeOutcome(run);
  const [why] = reasons;
  if (outcome !== 'undecided' || run.replayed !== undefined || why === undefined) return [];
  const isSaid = run.notices.some((notice) => notice.startsWith(why));
  return isSaid ? [] : wrap(`${why}.`, width - 2).map((line) => `  ${line}`);
}

/** The outcome, and what it rests on, in one sentence. */
function outcomeLines(run: RunJson, width: number, paint: Paint): string[] {
  const { symbol, words, format } = OUTCOME[wholeOutcome(run).outcome];
  const replay = replayOutcome(run);
  if (replay !== undefined) {
    const colour = { shown: 'red', 'not-shown': 'green', unclear: 'yellow' } as const;
    const paintAs = colour[run.replayed?.verdict ?? 'unclear'];
    return wrap(replay, width).map((line) => paint(['bold', paintAs], line));
  }
  const outcome = `${symbol} ${words}`;
  const sum = [...marksOf(given({ brokenBy: run.brokenBy })), rulesSum(run)].join(', ');
  const lines = wrap(`${outcome}: ${knownWords(run)}${sum}`, width);
  return lines.map((line) => line.replace(outcome, paint(['bold', format], outcome)));
}

/** What needs no look, folded to a line or two each, and where it can be read. */
function foldedLines(run: RunJson, detail: Detail, width: number, paint: Paint): string[] {
  const line = (label: string, text: string): string[] =>
    wrap(text, width - LABEL_WIDTH).map(
      (part, at) =>
        `${paint('dim', (at === 0 ? label : '').padEnd(LABEL_WIDTH))}${part.replaceAll('\u00a0', ' ')}`,
    );
  const { ledger } = run;
  if (detail === 'verbose') return [];
  const rules = askedRules(run);
  const changed = rules.filter(({ statedLevel }) => statedLevel !== undefined);
  const executed = simulationWords(run);
  return [
    ...(rules.some(({ verdict }) => verdict === 'pass') ? line('passed', passes(rules)) : []),
    ...(['not-reached', 'inconclusive', 'waived'] as const).flatMap((verdict) => {
      const text = reasonWords(rules, verdict);
      return text === '' ? [] : line(VERDICT_STYLE[verdict].word, text);
    }),
    ...(changed.length === 0
      ? []
      : line('levels', `${changed.length} changed by the configuration: ${idsOf(changed)}`)),
    ...(executed === '' ? [] : line('executed', executed)),
    ...(ledger.length === 0
      ? []
      : line('unspecified', `${plural(ledger.length, 'thing')} seen where the document is silent`)),
    ...line('more', 'all of it with --verbose, or in run.json'),
  ];
}

function passes(rules: readonly RunRuleRow[]): string {
  const counts = new Map<string, number>();
  for (const { verdict, source, own } of rules) {
    if (verdict !== 'pass') continue;
    const section = own === undefined ? placeOf(source) : 'own rules';
    counts.set(section, (counts.get(section) ?? 0) + 1);
  }
  return (
    [...counts]
      .sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
      // A count is never parted from its section by the end of a line.
      .map(([section, count]) => `${section}\u00a0${count}`)
      .join(', ')
  );
}

function placeOf(source: string): string {
  if (/^(?:contract|OpenAPI)/.test(source)) return 'contract';
  return /\u00a7[\d.]*\d|^card/.exec(source)?.[0] ?? 'RFCs';
}

/** More rules are counted, not named. */
const MAX_NAMED = 2;

/** How many rules have a verdict, and why, the most frequent reasons first. */
function reasonWords(rules: readonly RunRuleRow[], verdict: Verdict): string {
  const byReason = new Map<string, RunRuleRow[]>();
  for (const rule of rules.filter((row) => row.verdict === verdict)) {
    const why = rule.needs === undefined ? rule.reason : `needs ${rule.needs}`;
    const reason = why ?? 'no reason was recorded';
    byReason.set(reason, [...(byReason.get(reason) ?? []), rule]);
  }
  const reasons = [...byReason].sort(([, a], [, b]) => b.length - a.length);
  return reasons
    .map(([reason, some]) => `${some.length} (${cut(reason, 100)}): ${idsOf(some)}`)
    .slice(0, MAX_NAMED)
    .concat(
      reasons.length > MAX_NAMED ? [`${plural(reasons.length - MAX_NAMED, 'reason')} more`] : [],
    )
    .join('; ');
}

function idsOf(rules: readonly RunRuleRow[]): string {
  const named = rules.slice(0, MAX_NAMED).map(({ id }) => id);
  const more = rules.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}

/** The broken rules once more, a line each: the last that is seen of a run. */
function brokenLines(run: RunJson, width: number, paint: Paint): string[] {
  const rules = brokenRules(run);
  const idWidth = Math.max(0, ...rules.map(({ id }) => id.length));
  return rules.flatMap((rule) => {
    const { id, verdict, level } = rule;
    const [first] = rule.findings;
    const { symbol, format } = VERDICT_STYLE[verdict];
    const name = `${symbol} ${level.padEnd(6)} ${id.padEnd(idWidth)}`;
    if (name.length > width) return [paint(format, `${symbol} ${level}`), `  ${id}`];
    const room = width - name.length - 2;
    const why = first === undefined ? '' : cut(wasWords(rule, first), room);
    return [`${paint(format, name)}${room > 15 ? `  ${paint('dim', why)}` : ''}`];
  });
}

function recordLines(record: string | undefined, page: string | undefined, paint: Paint): string[] {
  const places = Object.entries(given({ record, report: page }));
  return places.map(([name, place]) => `${paint('dim', name)} ${place}`);
}

/** What completes a record that its run did not judge. */
function completionLines({ unjudged }: RunJson, record: string | undefined): string[] {
  if (unjudged === undefined || record === undefined) return [];
  const command = `assay judge ${quote(record)}`;
  return [`The record is not judged: \`${command}\` ${judgingLater(unjudged.by)}.`];
}
