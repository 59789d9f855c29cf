import type { RunJson } from '../../contracts/run/run.ts';
import { noteKeptRuns } from '../../suites/properties/replay/kept-runs.ts';
import { plural } from '../../reports/text.ts';
import { UsageError } from '../exit-code.ts';
import { notify } from '../output.ts';
import { type KnownAtHand, knownAtHand, pruneKnown } from './known-file.ts';

/** In so many runs a regression must be gone when nobody says otherwise. */
const RUNS = 10;

/** What a check knows before it begins, and what it removes at its end. */
export interface Pruning {
  readonly known: KnownAtHand | undefined;
  /** Removes what is gone by a judged run, where that is asked for. */
  readonly prune: (judged: RunJson) => void;
}

/**
 * What `--known`, `--prune` and `--prune-after` ask of a check.
 *
 * @param dir of its regressions
 * @throws UsageError when they ask for what there is not
 */
export function pruningOf(
  flags: Readonly<Record<string, unknown>>,
  dir: string | undefined,
): Pruning {
  const known = knownAtHand(flags, ['regressions']);
  const pruned = prunedRegressions(flags, dir);
  return {
    known,
    prune: (judged) => {
      pruneKnown([{ run: judged }], known);
      if (dir !== undefined && judged.replay === undefined) noteRegressions(judged, dir, pruned);
    },
  };
}

/** Regressions that are gone are to be removed. */
export interface PrunedRegressions {
  /** In so many runs one after the other, what is removed was judged and did not show. */
  readonly runs: number;
}

/**
 * What `--prune regressions` and `--prune-after` ask for; undefined where they ask for nothing.
 *
 * @throws UsageError when there is no folder to remove from, or the runs are no number
 */
export function prunedRegressions(
  { prune = [], pruneAfter }: Readonly<Record<string, unknown>>,
  dir: string | undefined,
): PrunedRegressions | undefined {
  const isAsked = (prune as readonly string[]).includes('regressions');
  if (!isAsked && pruneAfter !== undefined)
    throw new UsageError('--prune-after is for --prune regressions');
  if (!isAsked) return undefined;
  if (dir === undefined)
    throw new UsageError('--prune regressions removes from a folder: name it, --regressions DIR');
  if (pruneAfter === undefined) return { runs: RUNS };
  const runs = typeof pruneAfter === 'string' && /^[1-9]\d{0,3}$/.test(pruneAfter);
  if (!runs)
    throw new UsageError(`--prune-after takes a number of runs, not ${JSON.stringify(pruneAfter)}`);
  return { runs: Number(pruneAfter) };
}

/** Notes what became of regressions, removes those that are gone in enough runs, and says so. */
function noteRegressions(
  { regressions = [] }: Pick<RunJson, 'regressions'>,
  dir: string,
  pruned: PrunedRegressions | undefined,
): void {
  const { removed, notices } = noteKeptRuns(dir, regressions, pruned?.runs);
  for (const notice of notices) notify(`assay: ${notice}`);
  if (removed.length > 0)
    notify(`assay: ${plural(removed.length, 'regression')} removed: ${removed.join(', ')}.`);
}
