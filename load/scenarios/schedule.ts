import type { LoadStep, Scenario } from './scenario.ts';

/** One step as a schedule lays it out. */
export interface PlannedStep {
  readonly name: string;
  readonly beginsSeconds: number;
  readonly seconds: number;
  /** Number of its first slot. */
  readonly first: number;
  readonly slots: number;
}

/** When each request of a scenario is due; the same for every engine. */
export interface Schedule {
  /** Requests in all. */
  readonly slots: number;
  readonly seconds: number;
  /** Those of the scenario, in their order; some may hold no slots. */
  readonly steps: readonly PlannedStep[];
  /** Milliseconds from the start of the run at which slot k, from 0, is due. */
  dueMs(slot: number): number;
  /** The place of the step that a slot belongs to. */
  stepOf(slot: number): number;
}

/**
 * Lays out a scenario: slot k of a step is due when k requests of it should have been sent, so that the
 * first is due at its start.
 */
export function scheduleOf({ steps: all }: Pick<Scenario, 'steps'>): Schedule {
  const steps: (PlannedStep & { readonly step: LoadStep })[] = [];
  let [first, beginsSeconds] = [0, 0];
  for (const step of all) {
    const { name, seconds } = step;
    // The tolerance keeps 0.1 s at 10/s from becoming two.
    const asked = ((step.fromPerSecond + step.toPerSecond) / 2) * seconds;
    const slots = Math.max(0, Math.ceil(asked - 1e-9));
    steps.push({ name, beginsSeconds, seconds, first, slots, step });
    first += slots;
    beginsSeconds += seconds;
  }
  const stepOf = (slot: number): number =>
    Math.max(
      0,
      steps.findLastIndex((one) => one.slots > 0 && slot >= one.first),
    );
  return {
    ...{ slots: first, seconds: beginsSeconds, steps, stepOf },
    dueMs: (slot) => {
      const planned = steps[stepOf(slot)];
      if (planned === undefined) return 0;
      return 1000 * (planned.beginsSeconds + secondsUntil(planned.step, slot - planned.first));
    },
  };
}

/** How much is sent, and in what time if that is known before. */
export function requestsWords(
  { pacer }: Pick<Scenario, 'pacer'>,
  { slots, seconds }: Pick<Schedule, 'slots' | 'seconds'>,
): string {
  return pacer === 'saturation'
    ? `${slots} requests, each as soon as an answer came`
    : `${slots} requests in ${Math.round(seconds)} s`;
}

/** When a step should have sent so many requests: the root of a quadratic, in the form that loses no digits. */
function secondsUntil({ fromPerSecond, toPerSecond, seconds }: LoadStep, sent: number): number {
  if (sent === 0) return 0;
  const slope = (toPerSecond - fromPerSecond) / seconds;
  const root = Math.sqrt(Math.max(0, fromPerSecond * fromPerSecond + 2 * slope * sent));
  return (2 * sent) / (fromPerSecond + root);
}

/** How many slots are due before a time, in milliseconds from the start of the run. */
export function slotsBefore(schedule: Schedule, ms: number): number {
  return firstOf(schedule.slots, (slot) => schedule.dueMs(slot) >= ms);
}

/** The first of so many places for which something is so that stays so for all later ones; by halving. */
function firstOf(places: number, isSo: (place: number) => boolean): number {
  let [low, high] = [0, places];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
