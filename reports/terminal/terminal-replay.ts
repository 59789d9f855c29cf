import type { RunJson } from '../../contracts/run/run.ts';
import { cut, plural, wrap } from '../text.ts';
import { type Paint, VERDICT_STYLE } from './verdict-style.ts';

const LABEL_WIDTH = 11;
/** More regressions are counted, not named. */
const MAX_NAMED = 5;

/** What a replay came to, in one sentence. */
export function replayOutcome({ replayed, replay = '', counts }: RunJson): string | undefined {
  if (replayed === undefined) return undefined;
  const [rule = ''] = replay.split('@');
  const sent = plural(counts.requests, 'request');
  const words = {
    shown: `✗ shown again: ${rule}, by ${sent}`,
    'not-shown': `✓ not shown again: ${rule}, by ${sent}`,
    unclear: `? nothing can be said: ${rule} was not judged by answers to all requests, as often as is needed`,
  };
  return words[replayed.verdict];
}

/** What the finding of a replay said when it was found, and what came of it. */
export function replayLines(run: RunJson, width: number, paint: Paint): string[] {
  const { replayed, rules } = run;
  if (replayed === undefined) return [];
  const room = width - 2 - LABEL_WIDTH;
  const field = (label: string, text: string): string[] =>
    wrap(cut(text, room * 3), room).map(
      (line, at) => `  ${paint('dim', (at === 0 ? label : '').padEnd(LABEL_WIDTH))}${line}`,
    );
  const said = ({ expected, actual }: { expected: string; actual: string }): string =>
    `expected ${expected}, was ${actual}`;
  const now = rules.flatMap(({ findings }) => findings)[0];
  const gone =
    replayed.verdict === 'unclear' ? 'nothing can be said' : 'the same requests do not show it';
  return [
    ...(replayed.then === undefined ? [] : field('then', said(replayed.then))),
    ...field('now', now === undefined ? gone : said(now)),
  ];
}

const WORDS = {
  shown: ['still shown', 'fail'],
  'not-shown': ['no longer shown', 'pass'],
  unclear: ['unclear', 'inconclusive'],
  'not-sent': ['not sent', 'not-reached'],
} as const;

/** What became of earlier counterexamples: those that still show first, the others folded. */
export function regressionLines(
  { regressions = [] }: RunJson,
  width: number,
  paint: Paint,
  isWhole: boolean,
): string[] {
  if (regressions.length === 0) return [];
  const inOrder = (Object.keys(WORDS) as (keyof typeof WORDS)[]).flatMap((verdict) =>
    regressions.filter((row) => row.verdict === verdict),
  );
  const named = isWhole ? inOrder : inOrder.slice(0, MAX_NAMED);
  const rest = inOrder.slice(named.length);
  const counts = Object.entries(WORDS).flatMap(([verdict, [words]]) => {
    const count = rest.filter((row) => row.verdict === verdict).length;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return [
    paint('bold', 'Earlier counterexamples'),
    ...named.map(({ name, verdict, reason }) => {
      const [words, style] = WORDS[verdict];
      const { symbol, format } = VERDICT_STYLE[style];
      const why = reason === undefined ? '' : ` (${reason})`;
      return `  ${paint(format, `${symbol} ${words.padEnd(16)}`)}${cut(`${name}${why}`, width - 20)}`;
    }),
    ...(rest.length === 0 ? [] : [`  and ${rest.length} more: ${counts.join(', ')}`]),
  ];
}
