import { describe, expect, test } from 'vitest';
import { PLAIN, type Ask } from './ask.ts';
import { chooseAsk, quoteOfListed } from './choose-ask.ts';
import { toldOf, type Courier } from '../probe/courier.ts';

const SERVED: Ask = { ...PLAIN.trade, json: { data: [{}] } };

/** Answers in their order, with how many requests their headers say are left. */
function courierOf(answers: readonly (readonly [status: number, left?: number, data?: object])[]): {
  readonly courier: Courier;
  readonly asked: Ask[];
} {
  const asked: Ask[] = [];
  const courier: Courier = (ask) => {
    const [status, left, data] = answers[asked.length] ?? [500];
    asked.push(ask);
    const headers = left === undefined ? [] : [['RateLimit', `"a";r=${left}`] as const];
    const request = { method: 'POST', url: 'http://a.test/', path: '/', headers: [], body: null };
    return Promise.resolve(
      toldOf(
        {
          ...{ id: 'x1', api: 'trade', purpose: { kind: 'unknown' }, relations: [], request },
          outcome: {
            kind: 'response',
            response: {
              status,
              headers,
              body: { encoding: 'utf8', text: JSON.stringify({ data }) },
            },
          },
          sentAtMs: asked.length,
          latencyMs: 1,
        },
        900,
      ),
    );
  };
  return { courier, asked };
}

describe('the request to probe with', () => {
  test.each([
    ['is the plain one where it is served', [[200]], false, 1],
    [
      'is the plain one where refusals count',
      [
        [400, 9],
        [400, 8],
      ],
      false,
      2,
    ],
    ['is the plain one where that met the limit', [[400], [429]], false, 2],
    ['is one that is served where refusals may not count', [[400, 9], [400, 9], [200]], true, 3],
    ['is the plain one where no other is served', [[400], [400], [400]], false, 3],
    ['is the plain one where it is not let in', [[403]], false, 1],
  ] as const)('%s', async (_, answers, other, count) => {
    const { courier, asked } = courierOf(answers);
    const { ask, sent } = await chooseAsk(PLAIN.trade, courier, () => Promise.resolve(SERVED));
    expect(ask).toBe(other ? SERVED : PLAIN.trade);
    expect(asked).toHaveLength(count);
    expect(sent).toHaveLength(count);
  });

  test('is the plain one where nothing is known to be served', async () => {
    const { courier, asked } = courierOf([[400], [400]]);
    const { ask } = await chooseAsk(PLAIN.trade, courier, () => Promise.resolve(undefined));
    expect(ask).toBe(PLAIN.trade);
    expect(asked).toHaveLength(2);
  });
});

test.each([
  ['text', ['0xabc']],
  ['objects', [{ address: '0xabc' }]],
])('a quote takes chain, token and provider from the listings; tokens as %s', async (_, tokens) => {
  const { courier, asked } = courierOf([
    [200, 9, { '10': [{ id: 'uni' }] }],
    [200, 9, { pools: [{ tokens }] }],
  ]);
  expect((await quoteOfListed(courier))?.json).toMatchObject({
    fromChain: 10,
    data: [{ destToken: '0xabc', toChain: 10, protocol: 'uni' }],
  });
  expect(asked.map(({ path }) => path)).toEqual([
    '/v1/config/providers',
    '/v1/pools?chainId=10&limit=1',
  ]);
  expect(await quoteOfListed(courierOf([[503]]).courier)).toBeUndefined();
});
