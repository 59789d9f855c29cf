/** Long because it is one machine, and its phases hand over to each other. */

import { weighed, prior, learn, type Posterior } from '../estimate/posterior.ts';
import {
  classesOf,
  MIN_SURE_PROBABILITY,
  isPrecise,
  type ClassEstimate,
} from '../estimate/estimate.ts';
import { reportedLeft } from '../claims/reported-left.ts';
import type { Ahead } from '../models/ahead.ts';
import { bestExperiment, kindOf, type Step } from './experiment.ts';
import { hintOf } from '../claims/hint.ts';
import { hypothesesOf } from './hypotheses.ts';
import {
  burstAtOnce,
  crowdedBurst,
  hasRecovered,
  justRecovered,
  mayBeCrowded,
  mayBeShortWindow,
  soonAfterBurst,
} from './looks.ts';
import { PUT_OFF } from '../models/model.ts';
import { paced, spent, spread, type ProbeAction, type ProbeBudget } from './pacing.ts';
import { nextPoll } from './poll.ts';
import { begun, isIdle, MAX_STILL, NO_PROGRESS, seen, type Progress } from './progress.ts';
import { pacedSteps, wasAsPaced } from './paced-check.ts';
import { isProven } from '../estimate/proof.ts';
import { stepsToProve } from './proving.ts';
import { unexplainedBy } from '../estimate/replay.ts';
import { burstMs, isEndless, leastAt, MORE_AT_ONCE, nextTokenMs, sendStep } from './sending.ts';
import { shapeOf, type Shape } from '../estimate/shaping.ts';
import { nextOfStack } from './stack-plan.ts';
import { stacked, stackOf, type Stack } from '../estimate/stacked.ts';
import { roundTripMs, slowRoundTripMs, type ProbeEvent, type WallClock } from '../transcript.ts';

export type { ProbeAction, ProbeBudget, StopReason } from './pacing.ts';

export const DEFAULT_BUDGET: ProbeBudget = {
  maxRequests: 1000,
  maxRejects: 40,
  maxSeconds: 1000,
  maxRatePerSecond: 1000,
  maxConcurrent: 20,
};

/** How far a probe is. Immutable; `decide` and `observed` answer the next one. */
export interface ProbePlan {
  readonly budget: ProbeBudget;
  readonly posterior: Posterior;
  /** `exhaust`: sending until a rejection · `watch`: looking for what tells classes apart. */
  readonly phase: 'exhaust' | 'watch';
  /** Two limits, once no single class explains what was seen; null until then, or where none do either. */
  readonly stack: Stack | null;
  /** Whether two limits were thought of: once is enough. */
  readonly wasStack: boolean;
  /** How many times what is all but certain is to be checked by a paced client, and whether it is. */
  readonly checks: { readonly left: number; readonly isOn: boolean };
  /** What is left of an experiment; a step with `count` requests ends at the first rejection. */
  readonly steps: readonly Step[];
  /** What was done to learn something, and whether it did. */
  readonly progress: Progress;
  /** How often each kind of experiment was begun. */
  readonly made: ReadonlyMap<string, number>;
  /** Requests of the present step so far. */
  readonly sent: number;
  /** How many of a burst that was begun are hardly rejected. */
  readonly least: number;
}

/** Tries to prove a class, by their name among the experiments. */
const PROOF = 'proof';
const POLL = 'poll';
const MAX_PROOFS = 6;
const LAST_LOOK = 'last look';
const MAX_LAST_LOOKS = 3;
/** A moment is known to this part of the time until then. */
const LATE_PART = 0.05;
/** After this many requests two go out at once. */
const EARLY_PAIR = 3;
/** Experiments that tell less than this, in bits, are not worth a request. */
const MIN_BITS = 0.002;

/** A probe that has sent nothing. */
export function beginProbe(budget: ProbeBudget, wall?: WallClock): ProbePlan {
  return {
    budget,
    posterior: prior(wall),
    phase: 'exhaust',
    steps: [],
    progress: NO_PROGRESS,
    stack: null,
    wasStack: false,
    checks: { left: 1, isOn: false },
    made: new Map(),
    sent: 0,
    least: 0,
  };
}

