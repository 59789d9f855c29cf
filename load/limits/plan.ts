import { weighed, firstBelief, learn, type Belief } from './belief.ts';
import {
  classesOf,
  ENOUGH_BELIEF,
  FULL_BURSTS,
  isPrecise,
  isProven,
  type ClassEstimate,
} from './estimate.ts';
import { bestExperiment, kindOf, type Step } from './experiment.ts';
import { hintOf } from './hint.ts';
import { hypothesesOf } from './hypotheses.ts';
import { quietSince } from './models/concurrency.ts';
import { nextPoll } from './poll.ts';
import { shapeOf } from './shaping.ts';
import { roundTripMs, slowRoundTripMs, type ProbeEvent, type WallClock } from './transcript.ts';

/** What a probe may spend at most. */
export interface ProbeBudget {
  readonly maxRequests: number;
  readonly maxRejects: number;
  readonly maxSeconds: number;
  readonly maxRatePerSecond: number;
  /** Requests in flight at once. */
  readonly maxConcurrent: number;
}

export const DEFAULT_BUDGET: ProbeBudget = {
  maxRequests: 1000,
  maxRejects: 80,
  maxSeconds: 900,
  maxRatePerSecond: 1000,
  maxConcurrent: 20,
};

/** Why a probe ends. */
export type StopReason =
  | 'identified'
  | 'composite'
  | 'shaped'
  | 'no-progress'
  | 'max-requests'
  | 'max-rejects'
  | 'max-seconds';

/** What to do next. */
export type ProbeAction =
  | { readonly kind: 'send'; readonly waitUntilMs: number; readonly concurrent: number }
  | { readonly kind: 'stop'; readonly reason: StopReason };

/** How far a probe is. Immutable; `decide` and `observed` answer the next one. */
export interface ProbePlan {
  readonly budget: ProbeBudget;
  readonly belief: Belief;
  /** `exhaust`: sending until a rejection · `watch`: looking for what tells classes apart. */
  readonly phase: 'exhaust' | 'watch';
  /** What is left of an experiment; a step with `count` requests ends at the first rejection. */
  readonly steps: readonly Step[];
  /** How often each kind of experiment was begun. */
  readonly made: ReadonlyMap<string, number>;
  /** Requests of the present step so far. */
  readonly sent: number;
}

/** Experiments that tell less than this, in bits, are not worth a request. */
const LEAST_BITS = 0.002;

/** A probe that has sent nothing. */
export function beginProbe(budget: ProbeBudget, wall?: WallClock): ProbePlan {
  return {
    budget,
    belief: firstBelief(wall),
    phase: 'exhaust',
    steps: [],
    made: new Map(),
    sent: 0,
  };
}

/** The plan after a burst was answered. */
export function observed(plan: ProbePlan, burst: readonly ProbeEvent[]): ProbePlan {
  const belief = learn(plan.belief, burst);
  const rejected = burst.some((event) => event.outcome === 'rejected');
  const sent = plan.sent + burst.length;
  const [step] = plan.steps;
  const done = step === undefined || rejected || sent >= step.count;
  return {
    ...plan,
    belief,
    phase: rejected ? 'watch' : plan.phase,
    steps: done ? plan.steps.slice(1) : plan.steps,
    sent: done ? 0 : sent,
  };
}

/** What to do now, and the plan with which to go on. */
export function decide(plan: ProbePlan, nowMs: number): readonly [ProbePlan, ProbeAction] {
  const over = spent(plan, nowMs);
  if (over !== null) return [plan, { kind: 'stop', reason: over }];
  const [next, action] = plan.phase === 'exhaust' ? exhaust(plan, nowMs) : watch(plan, nowMs);
  if (action.kind === 'stop') return [next, action];
  const { events } = plan.belief.transcript;
  const first = events[0]?.sentMs ?? nowMs;
  if (action.waitUntilMs - first > plan.budget.maxSeconds * 1000) {
    return [next, { kind: 'stop', reason: 'max-seconds' }];
  }
  return [next, paced(action, plan)];
}

function spent({ budget, belief }: ProbePlan, nowMs: number): StopReason | null {
  const { events } = belief.transcript;
  const rejects = events.filter((event) => event.outcome === 'rejected').length;
  if (events.length >= budget.maxRequests) return 'max-requests';
  if (rejects >= budget.maxRejects) return 'max-rejects';
  const first = events[0]?.sentMs ?? nowMs;
  return nowMs - first >= budget.maxSeconds * 1000 ? 'max-seconds' : null;
}

/** Keeps the rate, counted over the last second or the last burst, and the count of requests. */
function paced(action: ProbeAction & { kind: 'send' }, { budget, belief }: ProbePlan): ProbeAction {
  const { events } = belief.transcript;
  const concurrent = Math.max(
    1,
    Math.min(action.concurrent, budget.maxConcurrent, budget.maxRequests - events.length),
  );
  const last = events.at(-1)?.sentMs;
  const together = events.filter((event) => event.sentMs === last).length;
  const earliest =
    last === undefined ? -Infinity : last + (1000 * together) / budget.maxRatePerSecond;
  return { ...action, concurrent, waitUntilMs: Math.max(action.waitUntilMs, earliest) };
}

