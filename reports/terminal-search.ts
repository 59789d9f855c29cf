import type { RunJson } from '../contracts/run.ts';
import { plural, wrap } from './text.ts';
import type { Paint } from './verdict-style.ts';

/** What a run that went on generating reached beyond a gate, and whether more would tell more. */
export function searchLines({ search }: RunJson, width: number, paint: Paint): string[] {
  if (search === undefined) return [];
  const counts = search.reached.map(({ what, before, now }) =>
    before === now ? `${what} ${now}` : `${what} ${before} → ${now}`,
  );
  const answers = search.reached.find(({ what }) => what === 'kinds of answers');
  const ago =
    answers === undefined
      ? ''
      : ` The last answer of a new kind came ${plural(answers.newestRequestsAgo, 'request')} before the end.`;
  const text = `${plural(search.requests, 'request')} beyond those of a gate: ${counts.join(', ')}.${ago}`;
  return [
    paint('bold', 'What going on has reached'),
    ...wrap(text, width - 2).map((line) => `  ${line}`),
  ];
}
