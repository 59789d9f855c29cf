import { describe, expect, test } from 'vitest';
import type { HeaderList } from '../../contracts/wire/exchange.ts';
import type { Clock } from '../../target/budget/clock.ts';
import { failed, type TransportResult } from '../../target/transport/transport.ts';
import { stage, TIMEOUT_MS } from './world.testkit.ts';

type Reply = (nth: number, clock: Clock) => TransportResult | Promise<TransportResult>;

const BUDGET = { maxRequests: 150, maxRejects: 30, maxSeconds: 20, maxRatePerSecond: 1000 };
/** Requests of one burst that are on their way when the last rejection comes. */
const ON_THEIR_WAY = 6;
const DIGITS = '9'.repeat(10_000);

function answer(status: number, headers: HeaderList = [], body = '{}'): TransportResult {
  return { kind: 'response', status, headers, body: Buffer.from(body) };
}

/** @param retryAfter as it stands in the body */
function throttled(retryAfter?: string, headers: HeaderList = []): TransportResult {
  const wait = retryAfter === undefined ? '' : `,"retryAfter":${retryAfter}`;
  return answer(429, headers, `{"status":429,"code":"RATE_LIMITED"${wait}}`);
}

/** Some are admitted first, then all are rejected. */
const after = (admitted: number, rejection: TransportResult): Reply => {
  return (nth) => (nth <= admitted ? answer(200) : rejection);
};
const late = (ms: number, result: TransportResult): Reply => {
  return async (_, clock) => {
    await clock.sleep(ms);
    return result;
  };
};
const field = (value: string): TransportResult => throttled(undefined, [['Retry-After', value]]);
const list = (count: number, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index)).join(', ');
const policies: HeaderList = [
  ['RateLimit-Policy', list(10_000, (index) => `"p${index}";q=${index + 1};w=60`)],
  ['RateLimit', list(10_000, (index) => `"p${index}";r=${index};t=1`)],
];
const fields: HeaderList = Array.from({ length: 2_000 }, (_, index) => [
  `X-RateLimit-Limit-a${index}`,
  '5',
]);
/** From 0 to 15, by no rule that a limiter has. */
const drawn = (nth: number): number => Math.imul(nth, 0x9e3779b1) >>> 28;

describe('a probe ends in its time, inside its budget, though the target', () => {
  test.each<[string, Reply]>([
    ['never answers', late(TIMEOUT_MS, failed('timeout', 'no response'))],
    ['never ends a body', late(TIMEOUT_MS, failed('timeout', 'the response was not complete'))],
    ['breaks off', () => failed('closed', 'reset')],
    ['sends elsewhere', () => answer(302, [['Location', '/']])],
    ['takes 9 s for each answer', late(9_000, answer(200))],
    ['takes 9 s for each rejection', late(9_000, throttled('5'))],
    ['admits all at once', () => answer(200)],
    ['rejects all', () => throttled()],
    ['asks for 1e9 s', after(9, throttled('1e9'))],
    ['asks for 1e400 s', after(9, throttled('1e400'))],
    ['asks for -1 s', after(9, throttled('-1'))],
    ['asks for 0.001 s', after(9, throttled('0.001'))],
    ['asks for no number', after(9, throttled('"NaN"'))],
    ['asks for 10,000 digits', after(9, throttled(DIGITS))],
    ['asks for a fraction of 10,000 digits', after(9, throttled(`0.${DIGITS}`))],
    ['asks for 20 min in a field', after(9, field('1200'))],
    ['asks for the year 9999', after(9, field('Fri, 31 Dec 9999 23:59:59 GMT'))],
    ['asks for a field of 10,000 digits', after(9, field(DIGITS))],
    ['asks for a negative field', after(9, field('-5'))],
    ['answers by turns', (nth) => (nth % 2 === 1 ? answer(200) : throttled('1'))],
    ['rejects every third', (nth) => (nth % 3 === 0 ? throttled('0.5') : answer(200))],
    ['answers by chance', (nth) => (drawn(nth) < 10 ? answer(200) : throttled('2'))],
    ['has 10,000 policies', (nth) => (nth > 9 ? throttled('1', policies) : answer(200, policies))],
    ['has 2,000 fields', () => answer(200, fields)],
    ['claims another limit each time', (nth) => answer(200, [['X-RateLimit-Limit', `${nth}`]])],
  ])('%s', async (_, reply) => {
    const { seconds, exchanges, limits, said } = await stage({
      reply: async (nth, clock) => reply(nth, clock),
      target: { apis: ['zap', 'trade'], otherAddress: '127.0.0.2' },
      budget: BUDGET,
      depth: 'thorough',
    });
    expect(seconds).toBeLessThanOrEqual(BUDGET.maxSeconds + TIMEOUT_MS / 1000);
    expect(exchanges.length).toBeLessThanOrEqual(BUDGET.maxRequests);
    const rejected = exchanges.filter(
      ({ outcome }) => outcome.kind === 'response' && outcome.response.status === 429,
    );
    expect(rejected.length).toBeLessThan(BUDGET.maxRejects + ON_THEIR_WAY);
    const claims = limits.flatMap(({ row }) => row.headerClaims ?? []);
    expect(claims.length).toBeLessThanOrEqual(2 * 25);
    expect(said.join().length).toBeLessThan(5_000);
  });

  test('never answers, of which no limit is said', async () => {
    const reply: Reply = late(TIMEOUT_MS, failed('timeout', 'no response'));
    const { limits, notices, cutShort } = await stage({
      reply: async (nth, clock) => reply(nth, clock),
      budget: BUDGET,
    });
    expect(limits[0]?.row.verdict).toBe('inconclusive');
    expect(notices).toEqual([
      'zap per client address: its share of --max-seconds ended before the limit was known.',
    ]);
    expect(cutShort).toBe(true);
  });
});
