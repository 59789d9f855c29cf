/** How far a probe is: what was seen, what is under way, and what was tried. */

import { noted, prior, type Posterior } from '../estimate/posterior.ts';
import { stacked, type Stack } from '../estimate/stacked.ts';
import type { ProbeEvent, WallClock } from '../transcript.ts';
import type { ClassEstimate } from '../estimate/estimate.ts';
import type { Step } from './experiment.ts';
import type { ProbeBudget } from './pacing.ts';
import { NO_PROGRESS, type Progress } from './progress.ts';
import type { Upset } from './upset.ts';
import { isEndless, NOTHING_EXPECTED, type Expected } from './sending.ts';

/** How far a probe is. Immutable; `decide` (`plan.ts`) and `observed` answer the next one. */
export interface ProbePlan {
  readonly budget: ProbeBudget;
  readonly posterior: Posterior;
  /** `exhaust`: sending until a rejection · `watch`: looking for what tells classes apart. */
  readonly phase: 'exhaust' | 'watch';
  /** Two limits, once no single class explains what was seen; null until then, or where none do either. */
  readonly stack: Stack | null;
  /** Whether two limits were thought of: once is enough. */
  readonly wasStack: boolean;
  /** The classes when they were weighed last, of how many events, and what one rejection made of them. */
  readonly weighed: { readonly classes: readonly ClassEstimate[]; readonly count: number };
  readonly upset: Upset | null;
  /** How many times what is all but certain is to be checked by a paced client, and whether it is. */
  readonly checks: { readonly left: number; readonly isOn: boolean };
  /** What is left of an experiment; a step with `count` requests ends at the first rejection. */
  readonly steps: readonly Step[];
  /** Whether these steps prove the class that is all but certain, and do not look for another. */
  readonly isProving: boolean;
  /** What was done to learn something, and whether it did. */
  readonly progress: Progress;
  /** How often each kind of experiment was begun. */
  readonly made: ReadonlyMap<string, number>;
  /** Requests of the present step so far. */
  readonly sent: number;
  /** What a burst that was begun is expected to meet. */
  readonly expected: Expected;
}

/** A probe that has sent nothing. */
export function beginProbe(budget: ProbeBudget, wall?: WallClock): ProbePlan {
  return {
    budget,
    posterior: prior(wall),
    phase: 'exhaust',
    steps: [],
    isProving: false,
    progress: NO_PROGRESS,
    stack: null,
    wasStack: false,
    weighed: { classes: [], count: 0 },
    upset: null,
    checks: { left: 1, isOn: false },
    made: new Map(),
    sent: 0,
    expected: NOTHING_EXPECTED,
  };
}

/** The plan after a burst was answered. */
export function observed(plan: ProbePlan, burst: readonly ProbeEvent[]): ProbePlan {
  // Followed once it is weighed, which no burst waits for.
  const posterior = noted(plan.posterior, burst);
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
