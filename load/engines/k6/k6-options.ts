import type { Threshold } from '../../../contracts/run/load/threshold.ts';
import { given } from '../../../contracts/wire/json.ts';
import { METRICS, scenarioName } from '../../k6/plan.ts';
import type { LoadStep, Scenario } from '../../scenarios/scenario.ts';
import type { Schedule } from '../../scenarios/schedule.ts';
import type { LoadJob } from '../../engine.ts';

/**
 * Rates of k6 are whole numbers per time unit: over this many seconds any rate is one, for all
 * purposes.
 */
const UNIT_SECONDS = 1_000_000;
/** An arrival may be this late, on a machine that has much else to do, before k6 leaves it out. */
const LATE_SECONDS = 5;
/** VUs that stand ready; each takes some megabytes. */
const MAX_READY = 1000;

/** VUs of each step that are there when it begins, by its place, and at most. */
export interface K6Vus {
  readonly ready: readonly number[];
  readonly most: number;
}

/** What k6 is to keep to. */
export interface K6Demands {
  /** Each has one request on its way at a time. */
  readonly vus: K6Vus;
  readonly timeoutMs: number;
  readonly thresholds?: readonly Threshold[];
}

/** The options of a k6 run that sends each slot of a schedule when it is due, as its documentation states them. */
export function k6Options(
  scenario: Scenario,
  schedule: Schedule,
  { vus, timeoutMs, thresholds = [] }: K6Demands,
): Record<string, unknown> {
  const scenarios = scenario.steps.flatMap((step, at) => {
    const { slots = 0, beginsSeconds = 0 } = schedule.steps[at] ?? {};
    if (slots === 0) return [];
    const options = {
      ...arrivals(step, slots),
      startTime: nanoseconds(beginsSeconds),
      timeUnit: `${UNIT_SECONDS}s`,
      preAllocatedVUs: vus.ready[at] ?? 1,
      maxVUs: vus.most,
      gracefulStop: nanoseconds(timeoutMs / 1000 + 1),
    };
    return [[scenarioName(at), options]];
  });
  return {
    scenarios: Object.fromEntries(scenarios) as unknown,
    // All others only make samples longer.
    systemTags: ['status', 'name', 'scenario', 'check', 'error'],
    setupTimeout: '60s',
    ...given({ thresholds: k6Thresholds(thresholds) }),
  };
}

type VusJob = Pick<LoadJob, 'scenario' | 'connections' | 'timeoutMs' | 'answerMs'>;

/** A step has VUs for answers that take as long; each is made before the run, at 25 to 55 ms of CPU. */
const READY_SECONDS = { least: 0.2, most: 0.5 };
/** Under load answers may take so many times as long as before. */
const SLOWER = 4;

/**
 * As many VUs stand ready as each step needs if answers take four times as long as before the run, or half a second:
 * steps follow each other so soon that k6 makes those of all of them before it begins. As many are made as are needed
 * when every answer takes as long as it may.
 *
 * @param parts of the run; one without a VU sends nothing
 */
export function vusFor(
  { scenario, connections, timeoutMs, answerMs = Infinity }: VusJob,
  parts: number,
): K6Vus {
  const { least, most: mostSeconds } = READY_SECONDS;
  const readySeconds = Math.min(mostSeconds, Math.max(least, (SLOWER * answerMs) / 1000));
  const peaks = scenario.steps.map((step) => Math.max(step.fromPerSecond, step.toPerSecond));
  const ready = peaks.map((peak) => {
    const wanted = Math.ceil(peak * readySeconds) + 1;
    return Math.max(parts, Math.min(MAX_READY, connections, wanted));
  });
  const most = Math.min(connections, Math.ceil((Math.max(...peaks) * timeoutMs) / 1000) + 1);
  return { ready, most: Math.max(...ready, most) };
}

/**
 * The arrivals of one step, by the executor for ramps also if the rate is constant: the other one goes
 * by its duration, and on a busy machine makes one more, or leaves the last ones out. This one ends half a
 * slot after its last, and then waits for those that are late.
 */
function arrivals(
  { fromPerSecond: from, toPerSecond: to, seconds: whole }: LoadStep,
  slots: number,
): Record<string, unknown> {
  const slope = (to - from) / whole;
  // A ramp that comes down to nothing has no half slot after its last.
  const area = ((from + to) / 2) * whole;
  const sent = slope < 0 ? Math.min(slots - 0.5, (slots - 1 + area) / 2) : slots - 0.5;
  const root = Math.sqrt(Math.max(0, from * from + 2 * slope * sent));
  // At a low rate half a slot is long, and its end of no use.
  const seconds = Math.min((2 * sent) / (from + root), whole + 1);
  return {
    executor: 'ramping-arrival-rate',
    startRate: perUnit(ONE_IN_A_NANOSECOND),
    stages: [
      // The first arrival of a ramp is due when one should have been, which is later than its start: so
      // one is made beforehand, at once, and all others are due as the schedule says.
      { target: perUnit(ONE_IN_A_NANOSECOND), duration: '1ns' },
      { target: perUnit(from), duration: '0ns' },
      { target: perUnit(from + slope * seconds), duration: nanoseconds(seconds) },
      { target: 0, duration: '0ns' },
      { target: 0, duration: nanoseconds(LATE_SECONDS) },
    ],
  };
}
const ONE_IN_A_NANOSECOND = 1e9;

function perUnit(perSecond: number): number {
  return Math.round(perSecond * UNIT_SECONDS);
}

function nanoseconds(seconds: number): string {
  return `${Math.round(seconds * 1e9)}ns`;
}

/** Thresholds as k6 writes them, by metric; those that it cannot express are left to whoever reads its samples. */
export function k6Thresholds(
  stated: readonly Threshold[],
): Record<string, readonly string[]> | undefined {
  const thresholds: Record<string, string[]> = {};
  for (const [metric, expression] of stated.flatMap(asK6)) {
    (thresholds[metric] ??= []).push(expression);
  }
  return Object.keys(thresholds).length === 0 ? undefined : thresholds;
}

/** Whether any of them needs the rate of errors. */
export function countsErrors(stated: readonly Threshold[]): boolean {
  return stated.some(
    ({ metric, unit, step }) => metric === 'errors' && unit === '%' && step === undefined,
  );
}

/** None if it is left to whoever reads the samples, as are those of single steps. */
function asK6(threshold: Threshold): (readonly [metric: string, expression: string])[] {
  const { operation, step, metric, comparison, bound, unit } = threshold;
  if (step !== undefined) return [];
  const quantile = /^p([0-9]+(?:\.[0-9]+)?)$/.exec(metric)?.[1];
  if (quantile !== undefined || metric === 'max') {
    const limitMs = unit === 's' ? bound * 1000 : bound;
    // Of all answers, and from when they were sent: Assay's own count from when they were due, and decide.
    const tag = operation === undefined ? '' : `{name:${operation}}`;
    const name = metric === 'max' ? 'max' : `p(${String(quantile)})`;
    return [[`http_req_duration${tag}`, `${name}${comparison}${limitMs}`]];
  }
  // The rest is kept of the run as a whole.
  if (operation !== undefined) return [];
  if (metric === 'errors' && unit === '%') {
    return [[METRICS.errors, `rate${comparison}${bound / 100}`]];
  }
  if (metric === 'violations') return [[METRICS.violations, `count${comparison}${bound}`]];
  if (metric === 'dropped') return [['dropped_iterations', `count${comparison}${bound}`]];
  return [];
}
