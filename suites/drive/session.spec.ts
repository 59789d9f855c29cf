import { describe, expect, test } from 'vitest';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { answered } from './answered.testkit.ts';
import { sendValid, sessionWith, successJson } from './session.ts';

const contract = await loadContract();
const CHAINS = { api: 'zap', method: 'GET', path: '/v1/config/chains' } as const;

describe('during an outage a valid request', () => {
  test('is sent three times, and no more', async () => {
    const { session, sent } = answered(contract, () => ({ status: 503 }));
    expect(await sendValid(session, CHAINS)).toBeUndefined();
    expect(sent).toHaveLength(3);
  });

  test('is sent until it is served', async () => {
    const served = { data: { chains: [] } };
    const { session, sent } = answered(contract, (_, number) =>
      number === 1 ? { status: 502 } : { answered: served },
    );
    expect(await sendValid(session, CHAINS)).toEqual(served);
    expect(sent).toHaveLength(2);
  });

  test('is sent once if it meets another error', async () => {
    const { session, sent } = answered(contract, () => ({ status: 500 }));
    await sendValid(session, CHAINS);
    expect(sent).toHaveLength(1);
  });
});

test('a service that stays away is asked again twenty times in all, by whichever session', async () => {
  const { session, sent } = answered(contract, () => ({ status: 504 }));
  const beside = sessionWith(session, {});
  for (let request = 0; request < 20; request += 1) {
    await sendValid(request % 2 === 0 ? session : beside, CHAINS);
  }
  expect(sent).toHaveLength(40);
  expect([session.repetitionsLeft, beside.repetitionsLeft]).toEqual([0, 0]);
});

test('groups are counted over all sessions of a run', () => {
  const { session } = answered(contract, () => ({}));
  const beside = sessionWith(session, {});
  beside.groupCount += 1;
  session.groupCount += 1;
  expect([session.groupCount, beside.groupCount]).toEqual([2, 2]);
});

test.each([
  [200, true],
  [299, true],
  [199, false],
  [300, false],
  [400, false],
])('an answer with status %i has a body to learn from: %s', (status, isSuccess) => {
  const json = successJson(exchangeOf({ status, answered: { data: 1 } }));
  expect(json).toEqual(isSuccess ? { data: 1 } : undefined);
});
