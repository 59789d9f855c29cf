import { expect, test } from 'vitest';
import {
  endOfTask,
  runTaskEnded,
  withoutInterruption,
  withoutMachineFailure,
} from './end-of-task.ts';

const FILES = 'open /tmp/x: too many open files (EMFILE)';
const WORDS = { name: 'load', interrupted: 'what was sent is judged' };

test('a task that this machine failed ends its run early, and is no failure of Assay', async () => {
  const ended = Promise.reject(new Error(FILES));
  expect(await runTaskEnded({ ended })).toEqual({
    kind: 'done',
    value: { cutShort: true, notices: [expect.stringMatching(/^This machine failed.*ulimit -n/)] },
  });
});

test('a task that failed otherwise is a failure of Assay', async () => {
  const ended = Promise.reject(new TypeError('x is undefined'));
  await expect(runTaskEnded({ ended })).rejects.toThrow('x is undefined');
});

test('a failure of this machine is said once, before all else', () => {
  const end = { cutShort: false, notices: ['The budget ended.'], failure: FILES };
  const once = withoutMachineFailure(end);
  expect(once.cutShort).toBe(true);
  expect(once.notices).toEqual([
    expect.stringMatching(/^This machine failed/),
    'The budget ended.',
  ]);
  expect(once.failure).toBeUndefined();
  expect(withoutMachineFailure({ ...once, failure: FILES }).notices).toEqual(once.notices);
});

test('another failure stays what it is', () => {
  const end = { cutShort: false, notices: [], failure: 'x is undefined' };
  expect(withoutMachineFailure(end)).toBe(end);
});

test.each([
  ['time', /time of the run ended before the load did/],
  ['silence', /stood still for 10 seconds/],
  ['memory', /took more memory/],
] as const)('a task that was ended says by what: %s', (by, words) => {
  expect(endOfTask({ kind: 'ended', by, inHand: { exchange: 0, rule: 0 } }, false, WORDS)).toEqual({
    cutShort: true,
    notices: [expect.stringMatching(words)],
  });
});

test('a run that was interrupted twice leaves the words to what is left unjudged', () => {
  const ended = { kind: 'ended', by: 'request', inHand: { exchange: 0, rule: 0 } } as const;
  expect(endOfTask(ended, true, WORDS)).toEqual({ cutShort: true, notices: [] });
});

test.each(['time', 'request'] as const)('a task that was ended by %s says what is lost', (by) => {
  const lost = 'Nothing is known of rates.';
  const ended = { kind: 'ended', by, inHand: { exchange: 0, rule: 0 } } as const;
  for (const isInterrupted of [false, true]) {
    const { notices } = endOfTask(ended, isInterrupted, { ...WORDS, lost });
    expect(notices.at(-1)).toBe(lost);
    expect(notices.join()).not.toContain(WORDS.interrupted);
  }
});

test('of a record that nobody judged, as a person asked twice, nothing else is said', () => {
  const end = {
    cutShort: true,
    notices: ['a', 'The run was interrupted; what was sent is judged.'],
  };
  expect(withoutInterruption(end).notices).toEqual(['a']);
});

test('a run that was interrupted says so beside what it has to say, and does not count as whole', () => {
  const ended = { kind: 'done', value: { cutShort: false, notices: ['a'] } } as const;
  expect(endOfTask(ended, false, WORDS)).toEqual({ cutShort: false, notices: ['a'] });
  expect(endOfTask(ended, true, WORDS)).toEqual({
    cutShort: true,
    notices: ['The run was interrupted; what was sent is judged.', 'a'],
  });
});
