import type { LoadStep, Scenario } from './scenario.ts';

/** When each request of a scenario is due; the same for every engine. */
export interface Schedule {
  /** Requests in all. */
  readonly slots: number;
  readonly seconds: number;
  /** Milliseconds from the start of the run at which slot k, from 0, is due. */
  dueMs(slot: number): number;
  /** The place of the step that a slot belongs to. */
  stepOf(slot: number): number;
}

interface Span {
  readonly step: LoadStep;
  /** Number of its first slot. */
  readonly first: number;
  readonly slots: number;
  readonly beginsMs: number;
}

/**
 * Lays out a scenario: slot k of a step is due when k requests of it should have been sent, so that the
 * first is due at its start. Ends at the ceilings of the scenario.
 */
export function scheduleOf({ steps, ceilings }: Scenario): Schedule {
  const spans: Span[] = [];
  let [first, beginsMs] = [0, 0];
  for (const step of steps) {
    const secondsLeft = ceilings.seconds - beginsMs / 1000;
    const seconds = Math.min(step.seconds, secondsLeft);
    if (seconds <= 0) break;
    const wanted = slotsWithin(step, seconds);
    const slots = Math.min(wanted, ceilings.requests - first);
    spans.push({ step, first, slots, beginsMs });
    first += slots;
    // The first request that the ceiling forbids ends the run.
    beginsMs += 1000 * (slots < wanted ? secondsUntil(step, slots) : seconds);
    if (slots < wanted) break;
  }
  const spanOf = (slot: number): number =>
    spans.findLastIndex(({ first: begin, slots }) => slots > 0 && slot >= begin);
  return {
    slots: first,
    seconds: beginsMs / 1000,
    stepOf: (slot) => Math.max(0, spanOf(slot)),
    dueMs: (slot) => {
      const span = spans[spanOf(slot)];
      if (span === undefined) return 0;
      return span.beginsMs + 1000 * secondsUntil(span.step, slot - span.first);
    },
  };
}

/** Requests that a step should have sent after so many of its seconds; the area under its rate. */
function sentAfter(
  { fromPerSecond, toPerSecond, seconds: whole }: LoadStep,
  seconds: number,
): number {
  const slope = (toPerSecond - fromPerSecond) / whole;
  return fromPerSecond * seconds + (slope * seconds * seconds) / 2;
}

/** Slots that are due before the end; the tolerance keeps 0.1 s at 10/s from becoming two. */
function slotsWithin(step: LoadStep, seconds: number): number {
  return Math.ceil(sentAfter(step, seconds) - 1e-9);
}

/** The inverse of {@link sentAfter}: the root of a quadratic, in the form that loses no digits. */
function secondsUntil({ fromPerSecond, toPerSecond, seconds }: LoadStep, sent: number): number {
  if (sent === 0) return 0;
  const slope = (toPerSecond - fromPerSecond) / seconds;
  const root = Math.sqrt(Math.max(0, fromPerSecond * fromPerSecond + 2 * slope * sent));
  return (2 * sent) / (fromPerSecond + root);
}

/** The slots of one step of a scenario. */
export interface StepSlots {
  /** Place in the scenario. */
  readonly at: number;
  readonly first: number;
  readonly slots: number;
}

/** The steps of a schedule that hold slots, in their order. */
export function stepSlots(schedule: Pick<Schedule, 'slots' | 'stepOf'>): StepSlots[] {
  const steps: StepSlots[] = [];
  for (let first = 0; first < schedule.slots;) {
    const at = schedule.stepOf(first);
    const next = firstSlot(schedule, (slot) => schedule.stepOf(slot) > at);
    steps.push({ at, first, slots: next - first });
    first = next;
  }
  return steps;
}

/** The first slot for which something is so that stays so for all later ones; by halving. */
export function firstSlot(
  { slots }: Pick<Schedule, 'slots'>,
  isSo: (slot: number) => boolean,
): number {
  let [low, high] = [0, slots];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** One step as the schedule lays it out. */
export interface PlannedStep {
  readonly name: string;
  readonly beginsSeconds: number;
  readonly seconds: number;
  /** Number of its first slot. */
  readonly first: number;
  readonly slots: number;
}

/** The steps of a scenario in their schedule, up to its ceilings; those beyond them are left out. */
export function plannedSteps({ steps, ceilings }: Scenario, schedule: Schedule): PlannedStep[] {
  const planned: PlannedStep[] = [];
  let beginsSeconds = 0;
  for (const [at, { name, seconds: whole }] of steps.entries()) {
    const seconds = Math.min(whole, ceilings.seconds - beginsSeconds);
    if (seconds <= 0) break;
    const first = firstSlot(schedule, (slot) => schedule.stepOf(slot) >= at);
    const next = firstSlot(schedule, (slot) => schedule.stepOf(slot) > at);
    planned.push({ name, beginsSeconds, seconds, first, slots: next - first });
    beginsSeconds += seconds;
  }
  return planned;
}

/** How many slots are due before a time, in milliseconds from the start of the run. */
export function slotsBefore(schedule: Schedule, ms: number): number {
  return firstSlot(schedule, (slot) => schedule.dueMs(slot) >= ms);
}
