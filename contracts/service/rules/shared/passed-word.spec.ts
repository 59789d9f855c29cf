import { expect, test } from 'vitest';
import { foundBy } from '../../../judging/verdicts.testkit.ts';

const [A, B] = ['a', 'b'].map((digit) => `0x${digit.repeat(40)}`) as [string, string];
const PAIR = `1_${A}-1_${B}`;
const FAILED = ['fail', `/quotes/${PAIR}/destAmount`];
const WORD = (1n << 256n) - 1n;

function found(asked: unknown, destAmount: unknown): readonly unknown[] {
  const data = [{ amount: asked, srcToken: A, destToken: B, slippage: 1, toChain: 1 }];
  const sent = { fromChain: 1, sender: A, refundee: A, gasless: false, data };
  const transaction = { data: '0xab', to: A, from: A, value: '0', gasLimit: '1' };
  const quotes = { [PAIR]: { provider: 'p', destAmount, minDestAmount: '1' } };
  const answered = { status: 'success', txId: '0xab', chainId: 1, gasless: false, transaction };
  const request = { api: 'trade', method: 'POST', path: '/v1/buildTx' } as const;
  return foundBy('trade.values.base-units', request, { sent, answered: { ...answered, quotes } });
}

test('an amount passes an EVM word only if more was asked for than any token has', () => {
  const [beyond, most] = [String(WORD * 7n), String(WORD)];
  expect(found('1000', beyond)).toEqual(FAILED);
  expect(found(String(1n << 128n), beyond)).toEqual(FAILED);
  expect(found(undefined, beyond)).toEqual(FAILED);
  expect(found(most, beyond)).toEqual(['pass']);
  expect(found('1000', most)).toEqual(['pass']);
});

test('an amount that is no text of base units is none, whatever was asked for', () => {
  expect(found(String(WORD), 5)).toEqual(FAILED);
  expect(found(String(WORD), '1.5e80')).toEqual(FAILED);
  expect(found(String(WORD), `0${String(WORD)}`)).toEqual(FAILED);
});
