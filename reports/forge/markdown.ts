import { countVerdicts, type RunJson, VERDICTS } from '../../contracts/run/run.ts';
import { causesFirst } from '../causes.ts';
import { headlineOf } from '../headline.ts';
import { comparisonBlocks } from './markdown-comparison.ts';
import { findingBlock } from './markdown-finding.ts';
import { limitBlocks, loadBlocks, reasonBlocks } from './markdown-parts.ts';
import { codeSpan, plainWords } from './markdown-text.ts';
import type { ReportSource } from '../source.ts';
import { duration, plural } from '../text.ts';
import { VERDICT_STYLE } from '../terminal/verdict-style.ts';

/** GitHub drops a summary above 1 MiB whole, and older servers one above 128 KiB. */
export const MAX_MARKDOWN_BYTES = 120_000;
/** Kept for the sentence on what was left out. */
const FOR_THE_END_BYTES = 1_000;
const MAX_NOTICES = 20;

/**
 * Runs as Markdown (CommonMark with GitHub's tables), for the summary of a CI step: what broke in the
 * first line, then what broke, cause first, with the request and how to show it again, and counts. It
 * takes at most {@link MAX_MARKDOWN_BYTES}, and says what it leaves out. Texts of the service are code,
 * or escaped.
 */
export function renderMarkdown(sources: readonly ReportSource[]): string {
  const inOrder = [...sources].sort((a, b) => urgency(a.run) - urgency(b.run));
  const page = new Page(MAX_MARKDOWN_BYTES - FOR_THE_END_BYTES);
  for (const source of inOrder) page.addAll(headOf(source, sources.length > 1));
  for (const { run } of inOrder) {
    for (const rule of causesFirst(run.rules)) page.add(findingBlock(rule, run, page.isAllOpen));
  }
  for (const { run } of inOrder) page.addAll(comparisonBlocks(run));
  for (const { run } of inOrder) page.addAll([...loadBlocks(run), ...limitBlocks(run)]);
  for (const { run } of inOrder) page.addAll(reasonBlocks(run));
  return page.text();
}

/** What does not conform comes first, then what is undecided. */
function urgency(run: RunJson): number {
  return ['✗', '?', '✓'].indexOf(headlineOf(run).symbol);
}

function headOf({ run, name, leftOut }: ReportSource, isOneOfSeveral: boolean): string[] {
  const { symbol, words } = headlineOf(run);
  const { target, tool, counts, notices } = run;
  const verdicts = countVerdicts(run.rules);
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
    `${plainWords(tool.name)} ${plainWords(tool.version)}, ${plainWords(run.profile)}, seed ${run.seed}`,
    `${took}, ${plural(counts.exchanges, 'exchange')}${throttled}`,
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

/** Blocks up to a number of bytes. */
class Page {
  readonly #blocks: string[] = [];
  #left: number;
  #leftOut = 0;

  constructor(mostBytes: number) {
    this.#left = mostBytes;
  }

  add(block: string): void {
    const bytes = Buffer.byteLength(block) + 2;
    if (bytes > this.#left) {
      this.#leftOut += 1;
      return;
    }
    this.#left -= bytes;
    this.#blocks.push(block);
  }

  addAll(blocks: readonly string[]): void {
    for (const block of blocks) this.add(block);
  }

  /** Whether nothing is folded yet: the first that can be is shown open. */
  get isAllOpen(): boolean {
    return !this.#blocks.some((block) => block.startsWith('<details'));
  }

  text(): string {
    const end =
      this.#leftOut === 0
        ? []
        : [
            `**${plural(this.#leftOut, 'part')} more would make this page too large; the record has all of it.**`,
          ];
    return `${[...this.#blocks, ...end].join('\n\n')}\n`;
  }
}
