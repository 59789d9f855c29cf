import type { RunJson } from '../../contracts/run/run.ts';
import { countKeptRuns } from '../../suites/properties/replay/kept-runs.ts';
import { plural } from '../../reports/text.ts';
import { UsageError } from '../exit-code.ts';
import { tell } from '../output.ts';
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
      pruneKnown(judged, known);
      pruneRegressions(judged, pruned);
    },
  };
}

/** Regressions; those that are gone are to be removed. */
export interface PrunedRegressions {
  readonly dir: string;
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
  if (pruneAfter === undefined) return { dir, runs: RUNS };
  const runs = typeof pruneAfter === 'string' && /^[1-9]\d{0,3}$/.test(pruneAfter);
  if (!runs)
    throw new UsageError(`--prune-after takes a number of runs, not ${JSON.stringify(pruneAfter)}`);
  return { dir, runs: Number(pruneAfter) };
}

/** Counts the runs in which regressions did not show, removes those that have enough, and says so. */
function pruneRegressions(
  { regressions = [] }: Pick<RunJson, 'regressions'>,
  pruned: PrunedRegressions | undefined,
): void {
  if (pruned === undefined) return;
  const { removed, notices } = countKeptRuns(pruned.dir, regressions, pruned.runs);
  for (const notice of notices) tell(`assay: ${notice}`);
  if (removed.length > 0)
    tell(`assay: ${plural(removed.length, 'regression')} removed: ${removed.join(', ')}.`);
}
