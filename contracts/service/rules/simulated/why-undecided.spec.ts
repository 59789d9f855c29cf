import { expect, test } from 'vitest';
import type { RunName } from './attempt.ts';
import type { SimulatedBuild } from './build.ts';
import { doubtOf } from './promises.ts';
import type { Did, Runs } from './simulation.testkit.ts';
import { BUILD, FAILS, HONEST, OTHER, simulated, SOURCE } from './simulation.testkit.ts';

const ALL_FAIL: Runs = {
  'strict simulate': FAILS,
  'lenient simulate': FAILS,
  'lenient batch': FAILS,
};
const OF_GAS: SimulatedBuild = { ...BUILD, call: { ...BUILD.call, gas: 15_000_000n } };

function doubt(runs: Runs, build = BUILD): string | undefined {
  const all = (Object.entries(runs) as [RunName, Did][]).map(
    ([name, did]) => [name, simulated(build, name, did)] as const,
  );
  return doubtOf({ build, simulations: new Map(all) });
}

test.each<[string, string, Runs, SimulatedBuild?]>([
  ['a trade', 'its answer names no spender to approve', ALL_FAIL, { ...BUILD, spender: undefined }],
  [
    'a spender that takes signatures',
    'its spender may want a signature',
    {
      ...ALL_FAIL,
      'lenient simulate': { ...FAILS, takesSignatures: true },
      'lenient batch': { ...FAILS, takesSignatures: true },
    },
    { ...BUILD, spender: OTHER },
  ],
  [
    'one way alone',
    'no more than one way of executing it was answered',
    { 'strict simulate': FAILS, 'lenient simulate': FAILS },
  ],
  [
    'a node that contradicts itself',
    'the two ways of executing it disagree on whether it fails',
    { ...ALL_FAIL, 'lenient batch': HONEST },
  ],
  [
    'more gas stated than a simulation gives',
    'it may take more gas than a simulation gives it, which is 10000000',
    { ...ALL_FAIL, 'lenient batch': HONEST },
    OF_GAS,
  ],
  [
    'a token that does not move',
    `a plain transfer of the token ${SOURCE} to ${BUILD.call.to} moves nothing (blocked)`,
    { ...ALL_FAIL, 'lenient simulate': { ...FAILS, plain: { [SOURCE]: 'fails' } } },
  ],
  [
    'gas of which nothing was answered',
    'whether its gas is too little was not answered',
    { 'strict simulate': FAILS, 'strict batch': HONEST, 'lenient simulate': HONEST },
  ],
])('a failure that decides nothing says why, and how it fails: %s', (_, why, runs, build) => {
  expect(doubt(runs, build)).toBe(`${why} (it fails: execution reverted)`);
});

test('a failure that breaks a promise has no doubt', () => {
  expect(doubt(ALL_FAIL)).toBeUndefined();
});
