import { describe, expect, test } from 'vitest';
import { onBothResponses } from '../../fixtures/service/variants/kit.ts';
import { parseLimit } from '../../fixtures/service/reference/index.ts';
import { createClient } from '../../target/transport/client.ts';
import { createRedactor } from '../../target/redaction/redactor.ts';
import { createEventClock } from '../../fixtures/clocks/event-clock.ts';
import { PLAIN } from '../service/ask.ts';
import { createSender } from './sender.ts';
import { createBudgetLeft } from './budget-left.ts';
import { rejectionReading } from './rejections.ts';
import { counting, sceneOf, type Decides } from './exhausted.testkit.ts';
import type { ProbedBucket } from './probing.ts';
import { throttlePattern } from './throttle-pattern.ts';
import { stage, type Staging } from './world.testkit.ts';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';

/** What a gateway in front of the service makes of its rejections. */
const rejecting = (status: number): Staging => ({
  apply: onBothResponses(429, () => new Response('busy', { status })),
  options: {
    limits: {
      zap: parseLimit('fixed-window:limit=8,window=2s'),
      trade: parseLimit('none'),
      tradeKey: parseLimit('none'),
    },
  },
});

describe.each([503, 403])('a limit that rejects with %i', (status) => {
  test('is told to look so, and how to have it counted', async () => {
    const { limits, notices, exchanges, cutShort } = await stage(rejecting(status));
    expect(limits[0]?.row).toMatchObject({ verdict: 'inconclusive' });
    expect(limits[0]?.row.throttledWith).toBeUndefined();
    expect(notices.join('\n')).toContain(`it answered ${status} once 8 requests had been admitted`);
    expect(notices.join('\n')).toContain(`--throttle-status ${status}`);
    expect(exchanges.length).toBeLessThan(16);
    expect(cutShort).toBe(true);
  });
});

test('a limit that rejects with 503 is found where that is said to be a rejection', async () => {
  const { limits, notices, exchanges } = await stage({
    ...rejecting(503),
    throttleStatuses: [503],
    budget: { maxRejects: 60 },
  });
  expect(limits[0]?.row).toMatchObject({
    verdict: 'identified',
    limit: 8,
    windowSeconds: 2,
    throttledWith: [503],
  });
  expect(notices).toEqual([]);
  const rejected = exchanges.filter(
    ({ outcome }) => outcome.kind === 'response' && outcome.response.status === 503,
  );
  expect(rejected.length).toBeLessThanOrEqual(60);
});

test('rejections by another status are counted against the budget', async () => {
  const clock = createEventClock(0);
  const budget = { maxRequests: 9, maxRejects: 2, maxSeconds: 9, maxRatePerSecond: 1000 };
  const client = createClient({
    config: { zapUrl: 'http://zap.test', timeoutMs: 1000, maxBodyBytes: 1000 },
    transport: () =>
      Promise.resolve({ kind: 'response', status: 503, headers: [], body: new Uint8Array() }),
    redactor: createRedactor({}),
    governor: createBudgetLeft(budget, clock),
    clock,
    attempts: 1,
    isThrottled: rejectionReading(TYPED_ERRORS, [503]).isThrottled,
  });
  const sender = createSender(client, 900, rejectionReading(TYPED_ERRORS, [503]));
  for (let sent = 0; sent < 2; sent += 1) {
    expect((await sender(PLAIN.zap)).outcome).toBe('rejected');
  }
  await expect(sender(PLAIN.zap)).rejects.toThrow('2 throttled answers');
});

test('an error of the server now and then ends no probe', async () => {
  const { limits, notices } = await stage({
    options: rejecting(503).options ?? {},
    answer: (nth) => (nth % 40 === 6 ? new Response('{}', { status: 502 }) : undefined),
  });
  expect(notices).toEqual([]);
  expect(limits[0]?.row).toMatchObject({ verdict: 'identified', limit: 8 });
});

describe('errors that stopped a probe look like rejections', () => {
  async function patternOf(decides: Decides, requests: number): Promise<[string, number]> {
    const { probed, probing, asked } = sceneOf({ decides });
    for (let sent = 0; sent < requests; sent += 1) await probing.sender(probed.bucket.plain);
    const reported = asked.map((one) => one.reported);
    const stopped: ProbedBucket = { ...probed, reported, stopped: 'it answered' };
    const pattern = await throttlePattern(stopped, probing);
    return [pattern ?? '', asked.length - requests];
  }
  const window = (ms: number, status: number): Decides => {
    const byWindow = new Map<number, Decides>();
    return (ask, atMs) => {
      const nth = Math.floor(atMs / ms);
      const own = byWindow.get(nth) ?? counting(() => 'all', 5);
      byWindow.set(nth, own);
      return own(ask, atMs) === 429 ? status : 200;
    };
  };

  test.each<[string, Decides, number, string, number]>([
    ['after a burst, over in 2 s', window(1500, 503), 8, 'after 2 s of silence', 1],
    ['after a burst, over in 14 s', window(10_000, 403), 6, 'after 14 s of silence', 2],
    ['after a burst, not over in 14 s', window(60_000, 503), 8, '', 2],
    ['from the first one on', () => 503, 3, '', 0],
    ['other errors now and then', (_, atMs) => (atMs % 35 < 7 ? 500 : 200), 16, '', 0],
    ['a status of no limit', window(1500, 401), 6, '', 0],
  ])('%s', async (_, decides, requests, says, more) => {
    const [pattern, asked] = await patternOf(decides, requests);
    if (says === '') expect(pattern).toBe('');
    else expect(pattern).toContain(says);
    expect(asked).toBe(more);
  });
});
