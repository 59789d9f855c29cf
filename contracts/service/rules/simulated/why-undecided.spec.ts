import { expect, test } from 'vitest';
import type { RunName } from './attempt.ts';
import type { SimulatedBuild } from './build.ts';
import { planOf } from './plan.ts';
import { doubtOf } from './promises.ts';
import type { CallResult } from './requests.ts';
import type { Did, Runs } from './simulation.testkit.ts';
import { BUILD, FAILS, HONEST, OTHER, simulated, SOURCE } from './simulation.testkit.ts';
import { whyUnprepared } from './why-undecided.ts';

const ALL_FAIL: Runs = {
  'strict simulate': FAILS,
  'lenient simulate': FAILS,
  'lenient batch': FAILS,
};
const STRICT = planOf(BUILD, 'strict');
const isReading = (at: number): boolean =>
  STRICT.calls[at]?.to === SOURCE && STRICT.calls[at].data.startsWith('0x70a08231');
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

test.each<[string, string, (at: number) => CallResult | undefined]>([
  [
    'a token refuses an approval',
    `the token ${SOURCE} takes no approval (reverted: no)`,
    (at) => (at === 0 ? { succeeded: false, word: undefined, why: 'reverted: no' } : undefined),
  ],
  [
    'a contract has no balances',
    `the contract ${SOURCE} says no balance or allowance`,
    (at) => (isReading(at) ? { succeeded: true, word: undefined } : undefined),
  ],
  [
    'a node leaves out what was set',
    'the node did not take balances or approvals',
    (at) => (at === STRICT.builtAt ? { succeeded: false, word: undefined } : undefined),
  ],
])('why a build says nothing names who did not do its part: %s', (_, why, did) => {
  const results = STRICT.calls.map((_call, at) => did(at) ?? { succeeded: true, word: 1n });
  expect(whyUnprepared(STRICT, results)).toBe(why);
});
