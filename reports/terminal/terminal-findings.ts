import { fingerprintOf } from '../../contracts/compare/fingerprint.ts';
import type { KnownFinding } from '../../contracts/run/run-known.ts';
import type { RunFinding, RunJson, RunRuleRow } from '../../contracts/run/run.ts';
import { findingState } from '../baseline-state.ts';
import { findingNotes, placeAmongWords, reproducedWords, seenWords } from '../finding-words.ts';
import { otherTargetWords } from '../known-words.ts';
import { cut, plural, wrap } from '../text.ts';
import { type Paint, VERDICT_STYLE } from './verdict-style.ts';

/** More findings of one rule beside its first are counted, not shown. */
const MAX_OTHERS = 2;
/** Of a longer sequence the last request is shown; the line that replays it has all. */
const MAX_REQUESTS = 2;
/** More places in which a request differs from a plain one are counted. */
const MAX_DIFFERENCES = 3;
const LABEL_WIDTH = 11;
/** More clauses are not cited. */
const MAX_CLAUSES = 2;

/** How much of a broken rule is shown: all, or what is needed to see it again. */
export type Extent = 'whole' | 'brief';

/**
 * A broken rule for a person: what it is for, and where, how and by which request it was broken. Commands to copy stand
 * whole on lines of their own, however long they are.
 */
export function findingLines(
  rule: RunRuleRow,
  run: Pick<RunJson, 'seed' | 'known'>,
  extent: Extent,
  width: number,
  paint: Paint,
): string[] {
  const { counterexample, findings } = rule;
  const isWhole = extent === 'whole';
  const field = (label: string, lines: readonly string[]): string[] =>
    lines.map(
      (line, at) => `  ${paint('dim', (at === 0 ? label : '').padEnd(LABEL_WIDTH))}${line}`,
    );
  const room = width - 2 - LABEL_WIDTH;
  const [first, ...others] = findings;
  const shown = isWhole ? others.slice(0, MAX_OTHERS) : [];
  const more = others.length - shown.length;
  return [
    ...headLines(rule, width, paint),
    ...field('protects', wrap(rule.protects, room)),
    ...(rule.clauses ?? [])
      .slice(0, isWhole ? MAX_CLAUSES : 0)
      .flatMap((clause, at) => field(at === 0 ? 'document' : '', wrap(clause, room))),
    ...(rule.reason === undefined ? [] : field('note', wrap(rule.reason, room))),
    ...(first === undefined ? [] : firstFields(rule, first, run, isWhole ? 0 : more, room)).flatMap(
      ([label, lines]) => field(label, lines),
    ),
    ...field(
      'also at',
      shown.map((finding) => cut(otherWords(rule, finding, run), room)),
    ),
    ...(isWhole && more > 0
      ? field('', [`and ${plural(more, 'finding')} more in the record`])
      : []),
    ...(counterexample === undefined
      ? []
      : counterexampleFields(counterexample, run.seed, isWhole, room)
    ).flatMap(([label, lines]) => field(label, lines)),
  ];
}

/** The id of a broken rule and where it comes from, in one line if they fit. */
function headLines({ verdict, id, source }: RunRuleRow, width: number, paint: Paint): string[] {
  const { symbol, word, format } = VERDICT_STYLE[verdict];
  const name = `${symbol} ${word.toUpperCase()}`;
  const from = sourceWords(source);
  const head = `${paint(format, name)} ${paint('bold', id)}`;
  const fits = name.length + id.length + from.length + 3 <= width;
  if (fits) return [`${head}  ${paint('dim', from)}`];
  return [head, ...wrap(from, width - 2).map((line) => `  ${paint('dim', line)}`)];
}

type Field = readonly [label: string, lines: readonly string[]];

/** All of a finding. Without a smallest request it has the one that showed it. */
function firstFields(
  rule: RunRuleRow,
  finding: RunFinding,
  run: Pick<RunJson, 'known'>,
  more: number,
  room: number,
): Field[] {
  const { expected, actual, exchanges, curl } = finding;
  const also = more > 0 ? `, and ${plural(more, 'finding')} more` : '';
  const seen = `${seenWords(finding, rule)}, first in ${exchanges[0] ?? 'none'}`;
  return [
    ['at', [`${cut(placeAmongWords(rule, finding), room - also.length)}${also}`]],
    ['since', sinceOf(rule, finding, run)],
    ['expected', wrap(cut(expected, room * 2), room)],
    ['actual', [cut(actual, room)]],
    ['seen', wrap(seen, room)],
    ...findingNotes(finding).map(([label, text]) => [label, wrap(text, room)] as const),
    ['try', rule.counterexample === undefined ? ['this request once more:', curl] : []],
  ];
}

/** A further finding of a rule in one line. What was expected is left out, as it is much the same. */
function otherWords(rule: RunRuleRow, finding: RunFinding, run: Pick<RunJson, 'known'>): string {
  const notes = [
    ...sinceOf(rule, finding, run),
    ...(finding.waived === undefined ? [] : ['waived']),
  ];
  const noted = notes.length === 0 ? '' : ` (${notes.join(', ')})`;
  return `${placeAmongWords(rule, finding)}${noted}: ${finding.actual}`;
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
  return source === 'card' ? 'card: a fixed promise' : source;
}

/** The smallest requests that show a broken rule, and how to show it again. */
function counterexampleFields(
  counterexample: NonNullable<RunRuleRow['counterexample']>,
  seed: number,
  hasAnswer: boolean,
  room: number,
): Field[] {
  const { curl, replay, command, response, stopped } = counterexample;
  const last = curl.length > MAX_REQUESTS ? curl.slice(-1) : curl;
  const many = last === curl ? '' : `; the last of ${curl.length} requests:`;
  const why = stopped === undefined ? '' : `; ${stopped}`;
  return [
    ['smallest', [...wrap(`${differenceWords(counterexample)}${many}`, room), ...last]],
    ...(response === undefined || !hasAnswer
      ? []
      : [['answer', [cut(`${response.status} ${response.body}`, room)]] as const]),
    [
      'replay',
      [
        ...wrap(`${reproducedWords(counterexample)}${why}`, room),
        command ?? `assay check --seed ${seed} --replay ${replay}`,
      ],
    ],
  ];
}

/** What a request differs in from a plain one: a few places, the others counted. */
function differenceWords({
  differsIn,
}: Pick<NonNullable<RunRuleRow['counterexample']>, 'differsIn'>): string {
  if (differsIn.length === 0) return 'a plain request';
  const more = differsIn.length - MAX_DIFFERENCES;
  const others = more > 0 ? ` and ${plural(more, 'place')} more` : '';
  return `differs in ${differsIn.slice(0, MAX_DIFFERENCES).join(', ')}${others}`;
}

/** More findings that are gone are counted. */
const MAX_GONE = 10;

/** What is known and was not seen. */
export function goneLines({ known }: Pick<RunJson, 'known'>, width: number): string[] {
  if (known === undefined) return [];
  const { file, gone, held = [], otherTarget } = known;
  return [
    ...(otherTarget === undefined
      ? []
      : wrap(
          `Nothing is said of what is gone from ${file}, as ${otherTargetWords(otherTarget)}.`,
          width,
        )),
    ...knownLines(`Known and gone, so that --prune known removes it from ${file}:`, gone, width),
    ...knownLines(
      'Known to be shown by some requests or at times, and not seen in this run; more runs show whether it is gone:',
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
