import { describe, expect, test } from 'vitest';
import type { outcomeOf } from './attempt.ts';
import { doubtOf, judgeAttempt } from './promises.ts';
import { refusesPeople } from './refused-people.ts';
import { BUILD, FAILS, simulated } from './simulation.testkit.ts';

describe('a reason of a revert', () => {
  test.each([
    'execution reverted: investor is not verified',
    'execution reverted: caller is not whitelisted',
    'execution reverted: only registered holders are allowed',
    'execution reverted: error 0xe2517d3f',
    'execution reverted: AccessControl: account 0x1234 is missing role 0x00',
    'Unauthorized',
    'deposit amount not allowed for unverified accounts',
  ])('speaks of people: %s', (why) => {
    expect(refusesPeople(why)).toBe(true);
  });

  test.each([
    'execution reverted',
    'execution reverted: ERC20: insufficient allowance',
    'execution reverted: ERC20: transfer amount exceeds balance',
    'execution reverted: Too little received',
    'execution reverted: error 0xe450d38c',
    'panic 0x11',
    'slippage not allowed',
    'execution reverted: deadline not permitted',
    'swap not allowed with zero amount',
    'only allowed while there is liquidity',
  ])('speaks of something else: %s', (why) => {
    expect(refusesPeople(why)).toBe(false);
  });
});

test('a build that a contract may refuse for its people breaks nothing, and leaves open whether it succeeds', () => {
  const attempt = (why: string): Parameters<typeof outcomeOf>[0] => ({
    build: BUILD,
    simulations: new Map(
      (['strict simulate', 'lenient simulate', 'lenient batch'] as const).map((name) => {
        const simulation = simulated(BUILD, name, FAILS);
        const results = simulation.results.map((one) =>
          one.succeeded ? one : { ...one, why: `execution reverted: ${why}` },
        );
        return [name, { ...simulation, results }] as const;
      }),
    ),
  });
  expect(judgeAttempt(attempt('Too little received')).succeeds).toHaveLength(1);
  const refused = attempt('investor is not verified');
  expect(judgeAttempt(refused).succeeds).toBe('inconclusive');
  expect(doubtOf(refused)).toBe(
    'this may be a refusal of people whom a contract does not know (it fails: execution reverted: investor is not verified)',
  );
});
