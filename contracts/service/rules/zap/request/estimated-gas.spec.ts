import { expect, test } from 'vitest';
import type { WireSketch } from '../../../../judging/verdicts.testkit.ts';
import { verdictOf } from '../../../../judging/verdicts.testkit.ts';

test.each<[unknown, string[], string]>([
  [true, ['150000'], 'pass'],
  [true, ['0'], 'fail /data/steps/0/data/estimatedGas'],
  [true, ['0x0', '00'], 'fail /data/steps/0/data/estimatedGas'],
  // A swap that needs an approval first cannot be simulated before it.
  [true, ['46000', '0'], 'pass'],
  [true, [], 'not-reached'],
  [false, ['0'], 'not-reached'],
  [undefined, ['0'], 'not-reached'],
])('estimateGas %j answered with the gas %j: %s', (estimateGas, gas, verdict) => {
  const steps = gas.map((estimatedGas) => ({ action: 'execute', data: { estimatedGas } }));
  const sketch = {
    ...{ method: 'POST', path: '/v1/buildTx', sent: { estimateGas } },
    answered: { status: 'success', data: { steps } },
  };
  expect(verdictOf('zap.estimate-gas.estimates', sketch)).toBe(verdict);
});

interface Built {
  readonly amount: string;
  readonly estimateGas?: boolean;
  readonly gas: string;
}

function built({ gas, ...sent }: Built): WireSketch {
  const steps = [{ action: 'execute', data: { estimatedGas: gas } }];
  return {
    ...{ method: 'POST', path: '/v1/buildTx', sent },
    answered: { status: 'success', data: { steps } },
  };
}

/** Two builds, with and without an estimate. */
const twice = (one: [string, string], other: [string, string]): Built[] =>
  [one, other].flatMap(([estimated, plain], at) => [
    { amount: `${at}`, estimateGas: true, gas: estimated },
    { amount: `${at}`, gas: plain },
  ]);

const third = (gas: string): Built[] => [
  { amount: '2', estimateGas: true, gas },
  { amount: '2', gas },
];

test.each<[string, Built[], string]>([
  ['other figures with it', twice(['151234', '250000'], ['161234', '250000']), 'pass'],
  ['one other figure with it', twice(['250000', '250000'], ['260000', '250000']), 'pass'],
  ['the same round figure', twice(['250000', '250000'], ['250000', '250000']), 'warn'],
  [
    'one figure that is not round',
    [...twice(['351234', '351234'], ['351234', '351234']), ...third('351234')],
    'warn',
  ],
  ['figures that are rounded up', twice(['249000', '249000'], ['250000', '250000']), 'not-reached'],
  // Estimated in any case.
  [
    'the same figures, not all round',
    twice(['249001', '249001'], ['250000', '250000']),
    'not-reached',
  ],
  ['one build alone', twice(['250000', '250000'], ['250000', '250000']).slice(0, 2), 'not-reached'],
])('with estimateGas and without: %s', (_, builds, verdict) => {
  expect(verdictOf('zap.estimate-gas.no-round-figure', ...builds.map(built))).toMatch(
    new RegExp(`^${verdict}`),
  );
});
