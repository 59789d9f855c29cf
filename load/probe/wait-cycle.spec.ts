import { describe, expect, test } from 'vitest';
import { createEventClock } from '../../fixtures/clocks/event-clock.ts';
import type { Reported } from './sender.ts';
import { sceneOf, TEN } from './exhausted.testkit.ts';
import type { ProbedBucket } from './probing.ts';
import { createBudgetLeft, WaitTooLong } from './budget-left.ts';
import { failFirst } from './failures-count.ts';
import { waitsOf } from './wait-cycle.ts';

const START_MS = 1_000_000;

function rejected(atMs: number): Reported {
  return {
    sentMs: atMs,
    receivedMs: atMs + 5,
    receivedEpochMs: atMs + 5,
    outcome: 'rejected',
    retryAfterSeconds: 8,
    headers: [],
    json: undefined,
    bodyWait: 8,
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
  const budgetLeft = createBudgetLeft(budget, clock, signal);
  const sender = (): Promise<Reported> => Promise.resolve(rejected(clock.nowMs()));
  const probed = { bucket: { plain: {} }, fullSeconds: 10 } as unknown as ProbedBucket;
  const probing = { sender, clock, budgetLeft, signal, say: () => undefined, random: () => 0 };
  const found = await waitsOf(probed, probing, [rejected(START_MS)]);
  return { ...found, seconds: (clock.nowMs() - START_MS) / 1000 };
}

describe('a client that obeys', () => {
  test('waits as often as there is time for it', async () => {
    const { reported, ending, seconds } = await obeyed(60);
    expect(reported).toHaveLength(6);
    expect(ending).toBeUndefined();
    expect(seconds).toBeCloseTo(33, 0);
  });

  test('begins no wait that does not fit, and keeps what it has seen', async () => {
    const { reported, ending, seconds } = await obeyed(12);
    expect(reported).toHaveLength(3);
    expect(ending).toBeInstanceOf(WaitTooLong);
    expect(ending?.message).toBe(
      'the wait that it announced would take 8 s, and --max-seconds leaves 3 s.',
    );
    expect(seconds).toBeCloseTo(9, 0);
  });
});

test('what announces no wait is not waited for', async () => {
  const { probed, probing } = sceneOf({ decides: () => 429 });
  const startedMs = probing.clock.nowMs();
  await waitsOf(probed, probing, []);
  expect(probing.clock.nowMs() - startedMs).toBeLessThan(100);
});

describe('a cycle', () => {
  /** What a cycle asks of a limit of ten in a minute, when in seconds, by the route. */
  async function cycle(
    waitSeconds: (atMs: number, rejections: number) => number,
    { limit = 10, failing = 400 }: { limit?: number; failing?: number } = {},
  ): Promise<{ readonly asked: readonly string[]; readonly failures: number }> {
    let [count, rejections] = [0, 0];
    const { probed, probing, asked } = sceneOf({
      estimate: { ...TEN, limit },
      decides: ({ method }, atMs) => {
        if (method === 'POST') return failing;
        count += 1;
        if (count <= limit || atMs >= 60_000) return 200;
        rejections += 1;
        const wait = String(waitSeconds(atMs, rejections));
        return { status: 429, headers: [['Retry-After', wait]] };
      },
    });
    const failures = await failFirst(probed, probing);
    await waitsOf(probed, probing, []);
    const [first] = asked;
    const startMs = first?.reported.sentMs ?? 0;
    return {
      failures,
      asked: asked.map(
        ({ ask: { method }, reported: { sentMs } }) =>
          `${method} ${Math.round((sentMs - startMs) / 1000)}`,
      ),
    };
  }
  const rejectedAt = (asked: readonly string[], limit = 10): string[] =>
    asked.filter((one) => one.startsWith('GET')).slice(limit);
  const untilEnd = (atMs: number): number => Math.ceil((60_000 - atMs) / 1000);

  test('asks right after the limit, 2 s later, a second before the end, and after it', async () => {
    const { asked } = await cycle(untilEnd);
    expect(rejectedAt(asked)).toEqual(['GET 0', 'GET 2', 'GET 59', 'GET 60']);
  });

  test('moves the end where asking has put it off', async () => {
    const { asked } = await cycle(() => 30);
    // 30 s after the second rejection, but a second.
    expect(rejectedAt(asked).slice(0, 3)).toEqual(['GET 0', 'GET 2', 'GET 31']);
  });

  test('does not obey a wait beyond all measure', async () => {
    const { asked } = await cycle(() => 600);
    const last = Number(asked.at(-1)?.slice(4));
    expect(last).toBeLessThan(70);
  });

  test('sends three requests that fail first, or as many as leave room', async () => {
    const failed = (asked: readonly string[]): number =>
      asked.filter((one) => one.startsWith('POST')).length;
    expect(failed((await cycle(untilEnd)).asked)).toBe(3);
    expect(failed((await cycle(untilEnd, { limit: 3 })).asked)).toBe(2);
  });

  test('does not take for a failure what is served', async () => {
    const { asked, failures } = await cycle(untilEnd, { failing: 200 });
    expect(asked.filter((one) => one.startsWith('POST'))).toHaveLength(1);
    expect(failures).toBe(0);
    expect((await cycle(untilEnd)).failures).toBe(3);
  });
});
