/** The report as one HTML file: a page built at package time, and the runs it shows as packed data. */

import type { Clause } from '../../contracts/judging/clause.ts';
import { headlineOf } from '../headline.ts';
import { pageOutcome } from './html-run.ts';
import type { ReportSource } from '../source.ts';
import { cut, printable } from '../text.ts';
import { packedData } from './packed-data.ts';

/** What stands in the built page for what a report puts there. */
export const PLACES = {
  title: '<!--assay:title-->',
  words: '<!--assay:words-->',
  data: '<!--assay:data-->',
} as const;

/** How to render. */
export interface HtmlOptions {
  /** Of the document, for the matrix; none where rules alone are shown. */
  readonly clauses: readonly Clause[];
  /** Default 5,000,000. */
  readonly mostBytes?: number;
}

const MAX_BYTES = 5_000_000;
/** Runs of which the page says without a script what came out. */
const MAX_SAID = 10;
/**
 * The whole page. Exchanges are left out if they would make it too large, then long texts and
 * findings of one rule; the page says so.
 *
 * @param sources in the order in which they are shown
 * @param page the built page, with {@link PLACES}
 * @throws PageTooLarge when nothing helps
 * @throws Error when the page has not all places
 */
export function renderHtml(
  sources: readonly ReportSource[],
  page: string,
  { clauses, mostBytes = MAX_BYTES }: HtmlOptions,
): string {
  const title = escaped(titleOf(sources));
  const words = sources.slice(0, MAX_SAID).map(wordsOf).join('');
  const room =
    mostBytes - [page, title, words].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const parts: Readonly<Record<keyof typeof PLACES, string>> = {
    ...{ title, words },
    data: packedData(sources, clauses, room),
  };
  return (['title', 'words', 'data'] as const).reduce((html, name) => {
    const [before, after, more] = html.split(PLACES[name]);
    if (before === undefined || after === undefined || more !== undefined) {
      throw new Error(`the page has no one place for its ${name}: build it again`);
    }
    return before + parts[name] + after;
  }, page);
}

function wordsOf({ name, run }: ReportSource): string {
  const { symbol, words } = headlineOf(run);
  return `<p>${escaped(printable(`${cut(name, 100)}: ${symbol} ${words}`))}</p>`;
}

function titleOf([first, ...more]: readonly ReportSource[]): string {
  const outcome = first === undefined ? 'Nothing' : pageOutcome(first.run).words;
  const name = first === undefined ? '' : `, ${printable(first.name)}`;
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  return `${cut(`${outcome}${name}${others}`, 150)} – Assay report`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
