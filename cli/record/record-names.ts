/**
 * The files that runs write into their records. A name stands in exactly one of these lists, so that none
 * can be altered without a trace.
 */

import {
  COUNTEREXAMPLES_FILE,
  EXCHANGES_FILE,
  SUMMARY_FILE,
} from '../../target/record/recorder.ts';
import { LIMITS_FILE, PLOT_FILE } from './limits-record.ts';
import {
  LOAD_FILE,
  LOAD_HISTOGRAM_FILE,
  LOAD_PLOT_FILE,
  LOAD_SERIES_FILE,
  TREND_PLOT_FILE,
} from './load-record.ts';
import { FINDINGS_FILE, JUNIT_FILE } from './record.ts';
import { PAGE_FILE } from './page-file.ts';
import { CONTRACTS_FILE } from './contracts-record.ts';

/** Plots. Earlier versions wrote them without a digest. */
export const PLOT_FILES: readonly string[] = [PLOT_FILE, LOAD_PLOT_FILE, TREND_PLOT_FILE];

/** Files whose digests stand in `run.json`, written before the record is judged. */
export const SEALED_FILES: readonly string[] = [
  COUNTEREXAMPLES_FILE,
  LIMITS_FILE,
  LOAD_FILE,
  LOAD_HISTOGRAM_FILE,
  LOAD_SERIES_FILE,
  CONTRACTS_FILE,
  ...PLOT_FILES,
];

/** The exchanges, which are a chain, the summary, and what that seals. */
export const EVIDENCE_FILES: readonly string[] = [SUMMARY_FILE, EXCHANGES_FILE, ...SEALED_FILES];

/**
 * Files that are made from `run.json` and the exchanges, and can be made again from them with `assay judge
 * --out`. The last line of the record has their digests. Nothing is ever read from them, so they may be missing.
 */
export const DERIVED_FILES: readonly string[] = [FINDINGS_FILE, JUNIT_FILE, PAGE_FILE];

/** Files that may lie packed: all but the summary, by which a record is known. */
export const PACKED_FILES: readonly string[] = [
  ...EVIDENCE_FILES.filter((name) => name !== SUMMARY_FILE),
  ...DERIVED_FILES,
];
