import { expect, test } from 'vitest';
import { contractOf, success } from '../document/contract-of.testkit.ts';
import { exchangeOf } from '../judging/exchange.testkit.ts';
import { judge } from '../judging/judge.ts';
import { REGISTRY } from '../service/registry.ts';
import type { WireSketch } from '../judging/verdicts.testkit.ts';
import { verdictOf } from '../judging/verdicts.testkit.ts';

const NATIVE = '0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE';
const ERC20 = '0x1000000000000000000000000000000000000001';

function quoted(srcToken: string, depth: number): WireSketch {
  let nested: unknown = 1;
  for (let level = 0; level < depth; level += 1) nested = { a: nested };
  return {
    method: 'POST',
    path: '/v1/quote',
    sent: { srcToken, unknown: nested },
    answered: { status: 'success', data: { amountOut: '1', path: [] } },
  };
}

test.each([
  ['an ERC20 token', ERC20, 1, 'fail /data/approvalData'],
  ['the native token', NATIVE, 1, 'pass'],
  // Nobody knows what a request spends that is nested too deeply to be read.
  ['the native token, nested deeply', NATIVE, 300, 'pass'],
])('an approval that is missing for %s', (_, token, depth, verdict) => {
  expect(verdictOf('zap.quote.response-shape', quoted(token, depth))).toBe(verdict);
});

test('a fault that a document of others marks with a facet is a fault of the shape', async () => {
  const amount = { type: 'integer', 'x-facet': 'base-units' };
  const data = { type: 'object', properties: { approvalData: amount, amount } };
  const contract = await contractOf({
    '/x': { get: { operationId: 'x', responses: success({ properties: { data } }) } },
  });
  const answered = { data: { approvalData: 'a', amount: 'b' } };
  const exchange = exchangeOf({ api: 'ai', path: '/x', answered });
  const results = judge(REGISTRY.ofRun(contract), contract, [exchange]);
  const { findings } = results.find(({ rule }) => rule.id === 'ai.x.response-shape') ?? {};
  expect(findings?.map(({ pointer }) => pointer)).toEqual(['/data/approvalData', '/data/amount']);
});

test('an answer that takes too much to be judged leaves its rule, and so the run, without a verdict', async () => {
  const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
  // A text takes two to the power of 40 steps.
  const chain = Array.from({ length: 40 }, (_, at) => [
    `S${at}`,
    { allOf: [ref(`S${at + 1}`), ref(`S${at + 1}`)] },
  ]);
  const contract = await contractOf(
    {
      '/x': { get: { operationId: 'x', responses: success({ anyOf: [{ const: 1 }, ref('S0')] }) } },
    },
    { schemas: { ...(Object.fromEntries(chain) as object), S40: { type: 'string' } } },
  );
  const [good, slow] = [1, 'a'].map((answered) => exchangeOf({ api: 'ai', path: '/x', answered }));
  const reason = '1 of the answers took too much to be judged, as JSON or by their schema';
  const resultOf = (...exchanges: (typeof good)[]): unknown =>
    judge(
      REGISTRY.ofRun(contract),
      contract,
      exchanges.filter((one) => one !== undefined),
    ).find(({ rule }) => rule.id === 'ai.x.response-shape');
  expect(resultOf(slow)).toMatchObject({ verdict: 'inconclusive', reason, unjudged: 1 });
  expect(resultOf(good, slow)).toMatchObject({ verdict: 'pass', reason, unjudged: 1 });
});
