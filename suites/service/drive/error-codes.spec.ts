import { expect, test } from 'vitest';
import { omit } from '../../../contracts/wire/json.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import type { ClientRequest } from '../../../target/transport/client.ts';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { errorCodes } from './error-codes.ts';

const contract = await loadContract();

const SERVED = { account: '0xa', sender: '0xb', slippage: 1, data: [], srcChainId: 7 };

/** What two calls send, of which the second is given another body. */
async function sentTwice(api: 'zap' | 'trade'): Promise<[ClientRequest[], ClientRequest[]]> {
  const sent: ClientRequest[] = [];
  const client = {
    send: (request: ClientRequest) => {
      sent.push(request);
      return Promise.resolve({} as Exchange);
    },
  };
  const ask = errorCodes({ client, contract }, api);
  await ask(undefined);
  expect(sent).toEqual([]);
  await ask(SERVED);
  const first = sent.splice(0);
  await ask({ account: '0xc' });
  return [first, sent];
}

test.each(['zap', 'trade'] as const)(
  'the same wrong requests are sent each time, %s',
  async (api) => {
    const [first, second] = await sentTwice(api);
    expect(first).toEqual(second);
    const defects = first.map(({ purpose }) => (purpose.kind === 'invalid' ? purpose.defect : ''));
    expect(defects.every((defect) => defect !== '')).toBe(true);
    expect(new Set(defects).size).toBe(defects.length);
    expect(defects.length).toBeGreaterThan(1);
    const missing = api === 'zap' ? 'account' : 'sender';
    const lacking = first.find(
      ({ purpose }) => purpose.kind === 'invalid' && purpose.defect === `missing ${missing}`,
    );
    expect(lacking?.rawBody).toBe(JSON.stringify(omit(SERVED, missing)));
  },
);
