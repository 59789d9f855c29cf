import type { Answer } from './rule.ts';
import type { View } from './view.ts';
import type { ApiName } from '../wire/exchange.ts';

/**
 * Watches what the document leaves unspecified: it collects what the target was seen to do there, and
 * judges nothing. What it saw goes to the ledger of the run.
 */
export interface Observer {
  /** Words joined by dots and hyphens, e.g. `zap.path.actions`. */
  readonly id: string;
  /** The unspecified clause in a few words, with its section, e.g. `§2.2 complete list of actions`. */
  readonly clause: string;
  readonly api: ApiName;
  /** Operation ids it applies to; `*` for everything under its API. */
  readonly operations: readonly string[] | '*';
  readonly answer: Answer;
  /** What this exchange shows, in short words that repeat from one exchange to the next. */
  readonly observe: (view: View) => readonly string[];
}

/** One row of the ledger. */
export interface Observation {
  readonly id: string;
  readonly clause: string;
  /** Different things seen, in the order of their first appearance; at most {@link MAX_OBSERVED}. */
  readonly observed: readonly string[];
}

/** At most this many different things are kept of one unspecified clause. */
export const MAX_OBSERVED = 60;
