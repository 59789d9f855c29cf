import { expect, test } from 'vitest';
import type { Scenario } from '../scenarios/scenario.ts';
import { scheduleOf } from '../scenarios/schedule.ts';
import type { LoadJob } from '../engine.ts';
import type { Sample } from '../load-sink.ts';
import { partOfJob } from './part-of-job.ts';

const scenario: Scenario = {
  name: 'two steps',
  purpose: 'Tries the parts.',
  steps: [
    { name: 'ramp', seconds: 7, fromPerSecond: 3, toPerSecond: 20 },
    { name: 'hold', seconds: 5, fromPerSecond: 11, toPerSecond: 11 },
  ],
  mix: { 'zap.quote': 1 },
  clients: { kind: 'one', count: 1 },
  onThrottle: 'go-on',
  endsWhenBroken: false,
  ceilings: { requests: 10_000, seconds: 100 },
};

test('a part of a job sends the requests of its own slots, and reports the slots of the whole', () => {
  const samples: Sample[] = [];
  const requests = Array.from({ length: 5 }, (_, at) => ({ operation: `zap.a${at}`, request: {} }));
  const whole = {
    schedule: scheduleOf(scenario),
    choose: (slot: number) => requests[slot % 5],
    sink: {
      sample: (sample: Sample) => samples.push(sample),
      wants: ({ slot }: Sample) => slot === 13,
    },
  } as unknown as LoadJob;
  const part = partOfJob(whole, { index: 2, of: 3 });
  expect(part.choose(4).operation).toBe(whole.choose(13).operation);
  part.sink.sample({ slot: 4, step: 0 } as Sample);
  expect(samples.map(({ slot }) => slot)).toEqual([13]);
  expect([3, 4, 5].map((slot) => part.sink.wants?.({ slot } as Sample))).toEqual([
    false,
    true,
    false,
  ]);
});
