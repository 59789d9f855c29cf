import { expect, test } from 'vitest';
import type { ProbeEvent } from '../../limits/index.ts';
import { envelopeOf } from './envelope.ts';

const at = (receivedMs: number, outcome: ProbeEvent['outcome'] = 'admitted'): ProbeEvent => ({
  sentMs: receivedMs - 1,
  receivedMs,
  outcome,
});

test('the most that any so many seconds let in, for as long as was looked', () => {
  const events = [at(1), at(400), at(900), at(950, 'rejected'), at(1800), at(2300), at(5200)];
  expect(envelopeOf(events)).toEqual([
    { seconds: 1, requests: 3 },
    { seconds: 2, requests: 4 },
    { seconds: 5, requests: 5 },
  ]);
});

test('a second is over after a second', () => {
  expect(envelopeOf([at(0), at(1000), at(2000)])[0]).toEqual({ seconds: 1, requests: 1 });
});

test('of nothing there is none', () => {
  expect(envelopeOf([])).toEqual([]);
  expect(envelopeOf([at(0, 'rejected'), at(1500, 'rejected')])).toEqual([
    { seconds: 1, requests: 0 },
  ]);
});
