import { expect, test } from 'vitest';
import { omit } from '../../contracts/wire/json.ts';
import type { LoadThreshold, RunLoad } from '../../contracts/run/load/load-run.ts';
import { parseThreshold } from '../../contracts/run/load/threshold.ts';
import { heldAgainst, measuredOf } from '../thresholds.ts';
import type { Decided } from './merge.ts';
import type { LoadPart } from './part.ts';
import { decide, merge, partsOf, samplesOf } from './parts.testkit.ts';

test('parts that measured the limiter do so together, unless the whole is held to how much there may be', () => {
  const parts = partsOf(2, samplesOf([10])).map((part) => ({
    ...part,
    load: { ...part.load, limiter: { throttled: 9, sent: 50, fromPerSecond: 10 } },
  }));
  const { limiter, whole: all } = merge(parts);
  expect(limiter).toMatchObject({ throttled: all.counts.throttled, sent: all.counts.sent });
  expect(merge(parts, decide, [parseThreshold('throttled<90%')]).limiter).toBeUndefined();
  // Of an operation it is known by whatever threshold names it.
  const [name = ''] = parts[0]?.load.operations.map(({ operation }) => operation) ?? [];
  const rate = (load: RunLoad): Decided => ({
    thresholds: [
      heldAgainst(
        parseThreshold(`rate{operation:${name}}>0/s`),
        measuredOf(load, () => true),
      ),
    ],
    invalid: [],
  });
  expect(merge(parts, rate).thresholds[0]).toMatchObject({ held: false });
  const expected = parts.map(({ load, ...part }) => ({
    ...part,
    load: { ...omit(load, 'limiter'), mayThrottle: true as const },
  }));
  expect(merge(expected, rate).thresholds[0]).toMatchObject({ held: true });
});

test('parts of earlier versions, and parts whose threshold is not taken over, measured the limiter', () => {
  const stated = { expression: 'throttled<95%', measured: 14, held: true };
  const partsWith = (more: Partial<RunLoad>): LoadPart[] =>
    partsOf(2, samplesOf([10])).map((part) => ({ ...part, load: { ...part.load, ...more } }));
  expect(merge(partsWith({})).limiter).toBeDefined();
  expect(merge(partsWith({ scenario: 'herd' }))).toMatchObject({ mayThrottle: true });
  const held = partsWith({ mayThrottle: true, thresholds: [stated] });
  expect(merge(held).limiter).toBeDefined();
  expect(merge(held, decide, [parseThreshold('throttled<95%')]).limiter).toBeUndefined();
});

test('why nothing is known of a change in a part is said of the whole', () => {
  const limiter = { throttled: 42, sent: 96 };
  const parts = partsOf(2, samplesOf([10])).map((part) => {
    const thresholds = [{ expression: 'recovery<2x', held: false, limiter }];
    return { ...part, load: { ...part.load, thresholds } };
  });
  const wholeOf = (expression: string): LoadThreshold | undefined =>
    merge(parts, () => ({ thresholds: [{ expression, held: false }], invalid: [] })).thresholds[0];
  expect(wholeOf('recovery<2x')).toMatchObject({ limiter });
  expect(wholeOf('recovery<3x')).toMatchObject({ held: false, limiter });
});
