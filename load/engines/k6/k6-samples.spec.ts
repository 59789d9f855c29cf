import fc from 'fast-check';
import { expect, test } from 'vitest';
import { K6PointReader, type K6Point } from './k6-samples.ts';

const line = (metric: string, data: unknown): string =>
  `${JSON.stringify({ metric, type: 'Point', data })}\n`;
const data = {
  time: '2026-11-22T16:29:22.888038137Z',
  value: 10.5,
  tags: { name: 'zap.quote', scenario: 'step0', status: '200' },
  metadata: { slot: '3' },
};

function read(chunks: readonly Buffer[]): { points: K6Point[]; unread: number } {
  const points: K6Point[] = [];
  const reader = new K6PointReader((point) => points.push(point));
  for (const chunk of chunks) reader.push(chunk);
  return { points, unread: reader.unread };
}

test('points are the same however the bytes are cut', () => {
  const text = [
    '{"type":"Metric","data":{"name":"violations"},"metric":"violations"}\n',
    line('http_req_duration', data),
    line('http_req_waiting', data),
    line('violations', { ...data, tags: { rule: 'zap.a-b.c' }, metadata: { exchange: '"é\n' } }),
    line('dropped_iterations', { ...data, value: 2 }),
  ].join('');
  const bytes = Buffer.from(text);
  const whole = read([bytes]);
  expect(whole.unread).toBe(0);
  expect(whole.points.map(({ metric }) => metric)).toEqual([
    'http_req_duration',
    'violations',
    'dropped_iterations',
  ]);
  expect(whole.points[0]).toEqual({
    metric: 'http_req_duration',
    timeMs: Date.parse('2026-11-22T16:29:22Z') + 888.038137,
    value: 10.5,
    tags: data.tags,
    metadata: data.metadata,
  });
  expect(whole.points[1]?.metadata.exchange).toBe('"é\n');
  fc.assert(
    fc.property(fc.array(fc.nat(bytes.length), { maxLength: 8 }), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const chunks = at.slice(1).map((end, place) => bytes.subarray(at[place], end));
      expect(read(chunks)).toEqual(whole);
    }),
  );
});

test('times are read in any zone, to the microsecond', () => {
  const times = [
    '2026-11-22T16:29:22Z',
    '2026-11-22T17:29:22.5+01:00',
    '2026-11-22T16:29:22.000001Z',
  ];
  const { points } = read(times.map((time) => Buffer.from(line('violations', { ...data, time }))));
  const begin = Date.parse(times[0] ?? '');
  const after = points.map(({ timeMs }) => Math.round((timeMs - begin) * 1000) / 1000);
  expect(after).toEqual([0, 500, 0.001]);
});

test('what is no point is counted, and takes no memory', () => {
  const odd = [
    '{"metric":"http_req_duration","type":"Point"',
    line('violations', { ...data, value: '1' }).trimEnd(),
    line('violations', { ...data, time: 'noon' }).trimEnd(),
    'null',
    '{"metric":"',
  ];
  expect(read([Buffer.from(`${odd.join('\n')}\n`)])).toEqual({ points: [], unread: 3 });
  const long = Buffer.from(`{"metric":"violations","data":"${'x'.repeat(100_000)}`);
  const many = Array.from({ length: 40 }, () => long);
  const { points, unread } = read([
    ...many,
    Buffer.from('"}\n'),
    Buffer.from(line('violations', data)),
  ]);
  expect([points.length, unread]).toEqual([1, 1]);
});
