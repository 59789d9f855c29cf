import { describe, expect, test } from 'vitest';
import type { LoadGenerator } from '../contracts/run/load/load-run.ts';
import { omit } from '../contracts/wire/json.ts';
import { loadRow } from '../contracts/run/load/load-run.testkit.ts';
import { invalidities, type ValidityInput } from './validity.ts';

function input(
  generator: Partial<LoadGenerator> = {},
  changes: Partial<ValidityInput> = {},
): ValidityInput {
  const { counts, latency } = loadRow({ served: 1000 });
  return {
    generator: {
      fireLagP99Ms: 2,
      eventLoopUtilization: 0.3,
      waitedAtCeiling: 0,
      dropped: 0,
      cpuSeconds: 1,
      ...generator,
    },
    counts,
    latency,
    connections: 256,
    isScheduled: true,
    ...changes,
  };
}

describe('the figures of a run', () => {
  test('count where the generator kept its schedule, or nearly', () => {
    expect(invalidities(input())).toEqual([]);
    expect(invalidities(input({ eventLoopUtilization: 0.8, waitedAtCeiling: 10 }))).toEqual([]);
    const another = omit(input().generator, 'eventLoopUtilization');
    expect(invalidities({ ...input(), generator: another })).toEqual([]);
  });

  test.each<[string, Partial<LoadGenerator>, RegExp]>([
    ['a request was never sent', { dropped: 1 }, /^1 of 1000 requests .* never sent/],
    ['requests left late', { fireLagP99Ms: 21 }, /left 21 ms or more after its time/],
    ['the thread was busy', { eventLoopUtilization: 0.801 }, /busy 80.1 % of its time/],
    ['requests waited', { waitedAtCeiling: 11 }, /11 of 1000 requests waited for one of 256/],
  ])('do not where %s', (_what, generator, sentence) => {
    const why = invalidities(input(generator));
    expect(why).toHaveLength(1);
    expect(why[0]).toMatch(sentence);
  });

  test('count where a lag is a small part of what was measured', () => {
    const { latency } = loadRow({}, { p99Ms: 300 });
    expect(invalidities(input({ fireLagP99Ms: 29 }, { latency }))).toEqual([]);
    expect(invalidities(input({ fireLagP99Ms: 31 }, { latency }))).toHaveLength(1);
    const none = loadRow({ served: 0, failed: 10 }, { p99Ms: 300 });
    expect(invalidities(input({ fireLagP99Ms: 29 }, none))).toHaveLength(1);
  });

  test('know no lag where there is no schedule', () => {
    expect(invalidities(input({ fireLagP99Ms: 500 }, { isScheduled: false }))).toEqual([]);
  });

  test('are none where nothing was sent', () => {
    const { counts } = loadRow({ served: 0 });
    expect(invalidities(input({}, { counts }))).toEqual(['Nothing was sent.']);
  });
});
