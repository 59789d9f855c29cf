import type { Scenario } from '../scenarios/scenario.ts';
import { firstSlot, type Schedule } from '../scenarios/schedule.ts';

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
