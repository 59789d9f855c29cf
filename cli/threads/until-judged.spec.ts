import { describe, expect, test } from 'vitest';
import type { InHand } from '../../contracts/judging/judge.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { EXAMPLE_RUN } from '../../reports/example-run.testkit.ts';
import type { Task, TaskEnd } from './task.ts';
import { untilJudged } from './until-judged.ts';
import type { EndedBy } from './watchdog.ts';

const DONE: TaskEnd<RunJson> = { kind: 'done', value: EXAMPLE_RUN };

function ended(by: EndedBy, exchange: number, rule = 0): TaskEnd<RunJson> {
  return { kind: 'ended', by, inHand: { exchange, rule } };
}

/** Judges that end one after another as given, and what each was asked to leave out. */
async function judged(
  ends: readonly TaskEnd<RunJson>[],
  leaveOut?: readonly InHand[],
): Promise<{ readonly end: TaskEnd<RunJson>; readonly leftOut: readonly InHand[][] }> {
  const leftOut: InHand[][] = [];
  const start = (left: readonly InHand[]): Task<RunJson> => {
    const end = ends[leftOut.length] ?? DONE;
    leftOut.push([...left]);
    const nothing = (): void => undefined;
    return { ended: Promise.resolve(end), interrupt: nothing, end: nothing, endBy: nothing };
  };
  return { end: await untilJudged(start, leaveOut), leftOut };
}

describe('judging', () => {
  test('that comes to its end is done once', async () => {
    expect(await judged([DONE])).toEqual({ end: DONE, leftOut: [[]] });
  });

  test.each(['silence', 'memory'] as const)('that ends by %s goes on without that', async (by) => {
    const { end, leftOut } = await judged([ended(by, 7, 3), ended(by, 9), DONE]);
    expect(end).toBe(DONE);
    const first = { exchange: 7, rule: 3 };
    expect(leftOut).toEqual([[], [first], [first, { exchange: 9, rule: 0 }]]);
  });

  test('leaves out from the beginning what the drive stood still at', async () => {
    const known = { exchange: 4, rule: 2 };
    expect((await judged([DONE], [known])).leftOut).toEqual([[known]]);
  });

  test('is given up at the third that does not end', async () => {
    const last = ended('silence', 3);
    const { end, leftOut } = await judged([ended('silence', 1), ended('silence', 2), last, DONE]);
    expect(end).toBe(last);
    expect(leftOut).toHaveLength(3);
  });

  test.each<[string, TaskEnd<RunJson>]>([
    ['time', ended('time', 5, 1)],
    ['request', ended('request', 5, 1)],
    ['silence before the first exchange', ended('silence', 0)],
  ])('ended by %s is not begun again', async (_by, one) => {
    expect(await judged([one, DONE])).toEqual({ end: one, leftOut: [[]] });
  });
});
