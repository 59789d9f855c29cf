import { deflateSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NotAHistogram } from './hdr-text.ts';
import { LatencyHistogram } from './latency-histogram.ts';

function histogramOf(latencies: readonly number[]): LatencyHistogram {
  const histogram = LatencyHistogram.create();
  for (const latency of latencies) histogram.record(latency);
  return histogram;
}

/** The value that a share of all does not exceed, by the definition. */
function exactQuantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

const latencies = fc.array(fc.double({ min: 0.001, max: 100_000, noNaN: true }), {
  minLength: 1,
  maxLength: 200,
});
const SHARES = [0.5, 0.95, 0.99, 0.999];

test('quantiles are within a thousandth of the exact ones', () => {
  fc.assert(
    fc.property(latencies, (values) => {
      const histogram = histogramOf(values);
      for (const share of SHARES) {
        const exact = exactQuantile(values, share);
        // Besides, latencies are rounded to microseconds.
        expect(Math.abs(histogram.quantileMs(share) - exact)).toBeLessThan(exact / 1000 + 0.001);
      }
    }),
  );
});

test('the sum of two is the histogram of all, also of what was written and read', () => {
  fc.assert(
    fc.property(latencies, latencies, (some, others) => {
      const sum = LatencyHistogram.decode(histogramOf(some).encode());
      sum.add(LatencyHistogram.decode(histogramOf(others).encode()));
      const all = histogramOf([...some, ...others]);
      expect(sum.count).toBe(all.count);
      for (const share of SHARES) {
        const quantile = all.quantileMs(share);
        expect(Math.abs(sum.quantileMs(share) - quantile)).toBeLessThanOrEqual(quantile / 1000);
      }
    }),
  );
});

test('the sum of percentiles would be wrong if the sum of counts is right', () => {
  const quick = histogramOf(Array.from({ length: 990 }, () => 1));
  const slow = histogramOf(Array.from({ length: 10 }, () => 1_000));
  quick.add(slow);
  expect(quick.quantileMs(0.5)).toBeCloseTo(1, 2);
  expect(quick.summary()).toMatchObject({ count: 1_000, worstMs: 1_000 });
});

describe('odd latencies', () => {
  test.each([
    ['negative', -5, 0],
    ['none', 0, 0],
    ['minus infinity', -Infinity, 0],
    ['longer than an hour', 1e12, 3_600_000],
    ['infinite', Infinity, 3_600_000],
    ['no number', NaN, 3_600_000],
  ])('%s', (_, latency, counted) => {
    const histogram = histogramOf([latency]);
    expect(histogram.count).toBe(1);
    expect(histogram.summary().worstMs).toBe(counted);
    expect(histogram.quantileMs(0.5)).toBe(counted);
    expect(LatencyHistogram.decode(histogram.encode()).count).toBe(1);
  });

  test('an empty one has no latency', () => {
    expect(LatencyHistogram.decode(LatencyHistogram.create().encode()).summary()).toEqual({
      count: 0,
    });
  });
});

/** A histogram as text, with parts of it made wrong. */
function forged(
  payload: readonly number[],
  header: { digits?: number; highest?: bigint } = {},
): string {
  const plain = Buffer.alloc(40 + payload.length);
  plain.writeUInt32BE(0x1c849313, 0);
  plain.writeUInt32BE(payload.length, 4);
  plain.writeUInt32BE(header.digits ?? 3, 12);
  plain.writeBigUInt64BE(1n, 16);
  plain.writeBigUInt64BE(header.highest ?? 4_294_967_295n, 24);
  plain.set(payload, 40);
  return packed(plain);
}

function packed(plain: Uint8Array): string {
  const deflated = deflateSync(plain);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(0x1c849314, 0);
  head.writeUInt32BE(deflated.length, 4);
  return Buffer.concat([head, deflated]).toString('base64');
}

describe('a text from elsewhere', () => {
  test('one made by hand is read', () => {
    // Seven at 0 µs, then two zeros, then one at 3 µs.
    const histogram = LatencyHistogram.decode(forged([14, 3, 2]));
    expect(histogram.summary()).toMatchObject({ count: 8, p50Ms: 0, worstMs: 0.003 });
  });

  test.each([
    ['nothing', ''],
    ['no base64', '§§§§'],
    ['other bytes', Buffer.from('hello world').toString('base64')],
    ['a bomb', packed(Buffer.alloc(50_000_000))],
    ['five digits', forged([2], { digits: 5 })],
    ['a range without end', forged([2], { highest: 2n ** 62n })],
    ['a run of zeros without end', forged([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 2])],
    ['a count beyond 32 bits', forged([0xfe, 0xff, 0xff, 0xff, 0xff, 0x7f])],
    [
      'a length that is not its own',
      packed(
        Buffer.concat([
          Buffer.from('1c849313000000ff', 'hex'),
          Buffer.alloc(4),
          Buffer.from('00000003', 'hex'),
          Buffer.from('0000000000000001', 'hex'),
          Buffer.from('00000000ffffffff', 'hex'),
          Buffer.alloc(8),
        ]),
      ),
    ],
    ['too many counts', forged(Array.from({ length: 40_000 }, () => 2))],
    ['very long', 'A'.repeat(1_000_000)],
  ])('%s is refused', (_, text) => {
    expect(() => LatencyHistogram.decode(text)).toThrow(NotAHistogram);
  });

  test('whatever it is, it is read or refused', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 255 }), { maxLength: 60 }), (payload) => {
        try {
          LatencyHistogram.decode(forged(payload));
        } catch (error) {
          expect(error).toBeInstanceOf(NotAHistogram);
        }
      }),
    );
  });
});

test('its percentiles as text are those that it has, read back line by line', () => {
  const histogram = LatencyHistogram.create();
  for (let at = 1; at <= 2_000; at += 1) histogram.record(at / 4);
  const text = histogram.percentiles();
  const lines = [...text.matchAll(/^ *([\d.]+) +([01]\.\d+) +(\d+)(?: +[\d.]+)? *$/gm)].map(
    ([, ms, share, count]) => ({ ms: Number(ms), share: Number(share), count: Number(count) }),
  );
  expect(text).toMatch(/^ +Value +Percentile +TotalCount +1\/\(1-Percentile\)\n/);
  expect(lines.length).toBeGreaterThan(20);
  for (const { ms, share } of lines) {
    // A tick stands at the value below which such a share lies, to three digits.
    expect(Math.abs(ms - histogram.quantileMs(share))).toBeLessThanOrEqual(0.002 * ms + 0.26);
  }
  expect(lines.at(-1)).toMatchObject({ share: 1, count: 2_000 });
  expect(text).toMatch(/#\[Max +=[^\n]*Total count +=[^\n]*2000\]/);
});
