import { fingerprintOf } from '../../contracts/compare/fingerprint.ts';
import type { KnownFinding } from '../../contracts/run/run-known.ts';
import type { RunFinding, RunJson, RunRuleRow } from '../../contracts/run/run.ts';
import { findingState } from '../baseline-state.ts';
import { findingNotes, placeAmongWords, reproducedWords, seenWords } from '../finding-words.ts';
import { cut, plural, wrap } from '../text.ts';
import { type Paint, VERDICT_STYLE } from './verdict-style.ts';

/** More findings of one rule are counted, not shown. */
const MAX_SHOWN = 3;
const LABEL_WIDTH = 11;
/** More clauses are not cited. */
const MAX_CLAUSES = 2;

/** A broken rule for a person: what it is for, and where, how and by which request it was broken. */
export function findingLines(
  rule: RunRuleRow,
  run: Pick<RunJson, 'seed' | 'known'>,
  width: number,
  paint: Paint,
): string[] {
  const { symbol, word, format } = VERDICT_STYLE[rule.verdict];
  const field = (label: string, lines: readonly string[]): string[] =>
    lines.map(
      (line, at) => `  ${paint('dim', (at === 0 ? label : '').padEnd(LABEL_WIDTH))}${line}`,
    );
  const room = width - 2 - LABEL_WIDTH;
  const shown = rule.findings.slice(0, MAX_SHOWN);
  const more = rule.findings.length - shown.length;
  return [
    `${paint(format, `${symbol} ${word.toUpperCase()}`)} ${paint('bold', rule.id)}`,
    ...field('source', wrap(sourceWords(rule.source), room)),
    ...field('protects', wrap(rule.protects, room)),
    ...(rule.clauses ?? [])
      .slice(0, MAX_CLAUSES)
      .flatMap((clause, at) => field(at === 0 ? 'document' : '', wrap(clause, room))),
    ...(rule.reason === undefined ? [] : field('note', wrap(rule.reason, room))),
    ...shown.flatMap((finding) => [
      ...field('at', [cut(placeAmongWords(rule, finding), room)]),
      ...field('since', sinceOf(rule, finding, run)),
      ...field('expected', wrap(cut(finding.expected, room * 3), room)),
      ...field('actual', [cut(finding.actual, room)]),
      ...field(
        'seen',
        wrap(
          `${seenWords(finding, rule)}, first in ${finding.exchanges.slice(0, 3).join(', ')}`,
          room,
        ),
      ),
      ...findingNotes(finding).flatMap(([label, text]) => field(label, wrap(text, room))),
      // Whole, however long: it is there to be copied.
      ...(rule.counterexample === undefined ? field('try', [finding.curl]) : []),
    ]),
    ...counterexampleFields(rule, run.seed, room).flatMap(([label, lines]) => field(label, lines)),
    ...(more > 0 ? field('', [`and ${plural(more, 'finding')} more in the record`]) : []),
  ];
}

/** Whether a finding is known. */
function sinceOf(
  { id }: RunRuleRow,
  finding: RunFinding,
  { known }: Pick<RunJson, 'known'>,
): string[] {
  const state =
    known === undefined ? undefined : findingState(fingerprintOf(id, finding), { known });
  return state === undefined ? [] : [state];
}

/** A source as a stranger reads it. */
function sourceWords(source: string): string {
  return source === 'card' ? "card: a fixed promise of the service's design" : source;
}

type Field = readonly [label: string, lines: readonly string[]];

/** The smallest requests that show a broken rule, and how to show it again. */
function counterexampleFields({ counterexample }: RunRuleRow, seed: number, room: number): Field[] {
  if (counterexample === undefined) return [];
  const { curl, differsIn, replay, command, response, stopped } = counterexample;
  const size = differsIn.length === 0 ? 'a plain request' : `differs in ${differsIn.join(', ')}`;
  const times = reproducedWords(counterexample);
  const why = stopped === undefined ? '' : `; ${stopped}`;
  return [
    ['smallest', [...wrap(`${size}; ${times}${why}`, room), ...curl]],
    ...(response === undefined
      ? []
      : [['answer', twoLines(`${response.status} ${response.body}`, room)] as const]),
    // Whole, however long, as the requests are.
    ['replay', [command ?? `assay check --seed ${seed} --replay ${replay}`]],
  ];
}

/** A text as far as two lines hold it; those of JSON have no words to break at. */
function twoLines(text: string, room: number): string[] {
  const chars = Array.from(cut(text, room * 2));
  const lines = [chars.slice(0, room).join(''), chars.slice(room).join('')];
  return lines.filter((line) => line !== '');
}

/** More findings that are gone are counted. */
const MAX_GONE = 10;

/** What is known and was not seen. */
export function goneLines({ known }: Pick<RunJson, 'known'>, width: number): string[] {
  if (known === undefined) return [];
  const { file, gone, held = [] } = known;
  return [
    ...knownLines(`Known and gone, so that --prune known removes it from ${file}:`, gone, width),
    ...knownLines(
      'Known to show at times, and not seen in this run; one run does not show that it is gone:',
      held,
      width,
    ),
  ];
}

function knownLines(head: string, rows: readonly KnownFinding[], width: number): string[] {
  if (rows.length === 0) return [];
  const more = rows.length - MAX_GONE;
  return [
    ...wrap(head, width),
    ...rows.slice(0, MAX_GONE).map(({ rule, operation = '', place, since }) => {
      const words = [rule, operation, place].filter((word) => word !== '').join(' ');
      return cut(`  ${words}, since ${since}`, width);
    }),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}
