import { modeWords } from '../run-kinds.ts';
import { countVerdicts, VERDICTS } from '../../contracts/run/run.ts';
import { isCounted } from '../../contracts/run/unjudged.ts';
import { headlineOf } from '../headline.ts';
import { askedRules } from '../rules-pass.ts';
import { codeSpan, plainWords } from './markdown-text.ts';
import type { ReportSource } from '../source.ts';
import { duration, plural } from '../text.ts';
import { VERDICT_STYLE } from '../terminal/verdict-style.ts';

const MAX_NOTICES = 20;

/** What stands at the head of a run: what came of it, of what, with how many verdicts of each kind. */
export function headOf({ run, name, leftOut }: ReportSource, isOneOfSeveral: boolean): string[] {
  const { symbol, words } = headlineOf(run);
  const { target, tool, counts, notices } = run;
  const verdicts = countVerdicts(askedRules(run));
  const there = VERDICTS.filter((verdict) => verdicts[verdict] > 0);
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const table = [
    row(there.map((verdict) => VERDICT_STYLE[verdict].word)),
    row(there.map(() => '--:')),
    row(there.map((verdict) => String(verdicts[verdict]))),
  ];
  const urls = Object.entries(target.urls).map(([api, url]) => `${api} ${codeSpan(url)}`);
  const service =
    target.kind === 'reference' ? ['the embedded reference service'] : urls.length > 0 ? urls : [];
  const labels = Object.entries(run.labels ?? {}).map(([key, value]) =>
    codeSpan(`${key}=${value}`),
  );
  const took = duration(Math.max(0, Date.parse(run.endedAt) - Date.parse(run.startedAt)));
  const throttled = counts.throttled > 0 ? `, ${counts.throttled} of them throttled` : '';
  const facts = [
    ...(isOneOfSeveral ? [`run ${codeSpan(name)}`] : []),
    ...service,
    `${plainWords(tool.name)} ${plainWords(tool.version)}, ${plainWords(modeWords(run))}, seed ${run.seed}`,
    ...(isCounted(run) ? [`${took}, ${plural(counts.exchanges, 'exchange')}${throttled}`] : []),
    ...labels,
  ];
  return [
    `## ${symbol} ${plainWords(words)}`,
    facts.join(' · '),
    ...(there.length === 0 ? [] : [table.join('\n')]),
    ...noticeBlocks(notices),
    ...(leftOut > 0
      ? [`${plural(leftOut, 'exchange')} that findings name are in the record alone.`]
      : []),
  ];
}

function noticeBlocks(notices: readonly string[]): string[] {
  if (notices.length === 0) return [];
  const shown = notices.slice(0, MAX_NOTICES).map((notice) => `- ${plainWords(notice)}`);
  const more = notices.length - shown.length;
  return [[...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n')];
}
