import { describe, expect, test } from 'vitest';
import type { Reported } from './sender.ts';
import { stopAfter } from './stops.ts';
import { reported } from './reported.testkit.ts';

describe('a probe stops', () => {
  const calm = Array.from({ length: 12 }, (_, at) => reported(200, at * 20));
  const slow = Array.from({ length: 9 }, (_, at) =>
    reported(200, 1000 + at * 500, { tripMs: 400 }),
  );

  test('not while all is well', () => {
    expect(stopAfter(calm, 900)).toBeNull();
    expect(
      stopAfter([...calm, reported(429, 1000, { body: { retryAfter: 60_000 } })], 900),
    ).toBeNull();
    expect(stopAfter([...calm, ...slow.slice(1)], 900)).toBeNull();
  });

  test('when Retry-After asks for more than may be waited, for it is in seconds', () => {
    const rejected = (seconds: number): Reported => {
      const headers = [['Retry-After', String(seconds)]] as const;
      return reported(429, 1000, { headers });
    };
    expect(stopAfter([...calm, rejected(40_000)], 900)).toBe(
      'it asks to wait for 40000 s, and more than 900 s need --long',
    );
    expect(stopAfter([...calm, rejected(1800)], 900)).toContain('1800 s');
    expect(stopAfter([...calm, rejected(900)], 900)).toBeNull();
  });

  const fails = (status: number, times: number): Reported[] =>
    Array.from({ length: times }, (_, at) => reported(status, 1000 + at * 20));

  test('not for an error of the server now and then', () => {
    expect(stopAfter([...calm, ...fails(503, 1)], 900)).toBeNull();
    expect(stopAfter([...calm, ...fails(500, 2)], 900)).toBeNull();
    const rare = [...fails(502, 1), ...calm.slice(4), ...fails(502, 1), ...calm, ...fails(502, 1)];
    expect(stopAfter(rare, 900)).toBeNull();
  });

  test('when errors of the server come one after another, or often', () => {
    expect(stopAfter([...calm, ...fails(503, 3)], 900)).toBe('it answered 503 3 times in a row');
    const often = [...calm, ...fails(500, 2), ...calm.slice(8), ...fails(500, 1)];
    expect(stopAfter(often, 900)).toBe(
      'it answered 500, and 3 of the last 19 answers were errors of the server',
    );
  });

  test.each([401, 403, 404, 501])('at once when it answers %i', (status) => {
    expect(stopAfter([...calm, ...fails(status, 1)], 900)).toBe(`it answered ${status}`);
  });

  const PAGE = { text: '<!doctype html><title>Hello</title>' };

  test.each<[string, Reported, RegExp]>([
    ['an address that repeats', reported(404, 0, { path: '/v1/pools' }), /leave \/v1 out/],
    [
      'an address of nothing',
      reported(404),
      /as a place that serves nothing does: look at its base URL/,
    ],
    ['a missing credential', reported(401), /credential may be missing/],
    ['a web site', reported(200, 0, PAGE), /web page where JSON was expected: give the URL/],
  ])('at first, and says what to change of %s', (_what, first, words) => {
    expect(stopAfter([first], 900)).toMatch(words);
  });

  test('later, and says no more than it knows', () => {
    expect(stopAfter([...calm, reported(404)], 900)).toBe('it answered 404');
  });

  test('at the page of a proxy, and says whose it is', () => {
    const pages = Array.from({ length: 3 }, (_, at) => reported(502, at * 20, PAGE));
    expect(stopAfter(pages, 900)).toMatch(/502 3 times in a row with the page of a proxy/);
  });

  test('when answers become slow', () => {
    expect(stopAfter([...calm, ...slow], 900)).toContain('three times as long');
  });

  test('when a wait is too long in whatever unit', () => {
    const body = { retryAfter: 901_000 };
    expect(stopAfter([reported(429, 0, { body })], 900)).toContain('--long');
    expect(stopAfter([reported(429, 0, { body })], 86_400)).toBeNull();
  });

  test('not for the first slow answers', () => {
    expect(stopAfter([...calm.slice(0, 4), ...slow.slice(0, 1)], 900)).toBeNull();
    expect(stopAfter([...calm.slice(0, 4), ...slow.slice(1)], 900)).toBeNull();
    expect(stopAfter([...calm.slice(0, 4), ...slow], 900)).not.toBeNull();
  });

  test('not for slow answers of a target that is fast all the same', () => {
    const fast = Array.from({ length: 4 }, (_, at) => reported(200, at * 20, { tripMs: 5 }));
    const slower = Array.from({ length: 9 }, (_, at) =>
      reported(200, 1000 + at * 100, { tripMs: 50 }),
    );
    expect(stopAfter([...fast, ...slower], 900)).toBeNull();
  });

  test('not for the longest wait that is allowed', () => {
    const asking = (seconds: number): Reported =>
      reported(429, 0, { headers: [['Retry-After', String(seconds)]] });
    expect(stopAfter([asking(900)], 900)).toBeNull();
    expect(stopAfter([asking(901)], 900)).toContain('--long');
  });

  test('not for the first errors of all', () => {
    expect(stopAfter(fails(500, 1), 900)).toBeNull();
    expect(stopAfter(fails(500, 2), 900)).toBeNull();
  });
});
