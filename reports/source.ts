/** What reports are made from. */

import type { RunHistory } from '../contracts/history/run-history.ts';
import type { RunJson } from '../contracts/run/run.ts';
import type { Exchange } from '../contracts/wire/exchange.ts';

/** A judged run, and what of its record a report may show. */
export interface ReportSource {
  readonly run: RunJson;
  /** By id: those that findings, counterexamples and violations name, as far as they were read. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  /** Exchanges that findings name and that are not here, as a report that shows all would be too large. */
  readonly leftOut: number;
  /** Name of the record's folder, for texts; never a path. */
  readonly name: string;
  /** Of a probe of limits: its plot, an SVG document as it stands in the record. */
  readonly limitPlot?: string;
  /** Earlier runs of the same kind and target, if some are at hand. */
  readonly history?: RunHistory;
}
