import type { RunJson } from '../../contracts/run/run.ts';
import { plural, wrap } from '../text.ts';
import type { Paint } from './verdict-style.ts';

/** What a run that went on generating reached beyond a gate, and whether more would show more. */
export function searchLines(run: RunJson, width: number, paint: Paint): string[] {
  const text = searchWords(run);
  if (text === undefined) return [];
  return [
    paint('bold', 'What going on has reached'),
    ...wrap(text, width - 2).map((line) => `  ${line}`),
  ];
}

/** The same in a few sentences; undefined of a run that did not go on. */
export function searchWords({ search }: RunJson): string | undefined {
  if (search === undefined) return undefined;
  const counts = search.reached.map(({ what, before, now }) =>
    before === now ? `${what} ${now}` : `${what} ${before} → ${now}`,
  );
  const answers = search.reached.find(({ what }) => what === 'kinds of answers');
  const ago =
    answers === undefined
      ? ''
      : ` The last answer of a new kind came ${plural(answers.newestRequestsAgo, 'request')} before the end.`;
  return `${plural(search.requests, 'request')} beyond those of a gate: ${counts.join(', ')}.${ago}`;
}
