import { describe, expect, test } from 'vitest';
import { createEventClock } from '../service/bench/event-clock.ts';
import type { Told } from './courier.ts';
import type { ProbedBucket } from './probing.ts';
import { createPurse, WaitTooLong } from './purse.ts';
import { obey } from './wait-cycle.ts';

const START_MS = 1_000_000;

function rejected(atMs: number): Told {
  return {
    sentMs: atMs,
    receivedMs: atMs + 5,
    receivedEpochMs: atMs + 5,
    outcome: 'rejected',
    retryAfterSeconds: 8,
    headers: [],
    json: undefined,
    status: 429,
    failure: '',
    witness: {
      id: 'x00001',
      request: { method: 'GET', url: 'http://zap.test/', path: '/', headers: [], body: null },
    },
  };
}

/** Obeys a rejection that asks for 8 s, each time it is rejected anew. */
async function obeyed(maxSeconds: number) {
  const clock = createEventClock(START_MS);
  const { signal } = new AbortController();
  const budget = { maxRequests: 9, maxRejects: 9, maxSeconds, maxRatePerSecond: 1000 };
  const purse = createPurse(budget, clock, signal);
  const courier = (): Promise<Told> => Promise.resolve(rejected(clock.nowMs()));
  const probed = { bucket: { plain: {} }, fullSeconds: 10 } as unknown as ProbedBucket;
  const probing = { courier, clock, purse, signal, say: () => undefined, random: () => 0 };
  const found = await obey(probed, probing, [rejected(START_MS)]);
  return { ...found, seconds: (clock.nowMs() - START_MS) / 1000 };
}

describe('a client that obeys', () => {
  test('waits as often as there is time for it', async () => {
    const { told, ending, seconds } = await obeyed(60);
    expect(told).toHaveLength(4);
    expect(ending).toBeUndefined();
    expect(seconds).toBeCloseTo(24, 0);
  });

  test('begins no wait that does not fit, and keeps what it has seen', async () => {
    const { told, ending, seconds } = await obeyed(12);
    expect(told).toHaveLength(2);
    expect(ending).toBeInstanceOf(WaitTooLong);
    expect(ending?.message).toBe(
      'the wait that it announced would take 8 s, and --max-seconds leaves 4 s.',
    );
    expect(seconds).toBeCloseTo(8, 0);
  });
});
