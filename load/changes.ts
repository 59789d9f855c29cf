/** How much slower a service became within a run: in the course of its longest step, and after a peak. */

import type {
  LoadMoment,
  LoadStepRow,
  RunLoad,
  ThrottledPart,
} from '../contracts/run/load/load-run.ts';
import { limiterOf } from '../contracts/run/load/selected-row.ts';
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

/** How much was throttled of the first of some steps that is of the limiter, unless that is expected. */
function limiterIn(
  { mayThrottle }: Compared,
  ...steps: readonly LoadStepRow[]
): ThrottledPart | undefined {
  return mayThrottle === true ? undefined : steps.map(limiterOf).find((one) => one !== undefined);
}

/** The last tenth of the longest step against its first, or why not; undefined if it is too short. */
export function driftOf(load: Compared): Change | ThrottledPart | undefined {
  const { steps, moments } = load;
  const [longest] = [...steps].sort((a, b) => b.seconds - a.seconds);
  if (longest === undefined) return undefined;
  const medians = mediansIn(longest, moments);
  const part = Math.max(MIN_MOMENTS, Math.floor(medians.length * PART));
  const change = changeOf(medians.slice(0, part), medians.slice(-part));
  return limiterIn(load, longest) ?? (medians.length < 2 * part ? undefined : change);
}

/** The same rate after a peak against before, or why not; undefined if there is none, or too short. */
export function recoveryOf(
  load: Compared,
  planned: readonly LoadStep[],
): Change | ThrottledPart | undefined {
  const { steps, moments } = load;
  const peak = peakOf(planned);
  const [before, after] = [steps[peak?.before ?? -1], steps[peak?.after ?? -1]];
  if (before === undefined || after === undefined) return undefined;
  const seconds = after.seconds * SETTLED;
  const settled = { beginsSeconds: after.beginsSeconds + after.seconds - seconds, seconds };
  const change = changeOf(mediansIn(before, moments), mediansIn(settled, moments));
  return limiterIn(load, before, after) ?? change;
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
