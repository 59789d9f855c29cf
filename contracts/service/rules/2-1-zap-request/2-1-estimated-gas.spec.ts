import { expect, test } from 'vitest';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';

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
