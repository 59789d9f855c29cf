/** How much slower a service became within a run: in the course of its longest step, and after a peak. */

import type { LoadMoment, LoadStepRow, RunLoad } from '../contracts/run/load/load-run.ts';
import { isMostlyLimiter } from '../contracts/run/load/selected-row.ts';
import { peakOf } from './scenarios/peak.ts';
import type { LoadStep } from './scenarios/scenario.ts';
import { median, shiftBetween } from './trend/order-statistics.ts';

/** The medians of the moments of two parts of a run, the later part against the earlier. */
export interface Change {
  readonly beforeMs: number;
  readonly afterMs: number;
  /** How many times as slow, and between which it lies beyond chance. */
  readonly times: number;
  readonly leastTimes: number;
  readonly mostTimes: number;
}

/** Less is not measured. */
const LEAST_MS = 0.001;
/** Fewer moments say nothing of chance. */
const MIN_MOMENTS = 5;
/** Of the longest step. */
const PART = 0.1;
/** A service that recovers may need the first half for what waited. */
const SETTLED = 0.5;

/** What is compared of a run. */
type Compared = Pick<RunLoad, 'steps' | 'moments' | 'mayThrottle'>;

/** Whether one of the steps is of the limiter. */
function areUnfit({ mayThrottle }: Compared, ...steps: readonly LoadStepRow[]): boolean {
  return mayThrottle !== true && steps.some(({ counts }) => isMostlyLimiter(counts));
}

/** The last tenth of the longest step against its first; undefined where it is too short, or of the limiter. */
export function driftOf(load: Compared): Change | undefined {
  const { steps, moments } = load;
  const [longest] = [...steps].sort((a, b) => b.seconds - a.seconds);
  if (longest === undefined || areUnfit(load, longest)) return undefined;
  const medians = mediansIn(longest, moments);
  const part = Math.max(MIN_MOMENTS, Math.floor(medians.length * PART));
  if (medians.length < 2 * part) return undefined;
  return changeOf(medians.slice(0, part), medians.slice(-part));
}

/** The same rate after a peak against before; undefined where there is none, too short, or of the limiter. */
export function recoveryOf(load: Compared, planned: readonly LoadStep[]): Change | undefined {
  const { steps, moments } = load;
  const peak = peakOf(planned);
  const [before, after] = [steps[peak?.before ?? -1], steps[peak?.after ?? -1]];
  if (before === undefined || after === undefined || areUnfit(load, before, after))
    return undefined;
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
  // By ranks: a few moments in which nothing moved say nothing of the others.
  const { shift, least, greatest } = shiftBetween(before.map(logOf), after.map(logOf));
  return {
    ...{ beforeMs: median(before), afterMs: median(after), times: Math.exp(shift) },
    ...{ leastTimes: Math.exp(least), mostTimes: Math.exp(greatest) },
  };
}

function logOf(ms: number): number {
  return Math.log(Math.max(ms, LEAST_MS));
}
