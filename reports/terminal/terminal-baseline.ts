import type { BaselineRow, LoadBaseline } from '../../contracts/run/load/load-trend.ts';
import { dayOf, inPercent, subjectName } from './terminal-trend.ts';
import { bullet, cut, printable } from '../text.ts';
import type { Paint } from './verdict-style.ts';

const NAME_WIDTH = 26;
const MS_WIDTH = 12;

interface Said {
  readonly symbol: string;
  readonly format: 'red' | 'yellow' | 'dim';
  readonly words: string;
}

const SAID: Readonly<Record<BaselineRow['verdict'], Said>> = {
  slower: { symbol: '✗', format: 'red', words: 'slower' },
  faster: { symbol: '!', format: 'yellow', words: 'faster' },
  'no-difference': { symbol: '·', format: 'dim', words: 'no difference that could be found' },
  unknown: { symbol: '?', format: 'yellow', words: 'too short a run to say' },
};

/** A run against a baseline: a row for each percentile, and what it rests on. */
export function baselineLines(baseline: LoadBaseline, width: number, paint: Paint): string[] {
  const { run, startedAt, refused, notes, rows, confidence } = printable(baseline);
  const title = `Against the baseline ${cut(run, 40)} of ${dayOf(startedAt)}`;
  const nameWidth = Math.min(NAME_WIDTH, Math.max(8, width - 2 * MS_WIDTH - 40));
  const columns = ['before ms', 'this run ms'].map((head) => head.padStart(MS_WIDTH)).join('');
  return [
    paint('bold', title),
    ...refused.flatMap((why) => bullet('?', why, width)),
    ...(rows.length === 0 ? [] : [paint('dim', `    ${''.padEnd(nameWidth)}${columns}`)]),
    ...rows.flatMap((row) => lineOf(row, nameWidth, width, paint)),
    ...[...groundsOf(rows, confidence), ...notes].flatMap((text) => bullet('·', text, width)),
  ];
}

/** The same as sentences, each with its symbol. */
export function baselineRemarks(baseline: LoadBaseline): [symbol: string, text: string][] {
  const { run, startedAt, refused, notes, rows, confidence } = baseline;
  return [
    ['·', `Against the baseline ${run} of ${dayOf(startedAt)}.`],
    ...refused.map((why): [string, string] => ['?', why]),
    ...rows.map((row): [string, string] => {
      const { symbol, words } = saidOf(row);
      const times = `${oneDigit(row.baselineMs)} ms before, ${oneDigit(row.runMs)} ms in this run`;
      return [symbol, `${subjectName(row)}: ${times}; ${words}${intervalOf(row)}`];
    }),
    ...[...groundsOf(rows, confidence), ...notes].map((text): [string, string] => ['·', text]),
  ];
}

/** How a row is said: what is not certain of the service is no fault of it. */
function saidOf({ verdict, method, cause }: BaselineRow): Said {
  const said = SAID[verdict];
  if (cause === 'control') {
    const words = `${said.words} than the control, which changed, not the service`;
    return { ...SAID['no-difference'], words };
  }
  if (verdict !== 'slower' || method === 'rounds') return said;
  return { ...SAID.unknown, words: said.words };
}

function lineOf(row: BaselineRow, nameWidth: number, width: number, paint: Paint): string[] {
  const { symbol, format, words } = saidOf(row);
  const times = [row.baselineMs, row.runMs].map((ms) => oneDigit(ms).padStart(MS_WIDTH)).join('');
  const name = cut(subjectName(row), nameWidth - 1).padEnd(nameWidth);
  const head = `  ${symbol} ${name}${times}  `;
  const text = `${words}${intervalOf(row)}`;
  // What does not fit beside the numbers goes below them.
  const fits = head.length + text.length <= width;
  const lines = fits ? [`${head}${text}`] : [head.trimEnd(), ...bullet(' ', text, width)];
  return lines.map((line) => paint(format, line));
}

function oneDigit(ms: number | undefined): string {
  return ms === undefined ? '–' : ms.toFixed(1);
}

function intervalOf({ verdict, percent, intervalPercent, smallestPercent }: BaselineRow): string {
  if (percent === undefined || intervalPercent === undefined) return '';
  const [least, greatest] = intervalPercent;
  const seen =
    verdict === 'no-difference' && smallestPercent !== undefined
      ? `; ${Math.round(smallestPercent)} % would be`
      : '';
  return `: ${inPercent({ percent, least, greatest })}${seen}`;
}

function groundsOf(rows: readonly BaselineRow[], confidence: number): string[] {
  if (rows.length === 0) return [];
  const byRatio = rows.some(({ figure }) => figure === 'ratio');
  const alone = rows.some(({ method }) => method === 'batches');
  const isSpoilt = rows.some((row) => row.method === 'rounds' && row.figure === 'absolute');
  return [
    `The intervals hold all true differences together with ${Math.round(100 * confidence)} % confidence; a difference of less than 5 % is reported of none.`,
    ...(byRatio
      ? ['Differences are those of the ratio to the control, beside the milliseconds.']
      : []),
    ...(isSpoilt
      ? [
          'Where the control scatters by far more than the target, and did not move, rounds are compared by their milliseconds.',
        ]
      : []),
    ...(alone
      ? [
          'Two runs without rounds beside a control do not distinguish a slower service from a slower machine, and nights differ by more than one run can know; --rounds 5 in both does.',
        ]
      : []),
  ];
}