/** The plan after a burst was answered. */
export function observed(plan: ProbePlan, burst: readonly ProbeEvent[]): ProbePlan {
  const posterior = learn(plan.posterior, burst);
  const rejected = burst.some((event) => event.outcome === 'rejected');
  const sent = plan.sent + burst.length;
  const [step] = plan.steps;
  const { events } = posterior.transcript;
  const done = step === undefined || rejected || sent >= step.count || isEndless(events, sent);
  const stack = plan.stack === null ? null : stacked(plan.stack, burst);
  const { checks } = plan;
  const isChecked = checks.isOn && !rejected && done && plan.steps.length <= 1;
  return {
    ...plan,
    posterior,
    checks: {
      left: isChecked ? checks.left - 1 : checks.left,
      isOn: checks.isOn && !rejected && !isChecked,
    },
    stack,
    phase: rejected ? 'watch' : plan.phase,
    steps: checks.isOn && rejected ? [] : done ? plan.steps.slice(1) : plan.steps,
    sent: done ? 0 : sent,
  };
}

/** What to do now, and the plan with which to go on. */
export function decide(plan: ProbePlan, nowMs: number): readonly [ProbePlan, ProbeAction] {
  const { events } = plan.posterior.transcript;
  const over = spent(plan.budget, events, nowMs);
  if (over !== null) return [plan, { kind: 'stop', reason: over }];
  const shape = shapeOf(events, plan.budget.maxConcurrent);
  if (shape.kind === 'steady') return [plan, { kind: 'stop', reason: 'shaped' }];
  const [next, action] =
    shape.kind === 'suspected'
      ? lookAtDelays(plan, shape, nowMs)
      : plan.phase === 'exhaust'
        ? exhaust(plan, nowMs)
        : watch(plan, nowMs);
  if (action.kind === 'stop') return [next, action];
  const patient = plan.steps.length > 0 && plan.sent > 0 ? action : spread(action, events);
  const last = paced(patient, plan.budget, events);
  const leftMs = (events[0]?.sentMs ?? nowMs) + plan.budget.maxSeconds * 1000 - nowMs;
  const wantedMs = last.waitUntilMs - nowMs;
  // Stated the other way round, a time that is no number would fit.
  if (!(wantedMs <= leftMs)) {
    return [next, { kind: 'stop', reason: 'max-seconds', unfit: { wantedMs, leftMs } }];
  }
  return [next, last];
}

/** A burst that shows how requests are delayed. Whatever else was under way is given up. */
function lookAtDelays(
  plan: ProbePlan,
  { concurrent, pauseMs }: Extract<Shape, { readonly kind: 'suspected' }>,
  nowMs: number,
): readonly [ProbePlan, ProbeAction] {
  const next = { ...plan, steps: [], sent: 0 };
  return [next, { kind: 'send', waitUntilMs: nowMs + pauseMs, concurrent }];
}

/** A canary, a gap, then one after another and later ever more at once, until one is rejected. */
function exhaust(plan: ProbePlan, nowMs: number): readonly [ProbePlan, ProbeAction] {
  const { events } = plan.posterior.transcript;
  const sent = events.length;
  if (events.length === 1) {
    const gapMs = Math.max(100, 10 * roundTripMs(events));
    return [plan, { kind: 'send', waitUntilMs: nowMs + gapMs, concurrent: 1 }];
  }
  const most = reportedLeft(events) ?? Infinity;
  const concurrent = Math.max(1, Math.min(together(sent), most));
  return [plan, { kind: 'send', waitUntilMs: nowMs, concurrent }];
}

/** Two at once early on, since only that shows a service that takes one at a time. */
function together(sent: number): number {
  return sent === EARLY_PAIR ? 2 : Math.ceil(sent * MORE_AT_ONCE);
}

