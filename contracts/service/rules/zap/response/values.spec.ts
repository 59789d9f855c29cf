import { describe, expect, test } from 'vitest';
import { foundBy } from '../../../../judging/verdicts.testkit.ts';
import { HOLDS, NONE, ONE_HOP, SWAP, table } from '../../shared/route-table.testkit.ts';
import { answerOf, entryOf, stepOf } from '../../readings/zap-route.testkit.ts';

const lasting = (estimatedDuration: unknown): object =>
  answerOf('50', [stepOf(ONE_HOP, { estimatedDuration })]);

table('zap.path.durations-not-negative', [
  ['some seconds', SWAP, lasting(12.5), HOLDS],
  ['none', SWAP, lasting(0), HOLDS],
  ['unknown', SWAP, lasting(-1), ['warn', '/data/path/0/estimatedDuration']],
  ['no number', SWAP, lasting('12 s'), NONE],
  ['no step', SWAP, answerOf('50', []), NONE],
]);

const leaving = (text: string, step = ONE_HOP): object =>
  answerOf('50', [stepOf(step, { dust: [entryOf(text, { dust: true })] })]);

table('zap.path.dust-guaranteed', [
  ['guaranteed', SWAP, leaving('3>2 DLR'), HOLDS],
  ['not guaranteed', SWAP, leaving('3 DLR'), ['warn', '/data/path/0/dust/0/minReturn']],
  ['nothing left over', SWAP, leaving('0 DLR'), NONE],
  ['no dust', SWAP, answerOf('50', [ONE_HOP]), NONE],
  ['nothing guaranteed at all', SWAP, leaving('3 DLR', 'swap one: 100 DLR -> 50 EUR'), NONE],
]);

describe('zap.ids.whole-bytes', () => {
  const BUILD = { method: 'POST', path: '/v1/buildTx' } as const;
  const built = (txnId: unknown): { sent: object; answered: object } => ({
    sent: SWAP,
    answered: answerOf('50', [ONE_HOP], { steps: [{ action: 'execute', data: { txnId } }] }),
  });
  test.each([
    ['whole bytes', `0x${'a1'.repeat(32)}`, HOLDS],
    ['a digit less', `0x${'a1'.repeat(31)}a`, ['warn', '/data/steps/0/data/txnId']],
    ['a time', '0x18c2f3a9b1d', NONE],
    ['without 0x', `${'a1'.repeat(31)}a`, NONE],
    ['no hex', 'txn-1', NONE],
  ] as const)('%s', (_, txnId, verdict) => {
    expect(foundBy('zap.ids.whole-bytes', BUILD, built(txnId))).toEqual(verdict);
  });

  test.each([
    ['0xabcd', HOLDS],
    ['0x', HOLDS],
    ['0xabc', ['fail', '/data/steps/0/data/callData']],
  ] as const)('call data %s', (callData, verdict) => {
    const data = {
      txnId: '0x1',
      callTo: SWAP.account,
      callData,
      value: '0',
      estimatedGas: '0',
    };
    const answered = answerOf('50', [ONE_HOP], { steps: [{ action: 'execute', data }] });
    expect(foundBy('zap.values.hex', BUILD, { sent: SWAP, answered })).toEqual(verdict);
  });
});
