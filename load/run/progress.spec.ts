import { expect, test } from 'vitest';
import { sampleAt } from '../samples/sample.testkit.ts';
import { ProgressMeter } from './progress.ts';

test('rates and p99 are those since the last look, errors by reason those of the run', () => {
  const meter = new ProgressMeter();
  for (let at = 0; at < 4; at += 1) meter.sample(sampleAt(at * 100));
  meter.sample(sampleAt(400, { fate: 'serverError', status: 503 }));
  const first = meter.look(2_000);
  expect(first).toMatchObject({ servedPerSecond: 2, errors: [['503', 1]] });
  expect(first.p99Ms).toBeCloseTo(10, 0);
  meter.sample(sampleAt(2_100, { fate: 'timeout', status: 0, step: 1 }));
  meter.sample(sampleAt(2_200, { fate: 'timeout', status: 0 }));
  const second = meter.look(3_000);
  expect(second).toMatchObject({ step: 1, servedPerSecond: 0 });
  expect(second.errors).toEqual([
    ['timeout', 2],
    ['503', 1],
  ]);
  expect(second).not.toHaveProperty('p99Ms');
});
