/** The report as one HTML file: a page built at package time, and the runs it shows as packed data. */

import { gzipSync } from 'node:zlib';
import type { Clause } from '../../contracts/judging/clause.ts';
import { headlineOf } from '../headline.ts';
import type { PageData } from './html-data.ts';
import { pageOutcome, pageRun } from './html-run.ts';
import type { Thrift } from './html-thrift.ts';
import { PageTooLarge } from './page-too-large.ts';
import type { ReportSource } from '../source.ts';
import { cut, plural, printable } from '../text.ts';

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
/** From all there is to the least that is of use. */
const THRIFTS: readonly Omit<Thrift, 'exchanges'>[] = [
  { findings: 200, characters: 65_536, rows: 5_000 },
  { findings: 50, characters: 8_192, rows: 5_000 },
  { findings: 10, characters: 1_000, rows: 2_000 },
  { findings: 3, characters: 200, rows: 500 },
];
/** Before packing; packed it is a half to a tenth of that. */
const MAX_EXCHANGE_CHARACTERS = 24_000_000;
const MAX_TRIES = 4;
/** What is left out may have packed better than the rest. */
const SAFELY = 0.8;

/**
 * The whole page. Exchanges are left out where they would make it too large, then long texts and
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

/** The data of the page in base64, which is safe wherever it stands. */
function packedData(
  sources: readonly ReportSource[],
  clauses: readonly Clause[],
  mostCharacters: number,
): string {
  const known = new Set(sources.flatMap(({ run }) => run.rules.map(({ id }) => id)));
  const own = clauses.filter(({ rules = [], ledger = [] }) =>
    rules.length === 0 ? ledger.length > 0 : rules.some((id) => known.has(id)),
  );
  const pack = (thrift: Thrift): { readonly text: string; readonly exchanges: number } => {
    const made = sources.map((source) => pageRun(source, thrift));
    const data: PageData = { runs: made.map(({ page }) => page), clauses: own };
    return {
      text: gzipSync(JSON.stringify(data), { level: 6 }).toString('base64'),
      exchanges: Math.max(0, ...made.map(({ exchangeCharacters }) => exchangeCharacters)),
    };
  };
  for (const thrift of THRIFTS) {
    let exchanges = Math.floor(MAX_EXCHANGE_CHARACTERS / Math.max(1, sources.length));
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const packed = pack({ ...thrift, exchanges });
      if (packed.text.length <= mostCharacters) return packed.text;
      const share = mostCharacters / packed.text.length;
      exchanges = tries === MAX_TRIES - 1 ? 0 : Math.floor(SAFELY * share * packed.exchanges);
    }
  }
  throw new PageTooLarge(
    `${plural(sources.length, 'run')} do not fit into ${mostCharacters} bytes of one page. Give fewer of them.`,
  );
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
