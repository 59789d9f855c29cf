import type { LoadThreshold, RunLoad } from './load-run.ts';

/**
 * What a load run came to, the conformance of its answers apart: all thresholds held · one was broken
 * for certain · figures that a threshold rests on do not count · none of its requests was served ·
 * whether it is slower than earlier runs could not be determined.
 */
export type LoadOutcome = 'held' | 'broken' | 'invalid' | 'unserved' | 'undecided';

/**
 * What a threshold speaks of: answers, which are what they are whenever they were asked for · times and
 * rates, which may be the generator's own · what the generator never sent, which is not the target's doing ·
 * a comparison with earlier runs.
 */
type Subject = 'answers' | 'timing' | 'generator' | 'comparison';

const SUBJECTS: Readonly<Record<string, Subject>> = {
  violations: 'answers',
  errors: 'answers',
  failed: 'answers',
  dropped: 'generator',
  slower: 'comparison',
};

function subjectOf({ expression }: Pick<LoadThreshold, 'expression'>): Subject {
  const [, metric = ''] = /^(?:[^:<>=]*:)?([a-z]+)/.exec(expression) ?? [];
  return Object.hasOwn(SUBJECTS, metric) ? (SUBJECTS[metric] ?? 'timing') : 'timing';
}

/** Whether a threshold speaks of a comparison that was asked for and told nothing for certain. */
export function isUndecided({ expression, measured, held }: LoadThreshold): boolean {
  return !held && measured === undefined && subjectOf({ expression }) === 'comparison';
}

/** What decides what a load run came to. */
type Decisive = Pick<RunLoad, 'thresholds' | 'invalid' | 'invalidOnly' | 'breakpoint'> & {
  readonly whole?: Pick<RunLoad['whole'], 'counts'>;
};

/** Whether a threshold that is not held was broken by the target for certain. */
function isCertain(one: LoadThreshold, { invalid, breakpoint }: Decisive): boolean {
  const subject = subjectOf(one);
  if (subject === 'generator' || isUndecided(one) || one.onlyLate === true) return false;
  const isWrong = one.expression.startsWith('violations') && one.measured !== undefined;
  // What a search for the breakpoint ended with is what it looked for; nothing excuses wrong answers.
  if (!isWrong && breakpoint?.thresholds.includes(one.expression) === true) return false;
  return invalid.length === 0 || (subject === 'answers' && one.measured !== undefined);
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
  if (load.invalid.length === 0) return false;
  return load.invalidOnly !== 'timing' || subjectOf(one) === 'timing';
}

/** What a load run came to. */
export function loadOutcome(load: Decisive): LoadOutcome {
  const { thresholds, invalid, invalidOnly, whole } = load;
  if (brokenThresholds(load).length > 0) return 'broken';
  const open = thresholds.filter((one) => isOpen(one, load));
  const isSpoilt = invalid.length > 0 && invalidOnly !== 'timing';
  if (isSpoilt || open.some((one) => !isUndecided(one))) return 'invalid';
  if (whole?.counts.served === 0) return 'unserved';
  return open.length > 0 ? 'undecided' : 'held';
}

/** Why a load run decides nothing, as a sentence; undefined where it does. */
export function whyLoadOpen(load: RunLoad): string | undefined {
  switch (loadOutcome(load)) {
    case 'invalid':
      return `figures of load do not count: ${load.invalid[0] ?? openWords(load)}`;
    case 'unserved':
      return `none of the ${load.whole.counts.sent} requests of the load was served`;
    case 'undecided':
      return `whether load became slower could not be told: ${whyUndecided(load)}`;
    default:
      return undefined;
  }
}

/** Of a run whose figures count but for those of a threshold. */
function openWords(load: RunLoad): string {
  const [first] = load.thresholds.filter((one) => isOpen(one, load));
  const { dropped, lateRequests = 0 } = load.generator;
  return first?.onlyLate === true
    ? `without the ${lateRequests} requests that left late ${first.expression} may hold`
    : `${dropped} requests of the schedule were never sent`;
}

/** Why a comparison that was asked for told nothing for certain, as a sentence. */
export function whyUndecided({ trend, baseline }: Pick<RunLoad, 'trend' | 'baseline'>): string {
  const refused = trend?.refused[0] ?? baseline?.refused[0];
  if (refused !== undefined) return refused;
  return baseline?.rows.every(({ verdict }) => verdict === 'unknown') === true
    ? 'The run or its baseline is too short.'
    : 'Against the baseline it may be the service that is slower, or the machine.';
}
