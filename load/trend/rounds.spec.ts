import { expect, test } from 'vitest';
import { comparedRounds } from './night.ts';
import { loadRoundOf, runRounds, type RoundOf } from './rounds.ts';
import { loadOf } from './run-of.testkit.ts';

const open = new AbortController().signal;

test('target and control take turns in going first', async () => {
  const seen: string[] = [];
  const rounds = await runRounds(
    3,
    (which, round) => {
      seen.push(`${which} ${round}`);
      return Promise.resolve(`${which} ${round}`);
    },
    open,
  );
  expect(seen).toEqual(['target 0', 'control 0', 'control 1', 'target 1', 'target 2', 'control 2']);
  expect(rounds).toEqual([
    { target: 'target 0', control: 'control 0' },
    { target: 'target 1', control: 'control 1' },
    { target: 'target 2', control: 'control 2' },
  ]);
});

test('a machine that gets steadily slower hits both alike', async () => {
  let clock = 0;
  const rounds = await runRounds(4, () => Promise.resolve((clock += 1)), open);
  const sum = (which: RoundOf): number => rounds.reduce((total, round) => total + round[which], 0);
  expect(sum('target')).toBe(sum('control'));
});

test('what was cut short is no round', async () => {
  const controller = new AbortController();
  let halves = 0;
  const rounds = await runRounds(
    5,
    () => {
      halves += 1;
      if (halves === 4) controller.abort();
      return Promise.resolve(halves);
    },
    controller.signal,
  );
  expect(rounds).toEqual([{ target: 1, control: 2 }]);
  expect(halves).toBe(4);
});

test('a failure ends the night', async () => {
  const broken = runRounds(2, () => Promise.reject(new Error('no engine')), open);
  await expect(broken).rejects.toThrow('no engine');
});

test('the rounds of a night are what a comparison reads', async () => {
  const rounds = await runRounds(
    3,
    (which) => Promise.resolve(loadOf(which === 'target' ? 20 : 5)),
    open,
  );
  const load = loadOf(20, { rounds: rounds.map(loadRoundOf) });
  const pair = { absolute: 40, control: 10, ratio: 4 };
  expect(comparedRounds(load, { percentile: 'p95' })).toEqual([pair, pair, pair]);
  expect(comparedRounds(load, { operation: 'a.one', percentile: 'p95' })).toEqual([
    pair,
    pair,
    pair,
  ]);
  expect(comparedRounds(load, { operation: 'toString', percentile: 'p95' })).toEqual([]);
});
