import { expect, test } from 'vitest';
import { MISFITS } from './misfits.testkit.ts';
import { simulate } from './simulation.testkit.ts';

/** The quick ones of those that no class fits, and that every run must call none; the rest: slow. */
const NAMES = [
  'bucket in a window, 20 in 2 s',
  'bursty 20 in 2 s and 20 in 10 s',
  'bursty 10 in 1 s and 30 in 60 s',
  'restarted by each request, 8 in 3 s',
  'restarted by each that is let in, 8 in 3 s',
];

test.each(NAMES)('%s is no single class for sure', async (name) => {
  const limiter = MISFITS[name]?.(1);
  if (limiter === undefined) throw new Error(`there is no misfit ${name}`);
  const { estimate } = await simulate({
    limiter,
    seed: 1,
    roundTripMs: 4,
    jitterMs: 1,
    retryAfter: 'none',
  });
  expect(['composite', 'ambiguous']).toContain(estimate.kind);
});
