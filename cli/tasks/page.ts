import { basename, resolve } from 'node:path';
import { loadClauses } from '../../contracts/service/clauses.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { afterLargeBody } from '../../target/body/large-bodies.ts';
import { readExchanges } from '../../target/record/record-reader.ts';
import { renderHtml } from '../../reports/html/html.ts';
import { namedExchanges } from '../../reports/named-exchanges.ts';
import type { ReportSource } from '../../reports/source.ts';
import { withoutSecrets } from '../safe-text.ts';
import { runAmong } from './history/run-among.ts';
import { readLimitPlot } from '../record/limits-record.ts';
import { writeWhole } from '../record/write-whole.ts';
import { pageTemplate } from '../record/page-file.ts';
import { KeptExchanges } from './kept-exchanges.ts';

/** What making the page of a run takes. */
export interface PageInput {
  /** The record that its exchanges stand in. */
  readonly dir: string;
  /** As it was written: without secrets. */
  readonly run: RunJson;
  /** The file of the page. */
  readonly file: string;
  /** A folder of earlier runs, whose index this run is added to. */
  readonly history?: string;
}

/** Of exchanges that are held for a page; packed they are well below its bytes. */
const MAX_EXCHANGE_BYTES = 16_777_216;
/** More are not looked for. */
const MAX_EXCHANGES = 5_000;

/**
 * Makes the page of a run that was judged.
 *
 * @throws PageTooLarge when the run does not fit into one
 * @throws RecordAltered when the exchanges are not those that were judged
 * @throws RecordNotWritten when the system refuses
 */
export async function pageTask({ dir, run, file, history: earlier }: PageInput): Promise<void> {
  const named = namedExchanges(run);
  const ranks = new Map(named.slice(0, MAX_EXCHANGES).map((id, at) => [id, at]));
  const kept = new KeptExchanges(ranks, MAX_EXCHANGE_BYTES);
  if (ranks.size > 0) {
    const reader = readExchanges(dir, run.record.id, {
      isWanted: (id) => ranks.has(id),
      apis: Object.keys(run.target.urls),
    });
    for await (const exchange of reader) {
      kept.add(exchange);
      afterLargeBody(exchange);
    }
  }
  const { exchanges } = kept;
  const limitPlot = readLimitPlot(dir);
  const history = earlier === undefined ? undefined : await runAmong(earlier, dir, run, true);
  const source: ReportSource = {
    run,
    exchanges: new Map(exchanges.map((exchange) => [exchange.id, exchange])),
    leftOut: named.length - exchanges.length,
    name: withoutSecrets(basename(resolve(dir))),
    ...(limitPlot === undefined ? {} : { limitPlot }),
    ...(history === undefined ? {} : { history }),
  };
  writeWhole(file, renderHtml([source], pageTemplate(), { clauses: loadClauses() }));
}