function watch(before: ProbePlan, nowMs: number): readonly [ProbePlan, ProbeAction] {
  const [step] = before.steps;
  // Amid a long burst each single request tells little.
  if (step !== undefined && before.sent > 3) return [before, sendStep(step, before, nowMs)];
  const posterior = weighed(before.posterior);
  const { events } = posterior.transcript;
  const classes = classesOf(posterior);
  const plan = { ...before, posterior, progress: seen(before.progress, classes) };
  const [best] = classes;
  if (best === undefined) return watchTwo(plan, nowMs);
  const settled = best.probability >= MIN_SURE_PROBABILITY && isPrecise(best);
  if (settled && isProven(posterior, best.class)) {
    // Where the service says truly what is left, it would have shown.
    const isDone =
      plan.checks.left === 0 ||
      (posterior.reportsHold && !PUT_OFF.has(best.class)) ||
      wasAsPaced(best, events);
    const isOn = plan.checks.isOn && !isDone;
    if (isOn && step !== undefined) return [plan, sendStep(step, plan, nowMs)];
    if (unexplainedBy(best, events) !== null) return watchTwo(plan, nowMs);
    if (isDone)
      return lastLook(plan, best, nowMs) ?? [plan, { kind: 'stop', reason: 'identified' }];
    if (!isOn) return check(plan, best, nowMs);
  }
  if (plan.progress.still >= MAX_STILL) return [plan, { kind: 'stop', reason: 'no-progress' }];

  const slowMs = slowRoundTripMs(events);
  const last = events.at(-1);
  const doing = (kind: string): ProbePlan => ({
    ...plan,
    progress: begun(plan.progress, kind, classes),
  });
  const crowded = classes.find((one) => one.class === 'concurrency');
  const isCrowdOpen = crowded !== undefined && last?.outcome !== 'failed';
  if (isCrowdOpen && mayBeCrowded(events, crowded.limit)) {
    const { concurrent, pauseMs } = crowdedBurst(events, crowded.limit.hi, classes);
    return [plan, { kind: 'send', waitUntilMs: nowMs + pauseMs, concurrent }];
  }
  if (isCrowdOpen && step === undefined && mayBeShortWindow(events, crowded.limit.hi)) {
    return [plan, { kind: 'send', waitUntilMs: nowMs, concurrent: crowded.limit.hi }];
  }
  const soon = soonAfterBurst(events);
  if (soon !== null)
    return [plan, { kind: 'send', waitUntilMs: Math.max(nowMs, soon), concurrent: 1 }];
  if (step !== undefined) return [plan, sendStep(step, plan, nowMs)];
  // Where the service says truly what is left, it need not be asked twice.
  if (!posterior.reportsHold && justRecovered(events))
    return [plan, { kind: 'send', waitUntilMs: nowMs, concurrent: 1 }];
  const quick = burstAtOnce(best, slowMs, plan.budget.maxConcurrent);
  if (quick !== null && !isIdle(plan.progress, 'quick')) {
    const { concurrent, pauseMs } = quick;
    return [doing('quick'), { kind: 'send', waitUntilMs: nowMs + pauseMs, concurrent }];
  }
  if (settled) {
    const proving = prove(plan, posterior, nowMs, slowMs);
    if (proving !== null) return proving;
  }
  const recovered = last?.outcome !== 'rejected' || hasRecovered(events);
  const all = recovered ? hypothesesOf(posterior, hintOf(events, slowMs), nowMs) : [];
  const found = recovered
    ? bestExperiment(all, {
        nowMs: Math.max(nowMs, nextTokenMs(events, best)),
        slackMs: slowMs + 2,
        perWindow: Math.max(2, 0.06 * best.limit.value),
        windowMs: all[0]?.windowMs ?? 1000,
        made: plan.made,
        isIdle: (name) => isIdle(plan.progress, name),
        most: plan.budget.maxRequests - events.length,
        reportsHold: posterior.reportsHold,
      })
    : null;
  const first = found?.steps[0];
  if (found === null || first === undefined || found.bits < MIN_BITS) {
    return [doing(POLL), nextPoll(posterior, nowMs, slowMs)];
  }
  const steps = found.steps.length > 1 ? found.steps.slice(0, 2) : [first];
  const kind = kindOf(found.steps);
  const made = new Map(plan.made).set(kind, (plan.made.get(kind) ?? 0) + 1);
  const least = leastAt(posterior, burstMs(steps));
  const next = { ...doing(found.name), steps, made, sent: 0, least };
  return [next, sendStep(first, next, nowMs)];
}

