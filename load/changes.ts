/** How much slower a service became within a run: in the course of its longest step, and after a peak. */

import type { LoadMoment, LoadStepRow, RunLoad } from '../contracts/run/load/load-run.ts';
import { peakOf } from './scenarios/peak.ts';
import type { LoadStep } from './scenarios/scenario.ts';

/** Medians of the moments of two parts of a run, the later one against the earlier. */
export interface Change {
  readonly beforeMs: number;
  readonly afterMs: number;
  /** Of the difference of the later mean from so many times the earlier one, by how far the moments scatter. */
  readonly errorMs: (times: number) => number;
}

/** Fewer moments say nothing of chance. */
const MIN_MOMENTS = 5;
/** Of the longest step. */
const PART = 0.1;
/** A service that recovers may need the first half for what waited. */
const SETTLED = 0.5;

/** The last tenth of the longest step against its first; undefined where it is too short. */
export function driftOf({
  steps,
  moments,
}: Pick<RunLoad, 'steps' | 'moments'>): Change | undefined {
  const [longest] = [...steps].sort((a, b) => b.seconds - a.seconds);
  if (longest === undefined) return undefined;
  const medians = mediansIn(longest, moments);
  const part = Math.max(MIN_MOMENTS, Math.floor(medians.length * PART));
  if (medians.length < 2 * part) return undefined;
  return changeOf(medians.slice(0, part), medians.slice(-part));
}

/** The same rate after a peak against before; undefined where there is none, or both are too short. */
export function recoveryOf(
  { steps, moments }: Pick<RunLoad, 'steps' | 'moments'>,
  planned: readonly LoadStep[],
): Change | undefined {
  const peak = peakOf(planned);
  const [before, after] = [steps[peak?.before ?? -1], steps[peak?.after ?? -1]];
  if (before === undefined || after === undefined) return undefined;
  const seconds = after.seconds * SETTLED;
  const settled = { beginsSeconds: after.beginsSeconds + after.seconds - seconds, seconds };
  return changeOf(mediansIn(before, moments), mediansIn(settled, moments));
}

function mediansIn(
  { beginsSeconds, seconds }: Pick<LoadStepRow, 'beginsSeconds' | 'seconds'>,
  moments: readonly LoadMoment[],
): number[] {
  const ends = beginsSeconds + seconds;
  return moments
    .filter((one) => one.second >= beginsSeconds && one.second + one.seconds <= ends)
    .flatMap(({ p50Ms }) => p50Ms ?? []);
}

function changeOf(before: readonly number[], after: readonly number[]): Change | undefined {
  if (before.length < MIN_MOMENTS || after.length < MIN_MOMENTS) return undefined;
  const [one, other] = [spreadOf(before), spreadOf(after)];
  return {
    beforeMs: one.mean,
    afterMs: other.mean,
    errorMs: (times) => Math.hypot(times * one.error, other.error),
  };
}

/** The mean of batches, and its standard error. */
function spreadOf(batches: readonly number[]): { readonly mean: number; readonly error: number } {
  const { length } = batches;
  const mean = batches.reduce((sum, one) => sum + one, 0) / length;
  const squares = batches.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (length - 1) / length) };
}
