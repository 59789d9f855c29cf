import { apisWithoutUrl, apisWithUrl } from '../../contracts/run/apis-of-run.ts';
import { kindOf } from '../../contracts/release/release-runs.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { isCounted } from '../../contracts/run/unjudged.ts';
import { modeWords } from '../run-kinds.ts';
import { cut, duration, plural, wrap } from '../text.ts';
import type { Paint } from './verdict-style.ts';

/** What is driven when nobody names a target. */
export const EMBEDDED = 'the embedded reference service';

const LIST = new Intl.ListFormat('en-GB');

/** What was tested, with what and for how long. */
export function targetLines(run: RunJson, width: number, paint: Paint): string[] {
  const { target, counts } = run;
  const took = duration(Date.parse(run.endedAt) - Date.parse(run.startedAt));
  const throttled = counts.throttled > 0 ? `, ${counts.throttled} of them throttled` : '';
  const failed = counts.failed > 0 ? `, ${counts.failed} unanswered` : '';
  const configured = apisWithUrl(run);
  const others = apisWithoutUrl(run);
  // A load asks some APIs alone, and does not say which others have a URL.
  const why = kindOf(run) === 'load' ? 'not asked' : 'not configured';
  const what = target.kind === 'reference' ? `${EMBEDDED}, ` : '';
  const size = isCounted(run)
    ? `, ${took}, ${plural(counts.exchanges, 'exchange')}${throttled}${failed}`
    : '';
  const facts = `${what}${run.tool.name} ${run.tool.version}, ${modeWords(run)}, seed ${run.seed}${size}`;
  const labels = Object.entries(run.labels ?? {}).map(([name, text]) => `${name}=${text}`);
  const places = [
    ...configured.map((api) => `${api}\u00a0${target.urls[api] ?? ''}`),
    ...(others.length === 0 ? [] : [`${LIST.format(others)} ${why}`]),
  ];
  return [
    ...wrap(facts, width - 2).map((line) => `  ${paint('dim', line)}`),
    ...wrap(labels.join(' '), width - 2).map((line) => `  ${paint('dim', cut(line, width - 2))}`),
    ...wrap(places.join(', '), width - 2).map(
      (line) => `  ${cut(line.replaceAll('\u00a0', ' '), width - 2)}`,
    ),
  ];
}