/**
 * Asks once more when the limiter that is to be named lets something in again: rejections that came last
 * may be those of another limit. Null where something was let in since, or the time does not last.
 */
function lastLook(
  plan: ProbePlan,
  best: ClassEstimate,
  nowMs: number,
): readonly [ProbePlan, ProbeAction] | null {
  const { transcript, reportsHold } = plan.posterior;
  const { events } = transcript;
  const isSeen = events.at(-1)?.outcome !== 'rejected' || reportsHold;
  const often = plan.made.get(LAST_LOOK) ?? 0;
  if (isSeen || often >= MAX_LAST_LOOKS || best.class === 'concurrency') return null;
  const nextMs = aheadOf(plan, best)?.changes(nowMs)[0];
  const endMs = (events[0]?.sentMs ?? nowMs) + 1000 * plan.budget.maxSeconds;
  if (nextMs === undefined || nextMs >= endMs) return null;
  const atMs = nextMs + slowRoundTripMs(events) + LATE_PART * (nextMs - nowMs);
  const first = { atMs, count: 1 };
  const made = new Map(plan.made).set(LAST_LOOK, often + 1);
  return [{ ...plan, steps: [first], made, sent: 0, least: 0 }, sendStep(first, plan, nowMs)];
}

/** The limiter from now on, with all that it may take as long as it may. */
function aheadOf(
  { posterior }: ProbePlan,
  { class: name, limit }: ClassEstimate,
): Ahead | undefined {
  const [top] = posterior.alternatives.filter(({ candidate }) => candidate.class === name);
  const timeMs = top?.pointMasses[0]?.ms ?? top?.candidate.timeMs.hi ?? 0;
  return top?.candidate.ahead({ limit: limit.value, timeMs, phase: 0.5, refillPart: 0 });
}

/** Sends as a client would that was told what was found; another limit would show. */
function check(
  plan: ProbePlan,
  best: ClassEstimate,
  nowMs: number,
): readonly [ProbePlan, ProbeAction] {
  const steps = pacedSteps(best, nowMs, aheadOf(plan, best));
  const [first] = steps;
  if (first === undefined) return [plan, { kind: 'stop', reason: 'identified' }];
  const next = { ...plan, steps, sent: 0, least: 0, checks: { ...plan.checks, isOn: true } };
  return [next, sendStep(first, next, nowMs)];
}

/** Looks for two limits where no single class is left. */
function watchTwo(plan: ProbePlan, nowMs: number): readonly [ProbePlan, ProbeAction] {
  const { transcript } = plan.posterior;
  const { events } = transcript;
  const found = plan.stack ?? (plan.wasStack ? null : stackOf(transcript));
  if (found === null) return [plan, { kind: 'stop', reason: 'composite' }];
  const stack = { ...found, outer: weighed(found.outer) };
  const next = { ...plan, stack, wasStack: true, steps: [], sent: 0 };
  return [next, nextOfStack(stack, events, nowMs, slowRoundTripMs(events))];
}

/** Begins what proves the best class; null where that was tried often enough, or cannot be done. */
function prove(
  plan: ProbePlan,
  posterior: Posterior,
  nowMs: number,
  slowMs: number,
): readonly [ProbePlan, ProbeAction] | null {
  const { alternatives, reportsHold } = posterior;
  const { events } = posterior.transcript;
  const [best] = [...alternatives].sort((a, b) => b.probability - a.probability);
  const often = plan.made.get(PROOF) ?? 0;
  if (best === undefined || often >= MAX_PROOFS) return null;
  const steps = stepsToProve(best, events, { nowMs, slackMs: slowMs + 2, reportsHold });
  const [first] = steps;
  if (first === undefined) return null;
  const made = new Map(plan.made).set(PROOF, often + 1);
  const next = { ...plan, steps, made, sent: 0, least: leastAt(posterior, burstMs(steps)) };
  return [next, sendStep(first, next, nowMs)];
}
