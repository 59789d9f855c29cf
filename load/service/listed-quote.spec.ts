import { expect, test } from 'vitest';
import { senderOf } from '../probe/answers-in-order.testkit.ts';
import { quoteOfListed } from './listed-quote.ts';

test.each([
  ['text', ['0xabc']],
  ['objects', [{ address: '0xabc' }]],
])('a quote takes chain, token and provider from the listings; tokens as %s', async (_, tokens) => {
  const { sender, asked } = senderOf([
    [200, 9, { '10': [{ id: 'uni' }] }],
    [200, 9, { pools: [{ tokens }] }],
  ]);
  expect((await quoteOfListed(sender))?.json).toMatchObject({
    fromChain: 10,
    data: [{ destToken: '0xabc', toChain: 10, protocol: 'uni' }],
  });
  expect(asked.map(({ path }) => path)).toEqual([
    '/v1/config/providers',
    '/v1/pools?chainId=10&limit=1',
  ]);
  expect(await quoteOfListed(senderOf([[503]]).sender)).toBeUndefined();
});
