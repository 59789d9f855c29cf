/** What a probe does next. */

import { reportedLeft } from '../claims/reported-left.ts';
import { shapeOf, type Shape } from '../estimate/shaping.ts';
import { NEVER, type IsOver } from '../is-over.ts';
import { roundTripMs } from '../transcript.ts';
import { paced, spent, spread, type ProbeAction, type ProbeBudget } from './pacing.ts';
import type { ProbePlan } from './probe-plan.ts';
import { MORE_AT_ONCE } from './sending.ts';
import { watch } from './watch.ts';

export type { ProbeAction, ProbeBudget, StopReason } from './pacing.ts';
export { beginProbe, observed, type ProbePlan } from './probe-plan.ts';

export const DEFAULT_BUDGET: ProbeBudget = {
  maxRequests: 1000,
  maxRejects: 40,
  maxSeconds: 1000,
  maxRatePerSecond: 1000,
  maxConcurrent: 20,
};

/** After this many requests two go out at once. */
const EARLY_PAIR = 3;

/** What to do now, and the plan with which to go on; to work that out ends in time as well. */
export function decide(
  plan: ProbePlan,
  nowMs: number,
  isOver: IsOver = NEVER,
): readonly [ProbePlan, ProbeAction] {
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
        : watch(plan, nowMs, isOver);
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
