import { inOrder } from '../baseline-state.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { causesFirst, isOfOutage } from '../causes.ts';
import { headlineOf } from '../headline.ts';
import { comparisonBlocks } from './markdown-comparison.ts';
import { findingBlock } from './markdown-finding.ts';
import { goneBlocks, limitBlocks, loadBlocks, reasonBlocks } from './markdown-parts.ts';
import type { ReportSource } from '../source.ts';
import { plural } from '../text.ts';
import { headOf } from './markdown-head.ts';

/** GitHub drops a summary above 1 MiB whole, and older servers one above 128 KiB. */
export const MAX_MARKDOWN_BYTES = 120_000;
/** Kept for the sentence on what was left out. */
const FOR_THE_END_BYTES = 1_000;
/**
 * Runs as Markdown (CommonMark with GitHub's tables), for the summary of a CI step: what broke in the
 * first line, then what broke, cause first, with the request and how to show it again, and counts. It
 * takes at most {@link MAX_MARKDOWN_BYTES}, and says what it leaves out. Texts of the service are code,
 * or escaped.
 */
export function renderMarkdown(sources: readonly ReportSource[]): string {
  const urgentFirst = [...sources].sort((a, b) => urgency(a.run) - urgency(b.run));
  const page = new Page(MAX_MARKDOWN_BYTES - FOR_THE_END_BYTES);
  for (const source of urgentFirst) page.addAll(headOf(source, sources.length > 1));
  for (const { run } of urgentFirst) {
    const rules = causesFirst(inOrder(run).rules).filter((rule) => !isOfOutage(rule));
    for (const rule of rules) page.add(findingBlock(rule, run, page.isAllOpen));
  }
  for (const { run } of urgentFirst) page.addAll(comparisonBlocks(run));
  for (const { run } of urgentFirst) page.addAll([...loadBlocks(run), ...limitBlocks(run)]);
  for (const { run } of urgentFirst) page.addAll([...goneBlocks(run), ...reasonBlocks(run)]);
  return page.text();
}

/** What does not conform comes first, then what is undecided. */
function urgency(run: RunJson): number {
  return ['✗', '?', '✓'].indexOf(headlineOf(run).symbol);
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
