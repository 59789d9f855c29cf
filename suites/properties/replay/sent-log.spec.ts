import { expect, test } from 'vitest';
import type { ClientRequest } from '../../../target/transport/client.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { logging, ReplayEnded } from './sent-log.ts';

let sent = 0;
const client = {
  send: ({ api, purpose }: ClientRequest): Promise<Exchange> => {
    sent += 1;
    return Promise.resolve({
      ...{ id: `x${sent}`, api, purpose, relations: [], sentAtMs: 0, latencyMs: 1 },
      request: { method: 'GET', url: '', path: '', headers: [], body: null },
      outcome: { kind: 'failure', failure: 'closed', message: '' },
    });
  },
  listen: () => () => undefined,
};

function requestOf(number: number): ClientRequest {
  return {
    ...{ api: 'zap', method: 'POST', path: `/v1/quote?${number}`, purpose: { kind: 'valid' } },
    headers: [['Idempotency-Key', `key ${number}`]],
    relations: [{ kind: 'pair', group: `trial-${Math.floor(number / 2)}`, role: 'A' }],
  };
}

test('a request of long ago is reported as it was sent, with those of its group', async () => {
  const { client: logged, log, mark } = logging(client);
  const secretsIn = (): Record<string, string> => ({});
  const bytes = new Uint8Array([0, 255, 128]);
  const odd = await logged.send({ ...requestOf(-1), rawBody: bytes, secretsIn });
  const ids: string[] = [];
  for (let number = 0; number < 2_400; number += 1) {
    mark(number < 1_200 ? undefined : `zap.quote:${number}`);
    ids.push((await logged.send(requestOf(number))).id);
  }
  for (const number of [0, 1, 777, 1_300, 2_399]) {
    const { relations, ...request } = requestOf(number);
    const origin = number < 1_200 ? `drive:${number + 2}` : `zap.quote:${number}`;
    expect(log.requestOf(ids[number] ?? '')).toEqual({ request, relations, origin });
  }
  const [first, second, ...more] = log.groupOf({ kind: 'pair', group: 'trial-3' });
  expect([first?.request.path, second?.request.path, more]).toEqual([
    '/v1/quote?6',
    '/v1/quote?7',
    [],
  ]);
  const { rawBody, secretsIn: reported } = log.requestOf(odd.id)?.request ?? {};
  expect([...(rawBody as Uint8Array)]).toEqual([...bytes]);
  expect(reported).toBe(secretsIn);
  expect(log.requestOf('x0')).toBeUndefined();
});

test('rounds of a drive count their requests from the start, and a replay ends in the one it names', async () => {
  const { client: logged, log, beginRound, resume } = logging(client, 'round2:2');
  const first = await logged.send(requestOf(0));
  await logged.send(requestOf(1));
  beginRound('round2');
  await logged.send(requestOf(2));
  const last = await logged.send(requestOf(3));
  await expect(logged.send(requestOf(4))).rejects.toBeInstanceOf(ReplayEnded);
  resume();
  await logged.send(requestOf(5));
  expect(log.requestOf(first.id)?.origin).toBe('drive:1');
  expect(log.requestOf(last.id)?.origin).toBe('round2:2');
});
