import { gzipSync } from 'node:zlib';
import type { Clause } from '../../contracts/judging/clause.ts';
import type { PageData } from './html-data.ts';
import { pageRun } from './html-run.ts';
import type { PageBounds } from './page-bounds.ts';
import { PageTooLarge } from './page-too-large.ts';
import type { ReportSource } from '../source.ts';
import { plural } from '../text.ts';

/** From all there is to the least that is of use. */
const PAGE_BOUNDS: readonly Omit<PageBounds, 'exchanges'>[] = [
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

/** The data of the page in base64, which is safe wherever it stands. */
export function packedData(
  sources: readonly ReportSource[],
  clauses: readonly Clause[],
  mostCharacters: number,
): string {
  const known = new Set(sources.flatMap(({ run }) => run.rules.map(({ id }) => id)));
  const own = clauses.filter(({ rules = [], ledger = [] }) =>
    rules.length === 0 ? ledger.length > 0 : rules.some((id) => known.has(id)),
  );
  const pack = (bounds: PageBounds): { readonly text: string; readonly exchanges: number } => {
    const made = sources.map((source) => pageRun(source, bounds));
    const data: PageData = { runs: made.map(({ page }) => page), clauses: own };
    return {
      text: gzipSync(JSON.stringify(data), { level: 6 }).toString('base64'),
      exchanges: Math.max(0, ...made.map(({ exchangeCharacters }) => exchangeCharacters)),
    };
  };
  for (const bounds of PAGE_BOUNDS) {
    let exchanges = Math.floor(MAX_EXCHANGE_CHARACTERS / Math.max(1, sources.length));
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const packed = pack({ ...bounds, exchanges });
      if (packed.text.length <= mostCharacters) return packed.text;
      const share = mostCharacters / packed.text.length;
      exchanges = tries === MAX_TRIES - 1 ? 0 : Math.floor(SAFELY * share * packed.exchanges);
    }
  }
  throw new PageTooLarge(
    `${plural(sources.length, 'run')} do not fit into ${mostCharacters} bytes of one page. Give fewer of them.`,
  );
}
