import { describe, expect, test } from 'vitest';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import { type LoadPart, UnfitParts } from './part.ts';
import { merge, partsOf, samplesOf } from './parts.testkit.ts';

describe('what is refused', () => {
  const parts = partsOf(3, samplesOf([10]));
  const [one, two, three] = parts;
  if (one === undefined || two === undefined || three === undefined) throw new Error('no parts');
  const without = (changes: Partial<LoadPart>, load: Partial<RunLoad> = {}): LoadPart[] => [
    one,
    { ...two, ...changes, load: { ...two.load, ...load } },
    three,
  ];
  const { part, ...alone } = two.load;
  expect(part?.index).toBe(2);
  const plan = one.load.part?.plan ?? '';

  test.each([
    ['a missing one', [one, three], /part 2 of 3 is missing/],
    [
      'a doubled one',
      [one, two, three, { ...two, name: 'copy' }],
      /part 2 .*more than once: part-2, copy/,
    ],
    ['another seed', without({ seed: 8 }), /part-2 has another seed than part-1: 8, not 7/],
    ['another contract', without({ contract: 'd' }), /part-2 has another contract/],
    ['another target', without({ target: 'u' }), /another target than part-1: u, not t/],
    ['another scenario', without({}, { scenario: 'soak' }), /another scenario.*: soak, not test/],
    ['another plan', without({}, { part: { index: 2, of: 3, plan: 'p' } }), /another plan/],
    ['another cut', without({}, { part: { index: 2, of: 4, plan } }), /another number of parts/],
    [
      'another engine',
      without({}, { engine: { name: 'k6', version: '1.8.1' } }),
      /another engine.*k6 1\.8\.1/,
    ],
    [
      'a late one',
      without({ startedAtMs: 1e12 + 60_000 }),
      /part-2 began 60 s after part-1, and 5 s is/,
    ],
    [
      'one beyond the last',
      [one, two, three, { ...three, load: { ...three.load, part: { index: 4, of: 3, plan } } }],
      /part-3 is part 4 of 3, which there is not/,
    ],
    [
      'more than there can be',
      [{ ...one, load: { ...one.load, part: { index: 1, of: 4e9, plan } } }],
      /1000 parts at the most, not 4000000000/,
    ],
    [
      'rounds',
      without(
        {},
        { rounds: [{ target: one.load.whole.latency, control: one.load.whole.latency }] },
      ),
      /part-2 ran in rounds/,
    ],
    ['a whole run', [one, { ...two, load: alone }, three], /part-2 is a whole run/],
    ['nothing', [], /there are none/],
  ])('%s', (_, given, message) => {
    expect(() => merge(given)).toThrow(UnfitParts);
    expect(() => merge(given)).toThrow(message);
  });

  test('no part, if all is well', () => {
    expect(merge(parts).whole.counts.sent).toBe(400);
  });

  test('what is no histogram', () => {
    const odd = { ...one, load: { ...one.load, whole: { ...one.load.whole, histogram: 'AAAA' } } };
    expect(() => merge([odd, two, three])).toThrow(/no latency histogram/);
  });
});
