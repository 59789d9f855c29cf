import { expect, test } from 'vitest';
import { loadContract } from '../../contracts/service/load-contract.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { ClientRequest } from '../../target/transport/client.ts';
import type { Session } from '../driven-service.ts';
import { driveTransport, driveTransportErrors } from './transport.ts';

const contract = await loadContract();
const [POST, PATH] = ['POST', '/v1/buildTx'];

/** What is sent, each with its defect or what it is about. */
async function sent(drive: (session: Session) => Promise<void>): Promise<unknown[][]> {
  const requests: ClientRequest[] = [];
  const send = (request: ClientRequest): Promise<Exchange> => {
    requests.push(request);
    return Promise.resolve({} as Exchange);
  };
  await drive({ client: { send }, contract } as unknown as Session);
  return requests.map(({ purpose, method, path, rawBody, credential, headers = [] }) => {
    expect(credential).toBeUndefined();
    const what = purpose.kind === 'invalid' ? purpose.defect : purpose;
    return [what, method, path, rawBody, headers[0]?.[1]];
  });
}

test('what is wrong before any field is looked at is the same each time', async () => {
  const errors = (): Promise<unknown[][]> =>
    sent((session) => driveTransportErrors(session, 'trade.build-tx'));
  const first = await errors();
  expect(first).toEqual([
    ['unknown route', 'GET', `${PATH}-unknown`, undefined, undefined],
    ['wrong method', 'DELETE', PATH, undefined, undefined],
    ['malformed JSON', POST, PATH, '{', 'application/json'],
    ['empty body', POST, PATH, '', 'application/json'],
    ['an array as body', POST, PATH, '[{}]', 'application/json'],
    ['wrong content type', POST, PATH, '{}', 'text/plain'],
  ]);
  expect(await errors()).toEqual(first);
});

test('a body that was served is too large, and two defects come again', async () => {
  const [oversized, ...others] = await sent((session) =>
    driveTransport(session, 'trade.build-tx', { served: true }),
  );
  expect(oversized?.slice(0, 3)).toEqual(['oversized body', POST, PATH]);
  expect(oversized?.[3]).toMatch(/^\{"served":true,"padding":"x{300000}"\}$/);
  expect(others).toEqual([
    ['unknown route', 'GET', `${PATH}-unknown`, undefined, undefined],
    ['malformed JSON', POST, PATH, '{', 'application/json'],
    [{ kind: 'probe', about: 'OPTIONS' }, 'OPTIONS', PATH, undefined, undefined],
  ]);
});
