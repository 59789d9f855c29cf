/** What to do once something was rejected: looks, proofs, what tells most for its cost, or a poll. */

import { hintOf } from '../claims/hint.ts';
import {
  classesOf,
  isPrecise,
  MIN_SURE_PROBABILITY,
  type ClassEstimate,
} from '../estimate/estimate.ts';
import { weighed } from '../estimate/posterior.ts';
import { hasAccident, isByAccident } from '../estimate/coincidence.ts';
import { AT_ONCE, isProven } from '../estimate/proof.ts';
import { unexplainedBy } from '../estimate/replay.ts';
import { stackOf, weighedStack } from '../estimate/stacked.ts';
import { PUT_OFF } from '../models/model.ts';
import type { IsOver } from '../is-over.ts';
import { slowRoundTripMs } from '../transcript.ts';
import { askAsAnnounced, check, lastLook, prove, proveAtOnce } from './before-naming.ts';
import { bestExperiment, kindOf, UNTIL_REJECTED } from './experiment.ts';
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
import type { ProbeAction } from './pacing.ts';
import { wasAsPaced } from './paced-check.ts';
import { nextPoll } from './poll.ts';
import type { ProbePlan } from './probe-plan.ts';
import { begun, isIdle, MAX_STILL, seen } from './progress.ts';
import { burstMs, expectedOf, nextTokenMs, sendStep } from './sending.ts';
import { isUpset, upsetBy } from './upset.ts';
import { nextOfStack } from './stack-plan.ts';

const POLL = 'poll';
/** Bursts that tell the size of a bucket which refills quickly; so many at most, whatever they tell. */
const QUICK = 'quick';
const MAX_QUICK = 5;
/** A class that is so likely is proven at once where a few requests do. */
const MIN_LIKELY = 0.7;
/** Of a burst these are weighed one by one. */
const EARLY = 3;
/** Experiments that tell less than this, in bits, are not worth a request. */
const MIN_BITS = 0.002;

/** What to do now, and the plan with which to go on. */
export function watch(
  before: ProbePlan,
  nowMs: number,
  isOver: IsOver,
): readonly [ProbePlan, ProbeAction] {
  let [step] = before.steps;
  // Amid a long burst each single request tells little.
  if (step !== undefined && before.sent > EARLY) return [before, sendStep(step, before, nowMs)];
  const posterior = weighed(before.posterior);
  const { events } = posterior.transcript;
  const classes = classesOf(posterior);
  const since = events.slice(before.weighed.count);
  let plan: ProbePlan = {
    ...before,
    ...{ posterior, progress: seen(before.progress, classes) },
    weighed: { classes, count: events.length },
    upset: upsetBy(before.upset, before.weighed.classes, classes, events, since),
  };
  const [best] = classes;
  if (best === undefined) return watchTwo(plan, nowMs, isOver);
  const settled = best.probability >= MIN_SURE_PROBABILITY && isPrecise(best);
  if (settled && isByAccident(best, events)) return watchTwo(plan, nowMs, isOver);
  if (settled && isToldEnough(plan, best))
    [plan, step] = [{ ...plan, steps: [], sent: 0 }, undefined];
  const isSure = best.probability >= MIN_SURE_PROBABILITY && best.limit.lo === best.limit.hi;
  const announced = isSure ? askAsAnnounced(plan, best, nowMs) : null;
  if (announced !== null) return announced;
  const isConfirmed = !isUpset(plan.upset, best, events);
  if (settled && isConfirmed && isProven(posterior, best.class)) {
    // Where the service says truly what is left, it would have shown.
    const isDone =
      plan.checks.left === 0 ||
      (posterior.reportsHold && !PUT_OFF.has(best.class)) ||
      (wasAsPaced(best, events) && !hasAccident(best, events));
    const isOn = plan.checks.isOn && !isDone;
    if (isOn && step !== undefined) return [plan, sendStep(step, plan, nowMs)];
    if (unexplainedBy(best, events) !== null) return watchTwo(plan, nowMs, isOver);
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
  if (!posterior.reportsHold && justRecovered(events, best.limit.hi))
    return [plan, { kind: 'send', waitUntilMs: nowMs, concurrent: 1 }];
  const quick = burstAtOnce(best, slowMs, plan.budget.maxConcurrent);
  const quickly = plan.made.get(QUICK) ?? 0;
  if (quick !== null && !isIdle(plan.progress, QUICK) && quickly < MAX_QUICK) {
    const { concurrent, pauseMs } = quick;
    const next = { ...doing(QUICK), made: new Map(plan.made).set(QUICK, quickly + 1) };
    return [next, { kind: 'send', waitUntilMs: nowMs + pauseMs, concurrent }];
  }
  const atOnce =
    best.probability >= MIN_LIKELY ? proveAtOnce(plan, posterior, nowMs, slowMs) : null;
  if (atOnce !== null) return atOnce;
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
  const expected = expectedOf(posterior, burstMs(steps));
  const next = { ...doing(found.name), steps, made, sent: 0, expected, isProving: false };
  return [next, sendStep(first, next, nowMs)];
}

/**
 * Whether a burst has told the class before the window is used up, which is then better done late in it, as that
 * proves it.
 */
function isToldEnough(
  { steps: [step], isProving, checks }: ProbePlan,
  best: ClassEstimate,
): boolean {
  const isBurst = step?.count === UNTIL_REJECTED && !isProving && !checks.isOn;
  return isBurst && AT_ONCE.has(best.class);
}

/** Looks for two limits where no single class is left. */
function watchTwo(
  plan: ProbePlan,
  nowMs: number,
  isOver: IsOver,
): readonly [ProbePlan, ProbeAction] {
  const { transcript } = plan.posterior;
  const { events } = transcript;
  const [step] = plan.stack === null || events.at(-1)?.outcome === 'rejected' ? [] : plan.steps;
  if (step !== undefined) return [plan, sendStep(step, plan, nowMs)];
  const found = plan.stack ?? (plan.wasStack ? null : stackOf(transcript, isOver));
  if (found === null)
    return [plan, { kind: 'stop', reason: isOver() ? 'max-seconds' : 'composite' }];
  const stack = weighedStack(found);
  const [action, steps] = nextOfStack(stack, transcript, nowMs, slowRoundTripMs(events));
  return [{ ...plan, stack, wasStack: true, steps, sent: 0 }, action];
}
