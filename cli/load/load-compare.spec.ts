import { describe, expect, test } from 'vitest';
import { parseThreshold } from '../../contracts/run/load/threshold.ts';
import { UsageError } from '../exit-code.ts';
import { compareWithEarlier, partedThresholds } from './load-compare.ts';
import type { CompareLoadInput } from '../tasks/load/compare-load.ts';
import type { TaskEnd } from '../threads/task.ts';
import { TaskFailed } from '../threads/task-failed.ts';

const parted = (
  texts: readonly string[],
  earlier: Parameters<typeof partedThresholds>[1],
): object => {
  const { ofRun, ofComparison } = partedThresholds(texts.map(parseThreshold), earlier);
  return [ofRun, ofComparison].map((some) => some.map(({ expression }) => expression));
};

test('where earlier runs are given, nothing may have become slower, unless somebody says otherwise', () => {
  expect(parted(['p99<1s'], { history: 'a' })).toEqual([['p99<1s'], ['slower==0']]);
  expect(parted(['p99<1s', 'slower<=2'], { baseline: 'a' })).toEqual([['p99<1s'], ['slower<=2']]);
  expect(parted(['p99<1s'], {})).toEqual([['p99<1s'], []]);
});

test('without earlier runs nothing can be said of them', () => {
  const without = (): unknown => parted(['slower==0'], {});
  expect(without).toThrow(UsageError);
  expect(without).toThrow(/slower==0 speaks of earlier runs: give them with --history/);
});

describe('a comparison', () => {
  const input: CompareLoadInput = {
    ...{ earlier: { history: 'nights' }, recordDir: 'nights/own', recordId: 'r' },
    setting: {
      startedAt: new Date(0),
      target: { kind: 'remote', urls: {}, credentials: [] },
    },
    thresholds: [],
  };

  /** Compares with tasks that end so, one after another, and gives what each was given. */
  async function compared(
    ...ends: readonly (TaskEnd<void> | Error)[]
  ): Promise<{ readonly reported: (string | undefined)[]; readonly failure: string | undefined }> {
    const reported: (string | undefined)[] = [];
    const { ended } = compareWithEarlier(input, ({ unread }) => {
      const end = ends[reported.length];
      reported.push(unread);
      if (end === undefined) throw new Error('there is one task too many');
      return {
        ended: end instanceof Error ? Promise.reject(end) : Promise.resolve(end),
        end: () => undefined,
      };
    });
    return { failure: await ended, reported };
  }

  const done: TaskEnd<void> = { kind: 'done', value: undefined };
  const tooMuch: TaskEnd<void> = {
    ...{ kind: 'ended', by: 'memory', inHand: { exchange: 0, rule: 0 } },
  };

  test('that comes to its end is made once', async () => {
    expect(await compared(done)).toEqual({ reported: [undefined], failure: undefined });
  });

  test('that takes too much is reported as not made', async () => {
    expect(await compared(tooMuch, done)).toEqual({
      reported: [undefined, 'reading them took more memory than it may.'],
      failure: undefined,
    });
  });

  test('that Assay fails at leaves what was measured', async () => {
    const failed = await compared(new TaskFailed({ message: 'no such thing' }));
    expect(failed.failure).toBe('no such thing');
  });

  test('that a person can do something about says what', async () => {
    const full = new TaskFailed({ message: 'the disk is full', exit: 4 });
    await expect(compared(full)).rejects.toThrow('the disk is full');
  });
});
