/** The report that a person reads after a run. */

import type { RunJson } from '../../contracts/run/run.ts';
import { given } from '../../contracts/wire/json.ts';
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
import { brokenRules, foldedLines } from './terminal-folded.ts';
import { regressionLines, replayLines, replayOutcome } from './terminal-replay.ts';
import { searchLines } from './terminal-search.ts';
import { bullet, cut, printable, wrap } from '../text.ts';
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
          // One fault breaks several rules at times: the first is shown whole.
          ...brokenRules(safe).map((rule, at) =>
            findingLines(
              rule,
              safe,
              at === 0 || detail === 'verbose' ? 'whole' : 'brief',
              width,
              paint,
            ),
          ),
          ...(detail === 'verbose' ? detailBlocks(safe, width, paint) : []),
          limitLines(
            safe.limits,
            width,
            paint,
            detail !== 'verbose' && brokenRules(safe).length > 0,
          ),
          ...loadBlocks(safe.load, {
            ...{ width, paint, rules: safe.rules, isBrief: detail !== 'verbose' },
          }),
          searchLines(safe, width, paint),
          safe.baseline === undefined
            ? []
            : comparisonLines(safe.baseline, width, paint, detail === 'verbose'),
          goneLines(safe, width),
          safe.replay === undefined && detail !== 'verbose' ? foldedLines(safe, width, paint) : [],
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
