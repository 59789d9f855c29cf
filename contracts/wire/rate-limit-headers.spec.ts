import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HeaderList } from './exchange.ts';
import { readRateLimitHeaders } from './rate-limit-headers.ts';

const seconds = (raw: number): { raw: number; text: string } => ({ raw, text: String(raw) });

describe('well-formed fields', () => {
  test.each<[string, HeaderList, unknown[]]>([
    [
      'none',
      [
        ['Content-Type', 'application/json'],
        ['RateLimit-Other', '?'],
      ],
      [],
    ],
    [
      'X-RateLimit',
      [
        ['X-RateLimit-Limit', '100'],
        ['x-ratelimit-remaining', '7'],
        ['X-RateLimit-Reset', '1767225600.5'],
        ['X-RateLimit-Used', '93'],
      ],
      [
        {
          family: 'x-ratelimit',
          policies: [{ limit: 100 }],
          remaining: 7,
          reset: seconds(1767225600.5),
        },
      ],
    ],
    [
      'X-Rate-Limit',
      [
        ['X-Rate-Limit-Limit', '100'],
        ['X-Rate-Limit-Reset', '9'],
      ],
      [{ family: 'x-rate-limit', policies: [{ limit: 100 }], reset: seconds(9) }],
    ],
    [
      'X-RateLimit by window',
      [
        ['X-RateLimit-Limit-Minute', '10'],
        ['X-RateLimit-Remaining-Minute', '9'],
        ['X-RateLimit-Limit-Tokens', '50'],
      ],
      [
        {
          family: 'x-ratelimit',
          name: 'minute',
          policies: [{ name: 'minute', limit: 10, windowSeconds: 60 }],
          remaining: 9,
        },
        { family: 'x-ratelimit', name: 'tokens', policies: [{ name: 'tokens', limit: 50 }] },
      ],
    ],
    [
      'RateLimit of -03, policies in the limit',
      [
        ['RateLimit-Limit', '10, 10;w=1, 50;w=60;comment="a, b"'],
        ['RateLimit-Remaining', '3'],
        ['RateLimit-Reset', '1'],
      ],
      [
        {
          family: 'separate',
          policies: [
            { limit: 10, windowSeconds: 1 },
            { limit: 50, windowSeconds: 60 },
          ],
          remaining: 3,
          reset: seconds(1),
        },
      ],
    ],
    [
      'RateLimit of -06, policy beside it',
      [
        ['RateLimit-Policy', '100;w=60'],
        ['RateLimit-Limit', '100'],
      ],
      [{ family: 'separate', policies: [{ limit: 100, windowSeconds: 60 }] }],
    ],
    [
      'RateLimit of -07',
      [
        ['RateLimit', 'limit=100, remaining=50, reset=5'],
        ['RateLimit-Policy', '100;w=60'],
        ['RateLimit-Policy', '1000;w=3600'],
      ],
      [
        {
          family: 'combined',
          policies: [
            { limit: 100, windowSeconds: 60 },
            { limit: 1000, windowSeconds: 3600 },
          ],
          remaining: 50,
          reset: seconds(5),
        },
      ],
    ],
    [
      'a policy of -06 alone',
      [['RateLimit-Policy', '100;w=60']],
      [{ family: 'separate', policies: [{ limit: 100, windowSeconds: 60 }] }],
    ],
    [
      'a quota of requests at once, of which no reading is made',
      [
        ['RateLimit-Policy', '"at once";q=8;w=60;qu="concurrent-requests"'],
        ['RateLimit', '"at once";r=7;t=1'],
      ],
      [],
    ],
    [
      'RateLimit of -10',
      [
        ['RateLimit-Policy', '"burst";q=100;w=60,"daily";q=1000;w=86400;pk=:YWI=:;qu="requests"'],
        ['RateLimit', '"burst";r=50;t=30, "other";r=1'],
      ],
      [
        {
          family: 'structured',
          name: 'burst',
          policies: [{ name: 'burst', limit: 100, windowSeconds: 60 }],
          remaining: 50,
          reset: seconds(30),
        },
        {
          family: 'structured',
          name: 'daily',
          policies: [{ name: 'daily', limit: 1000, windowSeconds: 86_400, partitionKey: ':YWI=:' }],
        },
        { family: 'structured', name: 'other', policies: [], remaining: 1 },
      ],
    ],
    [
      'two families at once',
      [
        ['X-RateLimit-Limit', '5'],
        ['RateLimit', 'limit=5'],
        ['RateLimit-Policy', '5;w=1'],
      ],
      [
        { family: 'x-ratelimit', policies: [{ limit: 5 }] },
        { family: 'combined', policies: [{ limit: 5, windowSeconds: 1 }] },
      ],
    ],
  ])('%s', (_, headers, readings) => {
    expect(readRateLimitHeaders(headers)).toEqual({ readings, malformed: [] });
  });
});

