import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { createClient, CredentialUnchangeable } from '../transport/client.ts';
import type { ClientRequest } from '../transport/client.ts';
import { createFakeClock } from '../../fixtures/clocks/fake-clock.testkit.ts';
import { fromFetch } from '../transport/fetch-transport.ts';
import { createGovernor } from '../budget/governor.ts';
import { changedKey } from '../config/key-change.ts';
import { createRedactor } from './redactor.ts';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';

const KEY = 'Trade-Key-0123456789-Xyz';
const request = { api: 'trade', method: 'GET', path: '/', purpose: { kind: 'valid' } } as const;

/** A client whose target answers with what it was sent, in every way. */
function echoing(): { send: (more: Partial<ClientRequest>) => Promise<Exchange>; sent: string[] } {
  const clock = createFakeClock();
  const sent: string[] = [];
  const client = createClient({
    isThrottled: TYPED_ERRORS.isThrottled,
    config: { tradeUrl: 'http://127.0.0.1:2', timeoutMs: 1_000, maxBodyBytes: 1_000_000 },
    transport: fromFetch((asked) => {
      const credential = (asked.headers.get('Authorization') ?? '').replace('Bearer ', '');
      sent.push(credential);
      const encoded = Buffer.from(credential).toString('base64');
      return Response.json(
        { credential, encoded },
        { status: 401, headers: { 'X-Key': credential } },
      );
    }),
    redactor: createRedactor({ ASSAY_TRADE_KEY: KEY, ASSAY_SECRET_SHORT: 'a-short-one' }),
    governor: createGovernor({
      waitIn: TYPED_ERRORS.waitIn,
      budget: { maxRequests: 100, maxSeconds: 1_000, maxRejects: 100 },
      clock,
    }),
    clock,
  });
  return { send: (more) => clock.run(client.send({ ...request, ...more })), sent };
}

describe('a key like a secret', () => {
  test.each([
    ['extended', `${KEY}x7Kq`],
    ['shortened', KEY.slice(0, -2)],
    ['other-case', 'tRADE-kEY-0123456789-xYZ'],
  ] as const)('%s is sent, and no part of it recorded', async (change, value) => {
    const { send, sent } = echoing();
    const exchange = await send({ credential: { like: 'ASSAY_TRADE_KEY', change } });
    expect(sent).toEqual([value]);
    const name = `$ASSAY_TRADE_KEY_${change.toUpperCase().replace('-', '_')}`;
    expect(exchange.request.headers).toContainEqual(['Authorization', `Bearer ${name}`]);
    const record = JSON.stringify(exchange).toLowerCase();
    for (const part of [value, value.slice(0, -2), KEY.slice(0, 12)]) {
      expect(record).not.toContain(part.toLowerCase());
      expect(record).not.toContain(Buffer.from(part).toString('base64').slice(0, 12).toLowerCase());
    }
  });

  test('of one that a target issued is kept out of records as that one is', () => {
    const redactor = createRedactor({});
    const issued = 'ask_00112233445566778899aabbccddeeff';
    redactor.learn('KEY_1', issued);
    redactor.addLike('KEY_1', 'KEY_1_SHORTENED', issued.slice(0, -2));
    expect(redactor.text(`key ${issued.slice(0, -2)} and ${issued}`)).toBe(
      'key $KEY_1_SHORTENED and $KEY_1',
    );
  });

  test('is none if it would be the same, or as good as known', async () => {
    const { send, sent } = echoing();
    const credential = { like: 'ASSAY_SECRET_SHORT', change: 'shortened' } as const;
    await expect(send({ credential })).rejects.toThrow(CredentialUnchangeable);
    expect(sent).toEqual([]);
    expect(changedKey('ask_0011AABBCCddeeff99', 'other-case')).toBeUndefined();
    expect(changedKey('ABCDEFGHIJKLMNOPQRST', 'other-case')).toBeUndefined();
  });
});

test('a header field whose whole value is a secret holds its name, also if that has a scheme', () => {
  const redactor = createRedactor({
    ASSAY_SECRET_BOOKS: 'Bearer bk-4f9A2b77',
    ASSAY_TRADE_KEY: 'a-trade-key',
  });
  expect(
    redactor.headers([
      ['Authorization', 'Bearer bk-4f9A2b77'],
      ['Cookie', 'a-trade-key'],
    ]),
  ).toEqual([
    ['Authorization', '$ASSAY_SECRET_BOOKS'],
    ['Cookie', '$ASSAY_TRADE_KEY'],
  ]);
});