/** A canary, a gap, then one after another and later ever more at once, until one is rejected. */
function exhaust(plan: ProbePlan, nowMs: number): readonly [ProbePlan, ProbeAction] {
  const { events } = plan.belief.transcript;
  const sent = events.length;
  if (events.length === 1) {
    const gapMs = Math.max(100, 10 * roundTripMs(events));
    return [plan, { kind: 'send', waitUntilMs: nowMs + gapMs, concurrent: 1 }];
  }
  if (shapeOf(events) !== null) return [plan, { kind: 'stop', reason: 'shaped' }];
  return [plan, { kind: 'send', waitUntilMs: nowMs, concurrent: Math.ceil(sent * 0.08) }];
}

function watch(plan: ProbePlan, nowMs: number): readonly [ProbePlan, ProbeAction] {
  const [step] = plan.steps;
  // Amid a long burst each single request tells little.
  if (step !== undefined && plan.sent > 3) return [plan, sendStep(step, plan.sent, nowMs)];
  const belief = weighed(plan.belief);
  const { events } = belief.transcript;
  const classes = classesOf(belief);
  const [best] = classes;
  if (best === undefined) return [plan, { kind: 'stop', reason: 'composite' }];
  const settled = best.share >= ENOUGH_BELIEF && isPrecise(best);
  if (settled && isProven(belief, best.class))
    return [plan, { kind: 'stop', reason: 'identified' }];

  const slowMs = slowRoundTripMs(events);
  const last = events.at(-1);
  const crowded = classes.find((one) => one.class === 'concurrency');
  if (crowded !== undefined && last?.outcome === 'admitted') {
    // As many as seem to fit, again and again: a smaller limit would reject one of them some time,
    // and a bucket would run out.
    // Two too many now and then: only where requests at once are counted is it they that fail.
    const quiet = quietSince(events);
    const more = quiet >= FULL_BURSTS * crowded.limit.value ? 2 : 0;
    return [plan, { kind: 'send', waitUntilMs: nowMs, concurrent: crowded.limit.value + more }];
  }
  // One more at once: whatever refills within a round trip or two shows itself, and concurrency.
  const rejects = events.filter(({ outcome }) => outcome === 'rejected').length;
  if ((rejects === 1 && last?.outcome === 'rejected') || crowded !== undefined)
    return [plan, { kind: 'send', waitUntilMs: nowMs, concurrent: 1 }];
  if (step !== undefined) return [plan, sendStep(step, plan.sent, nowMs)];
  if (settled && last?.outcome !== 'rejected') return [plan, accumulate(best, nowMs)];
  const recovered = last?.outcome !== 'rejected' || hasRecovered(events);
  const all = recovered ? hypothesesOf(belief.believed, hintOf(events, slowMs), nowMs) : [];
  const found = recovered
    ? bestExperiment(all, {
        nowMs,
        slackMs: slowMs + 2,
        perWindow: Math.max(2, 0.06 * best.limit.value),
        windowMs: all[0]?.windowMs ?? 1000,
        made: plan.made,
        most: plan.budget.maxRequests - events.length,
      })
    : null;
  const first = found?.steps[0];
  if (found === null || first === undefined || found.bits < LEAST_BITS) {
    return [plan, nextPoll(belief, nowMs, slowMs)];
  }
  const steps = found.steps.length > 1 ? found.steps.slice(0, 2) : [first];
  const kind = kindOf(found.steps);
  const made = new Map(plan.made).set(kind, (plan.made.get(kind) ?? 0) + 1);
  return [{ ...plan, steps, made, sent: 0 }, sendStep(first, 0, nowMs)];
}

/** The first request of a step alone, at its time; the others ever more at once. */
function sendStep({ atMs, count }: Step, sent: number, nowMs: number): ProbeAction {
  const concurrent = Math.min(count - sent, Math.max(1, Math.ceil(sent * 0.08)));
  return { kind: 'send', waitUntilMs: sent === 0 ? Math.max(atMs, nowMs) : nowMs, concurrent };
}

/** Whether anything was admitted since the first rejection. */
function hasRecovered(events: readonly ProbeEvent[]): boolean {
  const at = events.findIndex(({ outcome }) => outcome === 'rejected');
  return at >= 0 && events.slice(at).some(({ outcome }) => outcome === 'admitted');
}

/** Waits for three refills of a bucket that is otherwise known, to see them add up. */
function accumulate(best: ClassEstimate, nowMs: number): ProbeAction {
  const intervalMs = (best.intervalSeconds?.value ?? 1) * 1000;
  return { kind: 'send', waitUntilMs: nowMs + 3 * intervalMs, concurrent: 1 };
}
