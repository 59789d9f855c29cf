import { expect, test } from 'vitest';
import { verdictOf } from '../../../../judging/verdicts.testkit.ts';

const AT = '/data/steps/0/data/estimatedGas';
const CONTRACT = `0x${'77'.repeat(20)}`;

// 100 bytes take 400 at least, beside the 21,000 of any transaction.
test.each<[string, unknown, string, string]>([
  ['150000', CONTRACT, 'pass', 'pass'],
  ['21400', CONTRACT, 'pass', 'pass'],
  ['21399', CONTRACT, 'pass', `fail ${AT}`],
  ['0', CONTRACT, 'pass', 'not-reached'],
  ['0x249f0', CONTRACT, `warn ${AT}`, 'not-reached'],
  ['150000.5', CONTRACT, `warn ${AT}`, 'not-reached'],
  ['about 150000', CONTRACT, 'not-reached', 'not-reached'],
  ['5', 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4', 'not-reached', 'not-reached'],
])('a step with the gas %j to %s: %s, %s', (estimatedGas, callTo, decimal, suffices) => {
  const data = { callTo, estimatedGas, callData: `0x${'00'.repeat(100)}` };
  const sketch = {
    ...{ method: 'POST', path: '/v1/buildTx', sent: {} },
    answered: { status: 'success', data: { steps: [{ action: 'execute', data }] } },
  };
  const verdicts = ['in-decimal', 'suffices'].map((rule) =>
    verdictOf(`zap.steps.gas-${rule}`, sketch),
  );
  expect(verdicts).toEqual([decimal, suffices]);
});
