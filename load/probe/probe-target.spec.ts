/** Long because each test stages a service of its own, and says all that was found of it. */

import { describe, expect, test } from 'vitest';
import type { MeasuredLimit } from '../../contracts/run/run.ts';
import { parseLimit } from '../../fixtures/service/reference/index.ts';
import { drawsOf } from './draws.ts';
import { KEY, stage, withoutLeft } from './world.testkit.ts';

const limits = (zap: string, trade = 'none', tradeKey = 'none') => ({
  limits: { zap: parseLimit(zap), trade: parseLimit(trade), tradeKey: parseLimit(tradeKey) },
});

const metBy = (limits: Awaited<ReturnType<typeof stage>>['limits'], at = 0) =>
  Object.fromEntries(limits[at]?.row.buckets?.map(({ kind, met }) => [kind, met]) ?? []);

const TIMED = new Set(['windowSeconds', 'refillPerSecond']);

/** Within 2 %. */
function near(value: number): unknown {
  return expect.toSatisfy((found: number) => Math.abs(found / value - 1) <= 0.02, `about ${value}`);
}

describe('one bucket', () => {
  test.each([
    ['fixed-window:limit=20,window=10s', { limit: 20, windowSeconds: 10 }],
    ['clock-window:limit=7,window=5s', { limit: 7, windowSeconds: 5 }],
    ['sliding-log:limit=9,window=10s', { limit: 9, windowSeconds: 10 }],
    ['token-bucket:burst=8,refill=2/s', { burst: 8, refillPerSecond: 2 }],
  ])('%s is identified', async (text, values) => {
    const { limits: found, cutShort, notices } = await stage({ options: limits(text) });
    const [algorithm] = text.split(':');
    expect(found[0]?.row).toMatchObject({
      verdict: 'identified',
      algorithms: [algorithm],
      ...Object.fromEntries(
        // Counts are exact; times as exact as a proof asks for.
        Object.entries(values).map(([name, value]) => [
          name,
          TIMED.has(name) ? near(value) : value,
        ]),
      ),
    });
    expect(found[0]?.measurement.waits[0]).toMatchObject({ source: 'body', verdict: 'honest' });
    expect({ cutShort, notices }).toEqual({ cutShort: false, notices: [] });
  });

  test('is told from others: addresses apart, spellings and routes together', async () => {
    const { limits: found } = await stage({
      options: limits('fixed-window:limit=20,window=10s'),
      target: { otherAddress: '127.0.0.2' },
    });
    expect(metBy(found)).toEqual({
      'other-address': 'separate',
      'forged-forwarded-for': 'shared',
      'other-route': 'shared',
      'other-method': 'shared',
      'trailing-slash': 'shared',
      'path-case': 'shared',
    });
    expect(found[0]?.row.failures).toBe('counted');
  });

  test('is told as soon as it is known, and again with what follows', async () => {
    const kept: (readonly MeasuredLimit[])[] = [];
    const { limits: found } = await stage({
      options: limits('fixed-window:limit=20,window=10s'),
      target: { otherAddress: '127.0.0.2' },
      keep: (known) => kept.push(known),
    });
    const [first] = kept[0] ?? [];
    expect(first?.row).toMatchObject({ verdict: 'identified', limit: 20 });
    expect(first?.measurement.fanOut).toEqual([]);
    expect(kept.at(-1)).toEqual(found);
  });

  test('lets a client through that paces itself', async () => {
    const { limits: found } = await stage({
      options: limits('sliding-log:limit=10,window=5s'),
      depth: 'thorough',
    });
    expect(found[0]?.row.scenario).toMatchObject({ held: true, rejected: 0 });
  });
});

test('a service that rejects at random has no known limit, and the run says so', async () => {
  const draw = drawsOf(5);
  const {
    limits: found,
    cutShort,
    notices,
  } = await stage({
    budget: { maxRequests: 300, maxRejects: 40, maxSeconds: 60 },
    answer: () =>
      draw() < 0.2 ? Response.json({ retryAfter: 1 }, { status: 429 }) : Response.json({}),
  });
  expect(['composite', 'ambiguous']).toContain(found[0]?.row.verdict);
  expect(cutShort).toBe(true);
  expect(notices.join(' ')).toContain('its limit is not known: ');
});

test('trade is probed without a key and with one, which has the higher limit', async () => {
  const { limits: found } = await stage({
    options: limits('30/10', '10/5', '25/5'),
    target: {
      apis: ['zap', 'trade'],
      keys: [{ name: 'ASSAY_TRADE_KEY', credential: { bearer: KEY, public: true } }],
    },
  });
  expect(found.map(({ row }) => [row.api, row.scope, row.limit])).toEqual([
    ['zap', 'per client address', 30],
    ['trade', 'per client address', 10],
    ['trade', 'per key ($ASSAY_TRADE_KEY)', 25],
  ]);
  expect(metBy(found, 1)).toMatchObject({ 'with-key': 'separate', 'other-api': 'separate' });
  expect(metBy(found, 2)).toMatchObject({ 'without-key': 'separate' });
});

