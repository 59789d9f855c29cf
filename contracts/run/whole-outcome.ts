import { brokenThresholds, interruptedWords, whyLoadOpen } from './load/load-outcome.ts';
import { measuredWords } from './load/selected-row.ts';
import type { Outcome, RunJson } from './run.ts';

/** What a run came to as a whole, and why. */
export interface WholeOutcome {
  readonly outcome: Outcome;
  /** Why it is no better, but for broken rules, which stand by themselves: without a full stop. */
  readonly reasons: readonly string[];
}

/**
 * What a run came to: by its rules, and by its load. The one place that puts the two together, so that
 * all reports and the exit code say the same. It gives the same when asked again of a run whose
 * `outcome` it made; in records of earlier versions that is the one by rules alone.
 *
 * A broken threshold of load fails the run as a broken rule does, unless Assay itself failed beside it. A
 * load that decides nothing lets no run conform.
 */
export function wholeOutcome({
  outcome,
  failure,
  load,
  notices = [],
}: Pick<RunJson, 'outcome' | 'failure' | 'load'> &
  Partial<Pick<RunJson, 'notices'>>): WholeOutcome {
  const reasons =
    load === undefined || failure !== undefined
      ? []
      : brokenThresholds(load).map(
          (one) => `threshold ${one.expression} of load broken: ${measuredWords(one)}`,
        );
  const open = load === undefined ? undefined : (interruptedWords(load) ?? whyLoadOpen(load));
  if (outcome === 'does-not-conform' || reasons.length > 0) {
    return { outcome: 'does-not-conform', reasons };
  }
  if (outcome === 'conforms' && open === undefined && failure === undefined) {
    return { outcome, reasons: [] };
  }
  const why = open ?? notices[0] ?? 'too little was judged';
  return { outcome: 'undecided', reasons: [why.replace(/\.$/, '')] };
}
