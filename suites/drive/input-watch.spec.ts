import { expect, test } from 'vitest';
import { loadContract } from '../../contracts/service/load-contract.ts';
import type { ExchangeSketch } from '../../contracts/judging/exchange.testkit.ts';
import { ACCEPTED_INPUTS } from '../../contracts/service/rules/inputs/accepted-inputs.ts';
import type { Purpose } from '../../contracts/wire/exchange.ts';
import { answered } from './answered.testkit.ts';
import { watchInputs } from './input-watch.ts';

const contract = await loadContract();
const DECIMALS = 'given';
const LARGE = 'given';

/** The row with this end of its id, of zap requests. */
function rowOf(name: string): (typeof ACCEPTED_INPUTS)[number] {
  const row = ACCEPTED_INPUTS.find(({ id }) => id === `zap.requests.${name}`);
  if (row === undefined) throw new Error(`there is no row ${name}`);
  return row;
}

/** Whether the inputs are known to be taken, by operation, after one quote with a slippage of 0.5. */
async function watched(
  answer: ExchangeSketch,
  purpose: Purpose = { kind: 'valid' },
): Promise<(name: string, operation: string, input: string) => boolean> {
  const { session } = answered(contract, () => answer);
  const watch = watchInputs(session, ACCEPTED_INPUTS);
  const json = { slippage: 0.5, amount: '1000' };
  await session.client.send({ api: 'zap', method: 'POST', path: '/v1/quote', json, purpose });
  return (name, operation, input) => watch.isServed(rowOf(name), operation, input);
}

test('an input that was served once need not be asked for again', async () => {
  const isServed = await watched({ answered: { data: {} } });
  expect(isServed('decimal-slippage-accepted', 'zap.quote', DECIMALS)).toBe(true);
});

test('of another operation, another input or another rule nothing is known yet', async () => {
  const isServed = await watched({ answered: { data: {} } });
  expect(isServed('decimal-slippage-accepted', 'zap.build-tx', DECIMALS)).toBe(false);
  expect(isServed('decimal-slippage-accepted', 'zap.quote', 'another form')).toBe(false);
  expect(isServed('large-amount-accepted', 'zap.quote', LARGE)).toBe(false);
});

test.each<[string, ExchangeSketch]>([
  ['refused', { status: 400, answered: { code: 'INVALID_REQUEST' } }],
  ['throttled', { status: 429, answered: { code: 'RATE_LIMITED' } }],
  ['failed', { status: 500 }],
  ['not answered', { failure: 'timeout' }],
])('an input that was %s is still to be asked for', async (_, answer) => {
  const isServed = await watched(answer);
  expect(isServed('decimal-slippage-accepted', 'zap.quote', DECIMALS)).toBe(false);
});

test('nor does a wrong request that is served all the same show that its input is taken', async () => {
  const isServed = await watched({ answered: {} }, { kind: 'invalid', defect: 'missing account' });
  expect(isServed('decimal-slippage-accepted', 'zap.quote', DECIMALS)).toBe(false);
});
