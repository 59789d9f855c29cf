import { describe, expect, test } from 'vitest';
import type { ApiName, Exchange } from '../../contracts/wire/exchange.ts';
import type { Redactor } from './redactor.ts';
import { createRedactor } from './redactor.ts';
import { LearnedSecrets, reachOf } from './learned-secrets.ts';
import { SeenWords } from './seen-words.ts';

const KEY = 'key_4f9a1c77e02b4d5f';
const NAME = 'ASSAY_AGENT_KEY_1';

function answered(
  ...[api, status, text, header = 'x', key = 'made-up']: [ApiName, number, string, string?, string?]
): Exchange {
  return {
    ...{ id: 'x00001', api, purpose: { kind: 'valid' }, relations: [], sentAtMs: 0, latencyMs: 1 },
    request: {
      ...{ method: 'POST', url: `http://127.0.0.1/${api}/v1/quote`, path: '/v1/quote' },
      ...{ headers: [['Authorization', `Bearer ${key}`]], body: null },
    },
    outcome: {
      kind: 'response',
      response: { status, headers: [['X-Echo', header]], body: { encoding: 'utf8', text } },
    },
  };
}

function bodyAndHeader({ outcome }: Exchange): string {
  if (outcome.kind === 'failure') return outcome.message;
  const { headers, body } = outcome.response;
  return `${headers[0]?.[1] ?? ''} ${body.text}`;
}

