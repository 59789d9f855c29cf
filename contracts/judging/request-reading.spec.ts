import { expect, test } from 'vitest';
import { exchangeOf } from './exchange.testkit.ts';
import { requestMemoOf, RequestReading, RequestReadings } from './request-reading.ts';

test('a request is read once, and one that only looks the same is read again', () => {
  const readings = new RequestReadings();
  const [one, other] = [exchangeOf({ sent: { a: 1 } }), exchangeOf({ sent: { a: 2 } })];
  expect(readings.of(one.request)).toBe(readings.of(one.request));
  expect(readings.of(one.request).json).toEqual({ a: 1 });
  expect(readings.of(one.request).json).toBe(readings.of(one.request).json);
  expect(readings.of(other.request).json).toEqual({ a: 2 });
  expect(readings.of({ ...one.request }).json).not.toBe(readings.of(one.request).json);
});

test('readings are kept of a bounded number of requests, and stay right beyond', () => {
  const readings = new RequestReadings();
  const first = exchangeOf({ path: '/v1/pools?limit=1' }).request;
  const before = readings.of(first);
  for (let number = 2; number < 2_000; number += 1) {
    const { request } = exchangeOf({ path: `/v1/pools?limit=${number}` });
    expect(readings.of(request).query.get('limit')).toBe(String(number));
  }
  expect(readings.of(first)).not.toBe(before);
  expect(readings.of(first).query.get('limit')).toBe('1');
});

test('a memo is computed once for each request, also if it comes to nothing', () => {
  let computed = 0;
  const nothing = requestMemoOf(() => {
    computed += 1;
    return null;
  });
  const json = requestMemoOf((reading) => ({ json: reading.json, at: (computed += 1) }));
  const reading = new RequestReading(exchangeOf({ sent: 7 }).request);
  expect([reading.get(nothing), reading.get(nothing)]).toEqual([null, null]);
  expect(reading.get(json)).toBe(reading.get(json));
  expect(reading.get(json)).toEqual({ json: 7, at: 2 });
});
