import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { loadClauses } from '../../contracts/clauses.ts';
import type { RunJson } from '../../contracts/run.ts';
import { readNamedExchanges } from '../../fixtures/target/named-exchanges.ts';
import { namedExchanges } from '../../reports/html-run.ts';
import { renderHtml } from '../../reports/html.ts';
import type { ReportSource } from '../../reports/source.ts';
import { withoutSecrets } from '../harmless.ts';
import { PLOT_FILE } from '../limits-record.ts';
import { writeWhole } from '../record.ts';
import { pageTemplate } from '../report-page.ts';

/** What making the page of a run takes. */
export interface PageInput {
  /** The record that its exchanges stand in. */
  readonly dir: string;
  /** As it was written: without secrets. */
  readonly run: RunJson;
  /** The file of the page. */
  readonly file: string;
}

/** Lines of exchanges that are held for a page; packed they are well below its bytes. */
const MOST_EXCHANGE_BYTES = 16_777_216;
const MOST_PLOT_BYTES = 1_000_000;

/**
 * Makes the page of a run that was judged.
 *
 * @throws PageTooLarge when the run does not fit into one
 * @throws RecordNotWritten when the system refuses
 */
export async function pageTask({ dir, run, file }: PageInput): Promise<void> {
  const { exchanges, leftOut } = await readNamedExchanges(
    dir,
    namedExchanges(run),
    MOST_EXCHANGE_BYTES,
  );
  const limitPlot = run.limits.length === 0 ? undefined : plotOf(join(dir, PLOT_FILE));
  const source: ReportSource = {
    ...{ run, exchanges, leftOut },
    name: withoutSecrets(basename(resolve(dir))),
    ...(limitPlot === undefined ? {} : { limitPlot }),
  };
  writeWhole(file, renderHtml([source], pageTemplate(), { clauses: loadClauses() }));
}

function plotOf(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const stats = lstatSync(file);
  return stats.isFile() && stats.size <= MOST_PLOT_BYTES ? readFileSync(file, 'utf8') : undefined;
}