describe('how far a credential that a target issued is hidden', () => {
  const seen = new SeenWords();
  seen.addText('"id":"uniswap-v3","logo":"https://icons.example/v3/logo-1.png"');

  test.each([
    [KEY, 'everywhere'],
    ['WXJpZ2h0+/32kq=', 'everywhere'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.3q2-7wAB', 'everywhere'],
    ['AbCdEfGhIjKlMnOpQrStUvWxYz', 'everywhere'],
    // It may be an id, a hash or data.
    ['4f9a1c77e02b4d5f4f9a1c77e02b4d5f', 'outside-successes'],
    ['550e8400-e29b-41d4-a716-446655440000', 'outside-successes'],
    // It was seen before, or is made of what was.
    ['uniswap-v3', 'credentials'],
    ['icons.example/v3', 'credentials'],
    // Numbers, addresses, words, names.
    ['10000000000000000000', 'credentials'],
    ['3123.456789', 'credentials'],
    ['0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', 'credentials'],
    ['RATE_LIMITED', 'credentials'],
    ['minReturn', 'credentials'],
    ['estimatedDuration', 'credentials'],
    ['.well-known/oauth-protected-resource', 'credentials'],
    ['WDJB-MJHT', 'credentials'],
    [`j${'w7'.repeat(300)}`, 'credentials'],
    // No tokens.
    ['{"data":{"', 'header'],
    ['\\'.repeat(40), 'header'],
    ['$ASSAY_TRADE_KEY', 'header'],
    ['sh0rt', 'header'],
    ['a1'.repeat(100_000), 'header'],
  ])('%.40s: %s', (value, reach) => {
    expect(reachOf(value, seen)).toBe(reach);
  });
});

describe('a credential that was learned', () => {
  function learned(value = KEY): Redactor {
    const redactor = createRedactor({});
    redactor.exchange(answered('zap', 200, '{"provider":"dex-1x2y3z4w"}'));
    redactor.learn(NAME, value);
    return redactor;
  }

  test.each<[ApiName, number, string]>([
    ['docs', 200, `"id":"of-${KEY}-1", "${Buffer.from(KEY).toString('base64')}"`],
    ['trade', 401, `"message":"the key ${KEY}. is revoked"`],
    ['zap', 500, `{"message":"${KEY}"}`],
    ['trade', 200, `{"additionalInfo":{"key":"${KEY}"}}`],
  ])('is hidden in answers of %s with status %i', (api, status, text) => {
    const redacted = learned().exchange(answered(api, status, text, `key=${KEY};v=1`, KEY));
    expect(bodyAndHeader(redacted)).not.toContain(KEY);
    expect(redacted.request.headers).toEqual([['Authorization', `Bearer $${NAME}`]]);
  });

  test('that looks like an id is hidden in the answer to the request that carried it', () => {
    const key = '4f9a1c77e02b4d5f4f9a1c77e02b4d5f';
    const text = `{"requestId":"${key}","txId":"0x${key}"}`;
    const carried = learned(key).exchange(answered('trade', 200, text, 'x', key));
    expect(bodyAndHeader(carried)).toBe(`x {"requestId":"$${NAME}","txId":"0x${key}"}`);
    const other = learned(key).exchange(answered('trade', 200, text));
    expect(bodyAndHeader(other)).toBe(`x ${text}`);
  });

  test('in a success of zap or trade it is nothing but a whole word', () => {
    const base64 = Buffer.from(KEY).toString('base64');
    const text = `{"a":"x${KEY}","b":"${KEY}-2","c":"${base64}"}`;
    expect(bodyAndHeader(learned().exchange(answered('zap', 200, text)))).toContain(text);
  });

  test.each([
    '{"data":{"',
    '"status":"',
    'dex-1x2y3z4w',
    '0xabcdef0123456789',
    'amountOut',
    '1000000000',
    'deadbeef00112233',
  ])('and was %s: an answer of zap is left as it is', (value) => {
    const text = `{"status":"success","data":{"provider":"dex-1x2y3z4w","amountOut":"1000000000","txnId":"0xabcdef0123456789","requestId":"deadbeef00112233"}}`;
    const redacted = learned(value).exchange(answered('zap', 200, text));
    expect(bodyAndHeader(redacted)).toBe(`x ${text}`);
  });

  test('no value of it reaches a header of credentials, not even one that looks like a name', () => {
    const redactor = createRedactor({ ASSAY_TRADE_KEY: 'the-trade-key' });
    const sent = (value: string): string | undefined => {
      const exchange = answered('trade', 200, '{}');
      const request = {
        ...exchange.request,
        headers: [['Authorization', `Bearer ${value}`]] as const,
      };
      return redactor.exchange({ ...exchange, request }).request.headers[0]?.[1];
    };
    expect(sent('$ASSAY_TRADE_KEY')).toBe('Bearer [redacted]');
    redactor.learn(NAME, '$ASSAY_TRADE_KEY');
    expect(sent('$ASSAY_TRADE_KEY')).toBe(`Bearer $${NAME}`);
    redactor.learn('ASSAY_AGENT_KEY_2', '{"a":1}');
    expect(sent('{"a":1}')).toBe('Bearer $ASSAY_AGENT_KEY_2');
  });

  test('in the exchange that claims it, words are hidden as well, as whole ones', () => {
    const redactor = learned('WDJB-MJHT');
    const exchange = answered('docs', 200, '{"user_code":"WDJB-MJHT","of":"WDJB-MJHT-1"}');
    expect(bodyAndHeader(redactor.exchange(exchange, { claims: true }))).toBe(
      `x {"user_code":"$${NAME}","of":"WDJB-MJHT-1"}`,
    );
    expect(redactor.notices()).toEqual([]);
    redactor.reveal(NAME);
    expect(redactor.notices()).toEqual([expect.stringContaining(NAME)]);
  });

  test('under a secret of the environment keeps that name and is hidden everywhere', () => {
    const redactor = createRedactor({ ASSAY_TRADE_KEY: 'success' });
    redactor.learn(NAME, 'success');
    const redacted = redactor.exchange(answered('zap', 200, '"success"'));
    expect(bodyAndHeader(redacted)).toBe('x "$ASSAY_TRADE_KEY"');
  });
});

test('of very many the newest are kept, none can make it slow, and no error shows a secret', () => {
  const redactor = createRedactor({ ASSAY_TRADE_KEY: 'the-trade-key' });
  const keyOf = (index: number): string => `key_${index}_4f9a1c77e02b`;
  for (let index = 0; index < 100_000; index += 1) redactor.learn(`K${index}`, keyOf(index));
  const said = redactor.text(`${keyOf(99_999)} ${keyOf(99_940)} ${keyOf(99_000)} the-trade-key`);
  expect(said).toBe(`$K99999 $K99940 ${keyOf(99_000)} $ASSAY_TRADE_KEY`);
});

test('of very many bearer values the newest are kept', () => {
  const redactor = createRedactor({});
  for (let index = 0; index < 1_000; index += 1) redactor.add('ASSAY_BEARER', `bearer-${index}-`);
  expect(redactor.text('bearer-999- bearer-940- bearer-1-')).toBe(
    '$ASSAY_BEARER $ASSAY_BEARER bearer-1-',
  );
});

test('what may be data is replaced in an error, and left in a success', () => {
  const redactor = createRedactor({});
  const hex = '4f9a1c77e02b4d5f4f9a1c77e02b4d5f';
  expect(redactor.learn(NAME, hex)).toBe('outside-successes');
  const text = `{"id":"${hex}"}`;
  expect(bodyAndHeader(redactor.exchange(answered('zap', 400, text)))).not.toContain(hex);
  expect(bodyAndHeader(redactor.exchange(answered('zap', 200, text)))).toContain(hex);
});

test('as many are looked for as there is room for, the newest', () => {
  const secrets = new LearnedSecrets();
  const values = Array.from({ length: 70 }, (_, at) => `value-number-${at}`);
  for (const value of values)
    expect(secrets.add({ name: NAME, value, reach: 'everywhere' })).toBe(true);
  expect(secrets.all().map(({ value }) => value)).toEqual(values.slice(-64));
});
