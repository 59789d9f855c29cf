import { errorsOf } from './fates.ts';
import type { LoadThreshold, RunLoad } from './load-run.ts';
import { measuredWords } from './selected-row.ts';
import { metricOf, type ThresholdMetric } from './threshold.ts';

/**
 * What a load run came to, the conformance of its answers apart: all thresholds held · one was broken
 * for certain · so much was throttled that the limiter was measured · figures that a threshold rests on do not
 * count · none of its requests, or none of an operation, was served · nobody was asked to come back, which it asks about · whether it is slower than earlier runs
 * could not be determined.
 */
export type LoadOutcome =
  'held' | 'broken' | 'limited' | 'invalid' | 'unserved' | 'unreached' | 'undecided';

/**
 * What a threshold speaks of: answers, which are what they are whenever they were asked for · times and
 * rates, which may be the generator's own · what the generator never sent, which is not the target's doing ·
 * a comparison with earlier runs.
 */
type Subject = 'answers' | 'timing' | 'generator' | 'comparison';

const SUBJECTS: Readonly<Partial<Record<ThresholdMetric, Subject>>> = {
  violations: 'answers',
  errors: 'answers',
  failed: 'answers',
  throttled: 'answers',
  dropped: 'generator',
  slower: 'comparison',
};

/** What a threshold speaks of. */
export function subjectOf({
  expression,
  beyond,
}: Pick<LoadThreshold, 'expression' | 'beyond'>): Subject {
  // Of a latency that errors are beyond, it is the errors that decide.
  if (beyond === true) return 'answers';
  const metric = metricOf(expression);
  return (metric === undefined ? undefined : SUBJECTS[metric]) ?? 'timing';
}

/** Whether anything was measured that a threshold speaks of. */
export function isMeasured({ measured, beyond }: LoadThreshold): boolean {
  return measured !== undefined || beyond === true;
}

/** Whether a threshold speaks of a comparison that was asked for and showed nothing for certain. */
export function isUndecided({ expression, measured, held }: LoadThreshold): boolean {
  return !held && measured === undefined && subjectOf({ expression }) === 'comparison';
}

/** What decides what a load run came to. */
type Decisive = Pick<
  RunLoad,
  'thresholds' | 'invalid' | 'invalidOnly' | 'breakpoint' | 'limiter' | 'unprepared' | 'comesBack'
> & {
  readonly whole?: Pick<RunLoad['whole'], 'counts'>;
  readonly operations?: readonly Pick<RunLoad['operations'][number], 'operation' | 'counts'>[];
  readonly moments?: readonly Pick<RunLoad['moments'][number], 'admitted' | 'errors'>[];
};

/** Whether a threshold that is not held was broken by the target for certain. */
function isCertain(one: LoadThreshold, { invalid, breakpoint, limiter }: Decisive): boolean {
  const subject = subjectOf(one);
  if (subject === 'generator' || !isMeasured(one) || one.onlyLate === true) return false;
  if (limiter !== undefined && subject !== 'answers') return false;
  const isWrong = metricOf(one.expression) === 'violations';
  // What a search for the breakpoint ended with is what it looked for; nothing excuses wrong answers.
  if (!isWrong && breakpoint?.thresholds.includes(one.expression) === true) return false;
  return invalid.length === 0 || subject === 'answers';
}

/** Thresholds that were broken for certain. */
export function brokenThresholds(load: Decisive): LoadThreshold[] {
  return load.thresholds.filter((one) => !one.held && isCertain(one, load));
}

/**
 * Whether nothing is known of a threshold: the figure that it rests on does not count, or it is broken by
 * what may be the doing of the generator. A search for the breakpoint looks for one that breaks.
 */
export function isOpen(one: LoadThreshold, load: Decisive): boolean {
  if (!one.held && isCertain(one, load)) return false;
  const isSought = load.breakpoint?.thresholds.includes(one.expression) === true;
  if (!one.held && !isSought) return true;
  if (load.limiter !== undefined && ['timing', 'comparison'].includes(subjectOf(one))) return true;
  if (load.invalid.length === 0) return false;
  return load.invalidOnly !== 'timing' || subjectOf(one) === 'timing';
}

/** What a load run came to. */
export function loadOutcome(load: Decisive): LoadOutcome {
  const { thresholds, invalid, invalidOnly, limiter } = load;
  if (brokenThresholds(load).length > 0) return 'broken';
  if (limiter !== undefined) return 'limited';
  const open = thresholds.filter((one) => isOpen(one, load));
  const isSpoilt = invalid.length > 0 && invalidOnly !== 'timing';
  if (isSpoilt || open.some((one) => !isUndecided(one))) return 'invalid';
  if (neverServed(load) !== undefined) return 'unserved';
  if (isUnreached(load)) return 'unreached';
  return open.length > 0 ? 'undecided' : 'held';
}