describe('malformed fields', () => {
  test.each<[string, string, string, unknown]>([
    ['X-RateLimit-Limit', 'many', 'the limit is no number: many', { policies: [] }],
    ['X-RateLimit-Limit', '', 'the field states no limit', { policies: [] }],
    ['X-RateLimit-Remaining', '-1', 'the value is negative: -1', { remaining: -1 }],
    ['X-RateLimit-Remaining', '1, 2', 'the value is no number: 1, 2', {}],
    ['X-RateLimit-Reset', '6m0s', 'the value is no number: 6m0s', {}],
    ['RateLimit-Reset', '1.5', 'the value is no whole number: 1.5', { reset: seconds(1.5) }],
    ['RateLimit-Limit', '1;w=x', 'the window is no number: x', { policies: [{ limit: 1 }] }],
    ['RateLimit', 'remaining=1', 'the limit is missing', { remaining: 1 }],
    ['RateLimit', 'limit="1"', 'limit is no number: 1', { policies: [] }],
    ['RateLimit', 'burst;r=1', 'the name is no quoted string: burst', { remaining: 1 }],
    ['RateLimit', '"burst";t=1', 'r of burst is missing', { reset: seconds(1) }],
    ['RateLimit', '"burst";r', 'r of burst is no number: ?1', {}],
    ['RateLimit-Limit', '9'.repeat(400), `the limit is no number: ${'9'.repeat(400)}`, {}],
  ])('%s: %s', (name, value, why, expected) => {
    const report = readRateLimitHeaders([[name, value]]);
    expect(report.readings).toMatchObject([expected]);
    expect(report.malformed).toEqual([{ name: name.toLowerCase(), value, why }]);
  });

  test('a policy without its quota is reported and left out', () => {
    expect(readRateLimitHeaders([['RateLimit-Policy', '"burst";w=60']])).toMatchObject({
      readings: [],
      malformed: [{ why: 'q of burst is missing' }],
    });
  });
});

test('reads back what a service of -10 writes', () => {
  const count = fc.nat();
  const limit = fc.record({ q: count, w: count, r: count, t: count });
  fc.assert(
    fc.property(fc.dictionary(fc.string({ minLength: 1 }), limit), (limits) => {
      const write = (keys: readonly ('q' | 'w' | 'r' | 't')[]): string =>
        Object.entries(limits)
          .map(([name, numbers]) =>
            [
              `"${name.replace(/["\\]/g, '\\$&')}"`,
              ...keys.map((key) => `${key}=${numbers[key]}`),
            ].join(';'),
          )
          .join(', ');
      const report = readRateLimitHeaders([
        ['RateLimit-Policy', write(['q', 'w'])],
        ['RateLimit', write(['r', 't'])],
      ]);
      expect(report).toEqual({
        malformed: [],
        readings: Object.entries(limits).map(([name, { q, w, r, t }]) => ({
          family: 'structured',
          name,
          policies: [{ name, limit: q, windowSeconds: w }],
          remaining: r,
          reset: seconds(t),
        })),
      });
    }),
  );
});

test('never throws, and returns no number that is not finite', () => {
  const names = fc.constantFrom(
    ...['RateLimit', 'RateLimit-Policy', 'RateLimit-Limit', 'RateLimit-Reset', 'X-RateLimit-Limit'],
  );
  const texts = fc.stringMatching(/^["\\,;=:019.wqrtlim -]{0,30}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(names, texts)), (headers) => {
      const { readings } = readRateLimitHeaders(headers);
      expect(JSON.parse(JSON.stringify(readings))).toEqual(readings);
    }),
    { numRuns: 500 },
  );
});

test('reads one list of fields once', () => {
  const headers: HeaderList = [['RateLimit', 'limit=10, remaining=1, reset=5']];
  expect(readRateLimitHeaders(headers)).toBe(readRateLimitHeaders(headers));
});