describe('the end comes early', () => {
  test('when no limit is met', async () => {
    const {
      limits: found,
      cutShort,
      notices,
    } = await stage({
      options: limits('none'),
      budget: { maxRequests: 60 },
    });
    expect(found[0]?.row.verdict).toBe('unlimited-within-budget');
    expect(cutShort).toBe(true);
    expect(notices.join()).toContain('no limit was met');
  });

  test('when the rejections are spent: no more are caused', async () => {
    const { exchanges, cutShort } = await stage({
      options: limits('sliding-log:limit=9,window=60s'),
      budget: { maxRejects: 2 },
    });
    const rejected = exchanges.filter(
      ({ outcome }) => outcome.kind === 'response' && outcome.response.status === 429,
    );
    expect(rejected.length).toBeLessThanOrEqual(2);
    expect(cutShort).toBe(true);
  });

  test.each([
    ['it answers 404', () => new Response('{}', { status: 404 }), 'it answered 404'],
    [
      'a gateway asks for proof',
      () => new Response('{}', { headers: { 'cf-mitigated': 'challenge' } }),
      'challenge',
    ],
    [
      'it asks to wait for hours',
      () =>
        new Response('{"status":429,"code":"RATE_LIMITED"}', {
          status: 429,
          headers: { 'Retry-After': '950' },
        }),
      'more than 900 s need --long',
    ],
  ])('when %s', async (_, answer, why) => {
    const {
      limits: found,
      exchanges,
      cutShort,
    } = await stage({
      options: limits('20/10'),
      answer: (nth) => (nth === 6 ? answer() : undefined),
    });
    expect(exchanges).toHaveLength(6);
    expect(found[0]?.row).toMatchObject({ verdict: 'inconclusive' });
    expect(found[0]?.row.stopped).toContain(why);
    expect(cutShort).toBe(true);
  });

  test.each([
    ['sliding-log:limit=9,window=60s', 20],
    ['penalty-block:limit=20,window=10s,block=1min', 20],
    ['penalty-block:limit=20,window=10s,block=1min', 100],
    ['sliding-counter:limit=20,window=10s', 20],
  ])('when %s takes longer than the %d s of the run, which says so', async (text, maxSeconds) => {
    const { seconds, cutShort, notices, said } = await stage({
      options: limits(text, text),
      target: { apis: ['zap', 'trade'] },
      budget: { maxSeconds },
    });
    expect(seconds).toBeLessThanOrEqual(maxSeconds);
    expect(cutShort).toBe(true);
    expect(notices.join(' ')).toMatch(/was to wait for [\d.]+ s.*had [\d.]+ s left/);
    expect(notices.join(' ')).toMatch(/trade .* (?:nobody knows|would take|had [\d.]+ s left)/);
    const waits = said.flatMap((line) => /(\d+) s of (?:silence|waiting)/.exec(line)?.[1] ?? []);
    expect(waits.filter((wait) => Number(wait) > maxSeconds)).toEqual([]);
  });

  test('in a stage, with what it had found until then', async () => {
    const limit = { options: limits('fixed-window:limit=20,window=10s'), apply: withoutLeft };
    const whole = await stage(limit);
    // The silence before the last stage does not fit any more.
    const {
      limits: found,
      cutShort,
      notices,
      seconds,
    } = await stage({
      ...limit,
      budget: { maxSeconds: Math.floor(whole.seconds) - 1 },
    });
    expect(seconds).toBeLessThan(whole.seconds);
    expect(notices).toHaveLength(1);
    expect(found[0]?.row).toMatchObject({ verdict: 'identified', limit: 20 });
    expect(cutShort).toBe(!notices.join().includes('are left of the budget'));
  });

  test('when it is interrupted, with what is known so far', async () => {
    const ending = new AbortController();
    const {
      limits: found,
      exchanges,
      cutShort,
    } = await stage({
      options: limits('20/10'),
      signal: ending.signal,
      onExchange: ({ id }) => {
        if (id === 'x00025') ending.abort(new Error('interrupted'));
      },
    });
    expect(exchanges.length).toBeLessThan(30);
    expect(found).toHaveLength(1);
    expect(cutShort).toBe(true);
  });
});

test('where refusals may not count, a request that is served is asked in place of the plain one', async () => {
  const { exchanges, said } = await stage({
    options: limits('10/5', '10/5'),
    target: { apis: ['zap', 'trade'] },
    apply: (service) => ({
      ...service,
      fetch: async (api, request, address) => {
        const isEmpty = api === 'trade' && (await request.clone().text()) === '{"data":[]}';
        return isEmpty
          ? Response.json({ code: 'INVALID' }, { status: 400 })
          : service.fetch(api, request, address);
      },
    }),
  });
  expect(said).toContainEqual(expect.stringMatching(/^trade per .* with a quote that is served$/));
  const bodies = exchanges.flatMap(({ api, request: { method, path, body } }) =>
    api === 'trade' && method === 'POST' && path === '/v1/quotes' ? (body?.text ?? '') : [],
  );
  expect(bodies.filter((text) => text === '{"data":[]}')).toHaveLength(2);
  expect(bodies.filter((text) => text.includes('srcToken')).length).toBeGreaterThan(10);
});
