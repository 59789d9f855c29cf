/** What is done before a class is named: what proves it, a client that keeps below it, a last look. */

import { unrefutedHint } from '../claims/hint.ts';
import type { ClassEstimate } from '../estimate/estimate.ts';
import type { Alternative, Posterior } from '../estimate/posterior.ts';
import type { Ahead } from '../models/ahead.ts';
import { slowRoundTripMs } from '../transcript.ts';
import { pacedSteps } from './paced-check.ts';
import type { ProbeAction } from './pacing.ts';
import type { ProbePlan } from './probe-plan.ts';
import type { Step } from './experiment.ts';
import { opensMs, restToProve, stepsToProve, type Timing } from './proving.ts';
import { burstMs, expectedOf, NOTHING_EXPECTED, sendStep } from './sending.ts';

/** Tries to prove a class, by their name among the experiments. */
const PROOF = 'proof';
const MAX_PROOFS = 8;
/** Of a limit of one request each of them is two requests, and tells as little. */
const MAX_PROOFS_OF_ONE = 16;
const AT_ONCE = 'proof at once';
const MAX_AT_ONCE = 3;
const LAST_LOOK = 'last look';
const MAX_LAST_LOOKS = 3;
/** A moment is known to this part of the time until then. */
const LATE_PART = 0.05;
const AS_ANNOUNCED = 'as announced';
const MAX_AS_ANNOUNCED = 2;

/** Begins what proves the best class; null where that was tried often enough, or cannot be done. */
export function prove(
  plan: ProbePlan,
  posterior: Posterior,
  nowMs: number,
  slowMs: number,
): readonly [ProbePlan, ProbeAction] | null {
  const steps = (best: Alternative): readonly Step[] =>
    stepsToProve(best, posterior.transcript.events, timingOf(posterior, nowMs, slowMs));
  const isOfOne = posterior.alternatives.every(({ candidate }) => candidate.limit.hi === 1);
  const most = isOfOne ? MAX_PROOFS_OF_ONE : MAX_PROOFS;
  return begun(plan, posterior, { name: PROOF, most, steps }, nowMs);
}

/** Proves at once what is likely and could be proven so; null where it could not, or was tried often enough. */
export function proveAtOnce(
  plan: ProbePlan,
  posterior: Posterior,
  nowMs: number,
  slowMs: number,
): readonly [ProbePlan, ProbeAction] | null {
  if (posterior.reportsHold) return null;
  const steps = (best: Alternative): readonly Step[] => {
    const { events } = posterior.transcript;
    const step = restToProve(best, events, timingOf(posterior, nowMs, slowMs));
    return step === null ? [] : [step];
  };
  return begun(plan, posterior, { name: AT_ONCE, most: MAX_AT_ONCE, steps }, nowMs);
}

function timingOf({ reportsHold }: Posterior, nowMs: number, slowMs: number): Timing {
  return { nowMs, slackMs: slowMs + 2, reportsHold };
}

/** A way of proving: its name among the experiments, how often it is tried, and its steps for a class. */
interface Proof {
  readonly name: string;
  readonly most: number;
  readonly steps: (best: Alternative) => readonly Step[];
}

function begun(
  plan: ProbePlan,
  posterior: Posterior,
  { name, most, steps: stepsOf }: Proof,
  nowMs: number,
): readonly [ProbePlan, ProbeAction] | null {
  const [best] = [...posterior.alternatives].sort((a, b) => b.probability - a.probability);
  const often = plan.made.get(name) ?? 0;
  const steps = best === undefined || often >= most ? [] : stepsOf(best);
  const [first] = steps;
  if (first === undefined) return null;
  const made = new Map(plan.made).set(name, often + 1);
  const expected = expectedOf(posterior, burstMs(steps));
  const next = { ...plan, steps, made, sent: 0, expected, isProving: true };
  return [next, sendStep(first, next, nowMs)];
}

/** Sends as a client would that was told what was found; another limit would show. */
export function check(
  plan: ProbePlan,
  best: ClassEstimate,
  nowMs: number,
): readonly [ProbePlan, ProbeAction] {
  const steps = pacedSteps(best, nowMs, aheadOf(plan, best));
  const [first] = steps;
  if (first === undefined) return [plan, { kind: 'stop', reason: 'identified' }];
  const next = {
    ...plan,
    steps,
    sent: 0,
    expected: NOTHING_EXPECTED,
    checks: { ...plan.checks, isOn: true },
  };
  return [next, sendStep(first, next, nowMs)];
}

/**
 * Asks once more when the limiter that is to be named lets something in again: rejections that came last
 * may be those of another limit. Null where something was let in since, or the time does not last.
 */
export function lastLook(
  plan: ProbePlan,
  best: ClassEstimate,
  nowMs: number,
): readonly [ProbePlan, ProbeAction] | null {
  const { transcript, reportsHold } = plan.posterior;
  const { events } = transcript;
  const isSeen = events.at(-1)?.outcome !== 'rejected' || reportsHold;
  const often = plan.made.get(LAST_LOOK) ?? 0;
  if (isSeen || often >= MAX_LAST_LOOKS || best.class === 'concurrency') return null;
  const ahead = aheadOf(plan, best);
  const slowMs = slowRoundTripMs(events);
  const nextMs = ahead === undefined ? undefined : opensMs(ahead, nowMs, slowMs);
  const endMs = (events[0]?.sentMs ?? nowMs) + 1000 * plan.budget.maxSeconds;
  if (nextMs === undefined || nextMs >= endMs) return null;
  const atMs = nextMs + slowMs + LATE_PART * (nextMs - nowMs);
  const first = { atMs, count: 1 };
  const made = new Map(plan.made).set(LAST_LOOK, often + 1);
  return [
    { ...plan, steps: [first], made, sent: 0, expected: NOTHING_EXPECTED },
    sendStep(first, plan, nowMs),
  ];
}

/**
 * Asks when the service said that it lets something in again, where the limiter that is to be named would not
 * yet: an announcement that comes true is what another limit says. Null where both say the same, where
 * announcements are not to be believed, or where they were tried often enough.
 */
export function askAsAnnounced(
  plan: ProbePlan,
  best: ClassEstimate,
  nowMs: number,
): readonly [ProbePlan, ProbeAction] | null {
  const { events } = plan.posterior.transcript;
  const often = plan.made.get(AS_ANNOUNCED) ?? 0;
  const slowMs = slowRoundTripMs(events);
  const hint = unrefutedHint(events, slowMs);
  if (hint === null || hint.anew || hint.toMs <= nowMs || often >= MAX_AS_ANNOUNCED) return null;
  const ahead = aheadOf(plan, best);
  const nextMs = ahead === undefined ? undefined : opensMs(ahead, nowMs, slowMs);
  const lastMs = events.at(-1)?.sentMs ?? nowMs;
  if (nextMs === undefined || hint.toMs + slowMs >= nextMs - LATE_PART * (nextMs - lastMs))
    return null;
  const first = { atMs: hint.toMs, count: 1 };
  const made = new Map(plan.made).set(AS_ANNOUNCED, often + 1);
  return [
    { ...plan, steps: [first], made, sent: 0, expected: NOTHING_EXPECTED },
    sendStep(first, plan, nowMs),
  ];
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
