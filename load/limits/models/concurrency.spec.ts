import { expect, test } from 'vitest';
import type { ProbeEvent } from '../transcript.ts';
import { concurrency, roundsOf } from './concurrency.ts';

/** Bursts a second apart, each of requests that take 10 ms: `+` admitted, `-` rejected. */
function eventsOf(...bursts: readonly string[]): ProbeEvent[] {
  return bursts.flatMap((text, burst) =>
    Array.from(text, (sign): ProbeEvent => ({
      sentMs: 1000 * burst,
      receivedMs: 1000 * burst + 10,
      outcome: sign === '+' ? 'admitted' : 'rejected',
      burst,
    })),
  );
}

/** Whether a limit on requests at once is left after them. */
function left(...bursts: readonly string[]): boolean {
  return eventsOf(...bursts).reduce((now, event) => now.observe(event), concurrency()).isLeft;
}

test('one too many at once that are all admitted rule out a limit on requests at once', () => {
  expect(left('++-', '++')).toBe(true);
  expect(left('++-', '+++')).toBe(true);
  expect(left('++-', '+++', '++++')).toBe(false);
});

test('one too many of a great limit rule it out, though each is a small part of it, but not at once', () => {
  const cut = `${'+'.repeat(15)}-`;
  const spared = '+'.repeat(16);
  // Where latencies differ, the first is often done before the last comes.
  expect(left(cut, spared, spared, spared, spared)).toBe(true);
  expect(left(cut, ...Array.from({ length: 11 }, () => spared))).toBe(false);
});

test('a burst of as many as the limit is a round, though more got through the one before it', () => {
  const [cut, lucky, full] = [12, 13, 12].map((count) => '+'.repeat(count));
  const rounds = roundsOf(eventsOf(`${cut}-`, full ?? '', `${lucky}-`, full ?? ''));
  expect(rounds).toBe(2);
});

test('one that was done before the last came does not, where bursts are cut again and again', () => {
  expect(left('++-', '++', '++-', '++', '+++', '++-', '++', '+++')).toBe(true);
});

test('bursts before the first rejection say nothing: the service may have grown busy since', () => {
  expect(left('+++', '+++', '+++', '++-')).toBe(true);
});

test('a request that was rejected alone rules it out', () => {
  expect(left('++-', '++', '-')).toBe(false);
  expect(left('++-', '-')).toBe(false);
  expect(left('++-', '++', '+-')).toBe(true);
});

test('a smaller burst that passes is no round: nobody knows whether one more would have', () => {
  expect(roundsOf(eventsOf('+++-', '+++', '+++-', '+'))).toBe(1);
});

test('those of a burst that were done before its last came were not at once', () => {
  const times = [
    [1000, 1005],
    [1001, 1005],
    [1002, 1005],
    [1006, 1016],
    [1007, 1017],
  ] as const;
  const staggered = times.map(([sentMs, receivedMs]): ProbeEvent => {
    return { sentMs, receivedMs, outcome: 'admitted', burst: 1 };
  });
  const events = [...eventsOf('++-'), ...staggered];
  expect(events.reduce((now, event) => now.observe(event), concurrency()).isLeft).toBe(true);
  const together = staggered.map((event) => ({ ...event, receivedMs: 1020 }));
  const others = [...eventsOf('++-'), ...together];
  expect(others.reduce((now, event) => now.observe(event), concurrency()).isLeft).toBe(false);
});

/** The limit that is left after them. */
function limitAfter(...bursts: readonly string[]): unknown {
  const all = eventsOf(...bursts).reduce((now, event) => now.observe(event), concurrency());
  return all.candidates()[0]?.limit;
}

test('the limit is the fewest that got through, where it is the same time and again', () => {
  expect(limitAfter('++++-', '++++', '++++-', '++++', '++++-')).toEqual({ lo: 4, hi: 4 });
  expect(limitAfter('++++-', '++++', '++++-', '++++', '++++-', '+++++')).toMatchObject({ hi: 4 });
});

test('it may be less where as many as got through differ from burst to burst', () => {
  const bursts = [4, 6, 5, 7, 4, 5, 6, 5].flatMap((count) => [`${'+'.repeat(count)}-`, '++++']);
  expect(limitAfter(...bursts)).toEqual({ lo: 1, hi: 4 });
});

test('what passes at once again and again speaks against any window', () => {
  const likelihood = (pauseMs: number): number | undefined => {
    const cut = eventsOf('+++-', '+++', '+++-');
    const row = Array.from({ length: 4 }, (_, at) =>
      eventsOf('+++').map((event) => ({
        ...event,
        sentMs: 2010 + at * (10 + pauseMs),
        receivedMs: 2020 + at * (10 + pauseMs),
        burst: 3 + at,
      })),
    ).flat();
    const all = [...cut, ...row].reduce((now, event) => now.observe(event), concurrency());
    return all.candidates()[0]?.likelihood;
  };
  expect(likelihood(0)).toBe(2 ** (2 + 3));
  expect(likelihood(5)).toBe(2 ** 2);
});
