import { expect, test } from 'vitest';
import type { ProbeEvent } from '../transcript.ts';
import { isEndless, NOTHING_EXPECTED, sendStep } from './sending.ts';

const all = (text: string): ProbeEvent[] =>
  Array.from(text, (sign, at) => ({
    sentMs: at,
    receivedMs: at + 1,
    outcome: sign === '-' ? 'rejected' : 'admitted',
  }));

test('a step until a rejection ends when far more passed than ever in a row before', () => {
  const before = `${'+'.repeat(15)}-${'+'.repeat(6)}-`;
  const after = (sent: number): boolean => isEndless(all(before + '+'.repeat(sent)), sent);
  expect([after(20), after(50), after(51)]).toEqual([false, false, true]);
});

test('what the step itself sent is no such row', () => {
  const after = (sent: number): boolean => isEndless(all(`+-${'+'.repeat(sent)}`), sent);
  expect([after(22), after(23), after(60)]).toEqual([false, true, true]);
});

test('a burst grows by what comes back while it is sent, and never to more than twice what was sent', () => {
  const events = all('+++');
  const concurrent = (sent: number, perMs: number, tookMs: number): number => {
    const posterior = { transcript: { events } };
    const last = events.at(-1)?.sentMs ?? 0;
    const step = { atMs: 0, count: 100 };
    const action = sendStep(
      step,
      { sent, expected: { least: 0, perMs }, posterior },
      last + tookMs,
    );
    return action.kind === 'send' ? action.concurrent : 0;
  };
  expect([concurrent(10, 1 / 16, 32), concurrent(10, 1 / 16, 4)]).toEqual([6, 1]);
  expect([
    concurrent(10, 1 / 16, 4000),
    concurrent(1, 1 / 16, 40),
    concurrent(2, 1 / 16, 32),
  ]).toEqual([10, 1, 2]);
});

test('a step whose requests go together sends the first alone, then all others at once', () => {
  const concurrent = (sent: number, together?: true): number => {
    const step = { atMs: 100, count: 12, ...(together === undefined ? {} : { together }) };
    const action = sendStep(
      step,
      { sent, expected: NOTHING_EXPECTED, posterior: { transcript: { events: [] } } },
      50,
    );
    return action.kind === 'send' ? action.concurrent : 0;
  };
  expect([concurrent(0, true), concurrent(1, true), concurrent(5, true)]).toEqual([1, 11, 7]);
  expect([concurrent(0), concurrent(1), concurrent(5)]).toEqual([1, 1, 1]);
});
