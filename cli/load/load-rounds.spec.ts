import { expect, test } from 'vitest';
import { hold, scenario } from '../../load/scenarios/scenario.testkit.ts';
import { scheduleOf } from '../../load/scenarios/schedule.ts';
import type { Scenario } from '../../load/scenarios/scenario.ts';
import { UsageError } from '../exit-code.ts';
import { requireRoundsPossible, sendingSeconds } from './load-rounds.ts';

function tryRounds(rounds: number | undefined, changes: Partial<Scenario>): void {
  const made = scenario({ steps: [hold(10, 20)], ...changes });
  requireRoundsPossible(rounds, made, scheduleOf(made));
}

test.each([
  [5, {}],
  [5, { ceilings: { requests: 1000, seconds: 100 } }],
  [undefined, { endsWhenBroken: true, onThrottle: 'come-back' }],
] as const)('%s rounds are possible of %o', (rounds, changes) => {
  expect(() => {
    tryRounds(rounds, changes);
  }).not.toThrow();
});

test.each([
  [1, { endsWhenBroken: true }, /would not be alike/],
  [1, { onThrottle: 'come-back' }, /no control shows/],
  [5, { ceilings: { requests: 999, seconds: 100 } }, /ask for 1000 requests in 100 s/],
  [5, { ceilings: { requests: 1000, seconds: 99 } }, /ceilings are 1000 requests and 99 s/],
] as const)('%s rounds are refused of %o', (rounds, changes, message) => {
  const trying = (): void => {
    tryRounds(rounds, changes);
  };
  expect(trying).toThrow(UsageError);
  expect(trying).toThrow(message);
});

test('the time of a run holds both halves of each round, late answers included', () => {
  expect(sendingSeconds(undefined, 60, 10_000)).toBe(60);
  expect(sendingSeconds(5, 60, 10_000)).toBeGreaterThanOrEqual(10 * (60 + 5 + 10));
});
