import type { InHand } from '../../contracts/judging/judge.ts';
import type { Task, TaskEnd } from './task.ts';

/** A judge may be ended by an exchange at most this often before judging is given up. */
const MAX_JUDGES = 3;

/**
 * Judges until it comes to an end: what a judge stood still at, or ran out of memory with, the next
 * one leaves out.
 *
 * @param start begins a judge that leaves these out
 */
export async function untilJudged<Judged>(
  start: (leaveOut: readonly InHand[]) => Task<Judged>,
  leaveOut: readonly InHand[] = [],
): Promise<TaskEnd<Judged>> {
  const left = [...leaveOut];
  for (let judges = 1; ; judges += 1) {
    const ended = await start(left).ended;
    if (ended.kind === 'done' || judges === MAX_JUDGES) return ended;
    const { by, inHand } = ended;
    const isStuck = by === 'silence' || by === 'memory';
    if (!isStuck || (inHand.exchange === 0 && inHand.rule === 0)) return ended;
    left.push(inHand);
  }
}