/** Whether nobody was throttled if that is asked about, and no threshold says how much of it there may be. */
function isUnreached({ comesBack, whole, thresholds }: Decisive): boolean {
  const isStated = thresholds.some(({ expression }) => metricOf(expression) === 'throttled');
  return comesBack === true && whole?.counts.throttled === 0 && !isStated;
}

/** So few that were throttled each time may have come at a bad moment. */
const MIN_NOT_SERVED = 5;
/** At the end of a load, in whole moments. */
const MIN_AT_LAST = 5;

/**
 * What was never served: an operation, all of the load, or its end. A search for the breakpoint ends if nothing
 * may be.
 */
function neverServed(load: Decisive): string | undefined {
  const { whole, operations = [], unprepared = [], moments = [], breakpoint } = load;
  if (whole?.counts.served === 0) return `none of the ${whole.counts.sent} requests of the load`;
  const [left] = unprepared;
  if (left !== undefined) return `none of the requests to ${left} that were tried before the load`;
  const found = operations.find(
    ({ counts: { served, ...others } }) =>
      served === 0 && (errorsOf(others) > 0 || others.sent >= MIN_NOT_SERVED),
  );
  if (found !== undefined)
    return `none of the ${found.counts.sent} requests to ${found.operation} under load`;
  const served = moments.findLastIndex(({ admitted }) => admitted > 0);
  const atLast = moments.slice(served + 1).reduce((sum, { errors }) => sum + errors, 0);
  const hasEnded = breakpoint === undefined && atLast >= MIN_AT_LAST;
  return hasEnded ? `none of the last ${atLast} requests that were not throttled` : undefined;
}

/** After how long a load was ended, e.g. `6 of 20 s`. */
export function interruptedAfter({
  atSeconds,
  ofSeconds,
}: NonNullable<RunLoad['interrupted']>): string {
  // What ended within its first seconds did not end after none.
  const after = atSeconds < 10 ? Number(atSeconds.toFixed(1)) : Math.round(atSeconds);
  return ofSeconds === undefined ? `${after} s` : `${after} of ${Math.round(ofSeconds)} s`;
}

/** That a load was interrupted, without a full stop; undefined of one that was not. */
export function interruptedWords({
  interrupted,
  unanswered = 0,
}: Pick<RunLoad, 'interrupted' | 'unanswered'>): string | undefined {
  if (interrupted === undefined) return undefined;
  const left = unanswered === 0 ? '' : `, and ${unanswered} of its requests had no answer yet`;
  return `the load was interrupted after ${interruptedAfter(interrupted)}${left}`;
}

/** Why a load run decides nothing, as a sentence; undefined if it does. */
export function whyLoadOpen(load: RunLoad): string | undefined {
  switch (loadOutcome(load)) {
    case 'invalid':
      return load.invalid[0] === undefined
        ? openWords(load)
        : `figures of load do not count: ${load.invalid[0]}`;
    case 'limited':
      return limiterWords(load);
    case 'unserved':
      return `${neverServed(load) ?? 'nothing'} was served`;
    case 'unreached':
      return `none of the ${load.whole.counts.sent} requests was throttled, so no client was asked to come back, which the scenario is about. A higher --rate helps, or a threshold on throttled if there is no limit`;
    case 'undecided':
      return `whether load became slower is not known: ${whyUndecided(load)}`;
    default:
      return undefined;
  }
}

function limiterWords({ limiter, engine }: RunLoad): string | undefined {
  if (limiter === undefined) return undefined;
  const { throttled, sent, fromPerSecond } = limiter;
  const from = Math.round(10 * fromPerSecond) / 10;
  // A closed loop has no rate that could be lower.
  const advice = engine.name === 'autocannon' ? 'A key' : 'A lower --rate, a key';
  return `the load measured the limiter: ${throttled} of ${sent} requests were throttled, first at ${from}/s, so rates and latencies of the service are not known. ${advice}, or "throttled: expected" in the scenario helps`;
}

/** Of a run whose figures count but for those of a threshold. */
function openWords(load: RunLoad): string {
  const [first] = load.thresholds.filter((one) => isOpen(one, load));
  if (first === undefined || (isMeasured(first) && first.onlyLate !== true))
    return `${load.generator.dropped} requests of the schedule were never sent`;
  const { expression, limiter, onlyLate } = first;
  if (onlyLate === true)
    return `without the requests that left or were read late ${expression} may hold`;
  return limiter === undefined
    ? `nothing was measured of ${expression}`
    : `${expression} is ${measuredWords(first)}`;
}

/** Why a comparison that was asked for showed nothing for certain, as a sentence. */
export function whyUndecided({ trend, baseline }: Pick<RunLoad, 'trend' | 'baseline'>): string {
  const refused = trend?.refused[0] ?? baseline?.refused[0];
  if (refused !== undefined) return refused;
  return baseline?.rows.every(({ verdict }) => verdict === 'unknown') === true
    ? 'The run or its baseline is too short.'
    : 'Against the baseline it may be the service that is slower, or the machine.';
}
