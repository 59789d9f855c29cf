/** Whether what a probe does tells it something: what told nothing three times is not done a fourth time. */

import type { ClassEstimate } from '../estimate/estimate.ts';

/**
 * What was done last, the posterior then, and how often each kind of thing told nothing since it last
 * did.
 */
export interface Progress {
  readonly last: { readonly kind: string; readonly classes: readonly ClassEstimate[] } | null;
  readonly idle: ReadonlyMap<string, number>;
  /** How many things in a row told nothing. */
  readonly still: number;
}

export const NO_PROGRESS: Progress = { last: null, idle: new Map(), still: 0 };

/** A kind of experiment may tell nothing at most this often. */
export const MAX_IDLE = 3;
/** This many things of any kind in a row that tell nothing end a probe. */
export const MAX_STILL = 14;
/**
 * Probabilities, and binary orders of magnitude of a parameter by the probability of its class: less is
 * nothing.
 */
const MIN_REPORTED = 0.001;

/** The progress after what was done last, by what is believed now. */
export function seen(progress: Progress, classes: readonly ClassEstimate[]): Progress {
  const { last, idle, still } = progress;
  if (last === null) return progress;
  const isReported = reportedBetween(last.classes, classes) >= MIN_REPORTED;
  const often = isReported ? 0 : (idle.get(last.kind) ?? 0) + 1;
  return {
    last: null,
    idle: new Map(idle).set(last.kind, often),
    still: isReported ? 0 : still + 1,
  };
}

/** The progress when something is begun. */
export function begun(
  progress: Progress,
  kind: string,
  classes: readonly ClassEstimate[],
): Progress {
  return { ...progress, last: { kind, classes } };
}

/** Whether a kind of experiment told nothing so often that it is not tried again. */
export function isIdle({ idle }: Progress, kind: string): boolean {
  return (idle.get(kind) ?? 0) >= MAX_IDLE;
}

/**
 * By how much two posteriors differ: in the probabilities of classes, and in what their parameters can
 * be.
 */
function reportedBetween(
  before: readonly ClassEstimate[],
  after: readonly ClassEstimate[],
): number {
  const names = new Set([...before, ...after].map((one) => one.class));
  return [...names].reduce((sum, name) => {
    const [a, b] = [before, after].map((all) => all.find((one) => one.class === name));
    const probability = Math.abs((a?.probability ?? 0) - (b?.probability ?? 0));
    if (a === undefined || b === undefined) return sum + probability;
    return (
      sum + probability + Math.min(a.probability, b.probability) * Math.min(1, movedBetween(a, b))
    );
  }, 0);
}

function movedBetween(a: ClassEstimate, b: ClassEstimate): number {
  const pairs = [
    [a.limit, b.limit],
    [a.windowSeconds, b.windowSeconds],
    [a.penaltySeconds, b.penaltySeconds],
    [a.refill, b.refill],
  ] as const;
  return pairs.reduce((sum, [one, other]) => {
    if (one === undefined || other === undefined) return sum;
    return sum + Math.abs(Math.log2(one.lo / other.lo)) + Math.abs(Math.log2(one.hi / other.hi));
  }, 0);
}
