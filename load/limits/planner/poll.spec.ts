import { describe, expect, test } from 'vitest';
import { prior, learn, weighed } from '../estimate/posterior.ts';
import type { ProbeEvent } from '../transcript.ts';
import { nextPoll } from './poll.ts';

const TRIP_MS = 10;

/** When the next request is sent after these, ms: `+` admitted, `-5` rejected with a wait of 5 s, `-` without. */
function nextAt(text: string): number {
  const events = text.split(' ').map((word): ProbeEvent => {
    const [what = '', at = ''] = word.split('@');
    const sentMs = Number(at) * 1000;
    const times = { sentMs, receivedMs: sentMs + TRIP_MS };
    if (what === '+') return { ...times, outcome: 'admitted' };
    const wait = what.length > 1 ? { retryAfterSeconds: Number(what.slice(1)) } : {};
    return { ...times, outcome: 'rejected', ...wait };
  });
  const posterior = weighed(events.reduce((now, event) => learn(now, [event]), prior()));
  const action = nextPoll(posterior, (events.at(-1)?.receivedMs ?? 0) + 1, TRIP_MS);
  return action.kind === 'send' ? action.waitUntilMs : Infinity;
}

const BURST = '+@0 +@0.1 +@0.12 +@0.14 +@0.16';

describe('a wait of no usual length', () => {
  test('is not obeyed before it was asked whether it is shorter, shortly before its end', () => {
    const atMs = nextAt(`${BURST} -46.43@0.18 -46.43@0.5`);
    expect(atMs).toBeGreaterThan(0.9 * 46_430);
    expect(atMs).toBeLessThan(45_500);
  });

  test('is obeyed where it was', () => {
    expect(nextAt(`${BURST} -47@0.18 -47@0.5 -3@44.5`)).toBeGreaterThan(46_000);
  });

  test('that starts anew with each request is as well', () => {
    const atMs = nextAt(`${BURST} -47@0.18 -47@15`);
    expect(atMs).toBeGreaterThan(0.9 * 47_000);
    expect(atMs).toBeLessThan(46_000);
  });
});

test('a usual window is asked for from the first request on, which tells it from one counted later', () => {
  const polls = [2, 8.5, 20, 45, 75, 121, 150, 170, 178].map((seconds) => `-@${seconds}`).join(' ');
  const atMs = nextAt(`+@0 +@0.5 +@0.52 +@0.54 +@0.56 -@0.58 -@1.1 ${polls}`);
  expect(atMs).toBeGreaterThan(180_000);
  expect(atMs).toBeLessThan(180_100);
});
