import type { Schedule } from './schedule.ts';

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
    const next = firstBeyond(schedule, at, first);
    steps.push({ at, first, slots: next - first });
    first = next;
  }
  return steps;
}

/** The first slot after one that is of a later step; by halving. */
function firstBeyond(
  { slots, stepOf }: Pick<Schedule, 'slots' | 'stepOf'>,
  step: number,
  from: number,
): number {
  let [low, high] = [from, slots];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (stepOf(middle) > step) high = middle;
    else low = middle + 1;
  }
  return low;
}
