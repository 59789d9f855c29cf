/** The relations by which exchanges of a load run are marked. */

import type { Relation } from '../../wire/exchange.ts';

/** The kind of relation that marks the sample of all answers in the record of a load run. */
export const LOAD_SAMPLE = 'load-sample';

/**
 * The kind of relation of requests that are sent again after the wait that they were asked for: all of one
 * client in one group, each request by its role.
 */
export const COME_BACK = 'come-back';

/** Marks a request of a scenario whose throttled requests come back, the first sending too. */
export function comeBackMark(client: number, slot: number): Relation {
  return { kind: COME_BACK, group: `client-${client}`, role: `slot-${slot}` };
}

/** Marks an answer of the sample. */
export function sampleMark(step: number): Relation {
  return { kind: LOAD_SAMPLE, group: `step-${step}`, role: 'sample' };
}

/** The kind of the mark of an answer whose name another answer of the load had given to something else. */
export const LOAD_NAME = 'load-name';

/** Marks an answer that repeats a name, by the rule on that: which answer gave it first is not kept. */
export function nameMark(rule: string): Relation {
  return { kind: LOAD_NAME, group: rule, role: 'again' };
}
