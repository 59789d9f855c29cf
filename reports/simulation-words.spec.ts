import { expect, test } from 'vitest';
import type { RunSimulation } from '../contracts/run/run-simulation.ts';
import { EXAMPLE_RUN } from './example-run.testkit.ts';
import { simulationWords } from './simulation-words.ts';

const row = (chainId: number, node: RunSimulation['node']): RunSimulation => ({
  ...{ api: 'zap', chainId, node, result: 'succeeded', exchanges: ['x1'], changes: [] },
});
const wordsOf = (...simulations: RunSimulation[]): string =>
  simulationWords({ simulations, counts: { ...EXAMPLE_RUN.counts, nodes: 7 } });

test('nothing is said if no node was asked; what was asked in vain is', () => {
  expect(wordsOf()).toBe(
    'no build as far as a node simulates it, by 7 of at most 400 requests to nodes.',
  );
  expect(simulationWords(EXAMPLE_RUN)).toBe('');
});

test("what it took is said, and whose nodes are the service's own", () => {
  expect(wordsOf(row(1, 'user'), row(2, 'user'))).toBe(
    '2 builds on 2 chains as far as a node simulates it, by 7 of at most 400 requests to nodes. The nodes are those that the run names.',
  );
  expect(wordsOf(row(1, 'user'), row(1, 'service'))).toMatch(
    /^2 builds on 1 chain .* 1 of them on nodes that the service itself names/,
  );
  expect(wordsOf(row(1, 'service'))).toMatch(/The nodes are those that the service itself names/);
});

test('of builds that fail when they are executed, the number is said', () => {
  const failing = { ...row(1, 'user'), result: 'not known', why: 'swap failed' } as const;
  expect(wordsOf(row(1, 'user'), failing)).toMatch(/^2 builds \(1 failed\) on 1 chain /);
});
