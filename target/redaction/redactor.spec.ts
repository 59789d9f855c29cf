/** Long because each form of a secret, and each place, is tried. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { bodyOf, bytesOf } from '../body/body.ts';
import { createRedactor } from './redactor.ts';
import { SecretUnfit } from '../secrets/unfit-secret.ts';
import { secretsOf } from '../config/secrets.ts';

const KEY = 'sk/live+a"b\\c d=é😀';
const NAME = 'ASSAY_TRADE_KEY';

function exchangeWith(text: string, bytes: Uint8Array = Buffer.from(text)): Exchange {
  return {
    id: 'x00001',
    api: 'trade',
    purpose: { kind: 'invalid', defect: text },
    relations: [{ kind: 'replay', group: text, role: 'A' }],
    request: {
      method: 'POST',
      url: `http://127.0.0.1/v1/quotes?q=${text}`,
      path: `/v1/quotes?q=${text}`,
      headers: [
        ['Authorization', `Bearer ${text}`],
        ['Idempotency-Key', text],
      ],
      body: bodyOf(bytes),
    },
    outcome: {
      kind: 'response',
      response: { status: 401, headers: [['X-Echo', text]], body: bodyOf(bytes) },
    },
    sentAtMs: 0,
    latencyMs: 1,
  };
}

/** The spellings of a secret that must not be found in a record. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    encodeURIComponent(secret).replace(/%../g, (triplet) => triplet.toLowerCase()),
    new URLSearchParams({ s: secret }).toString().slice(2),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    encodeURIComponent(bytes.toString('base64')),
    JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  ];
}

const secretArbitrary = fc.string({ unit: 'binary', minLength: 10, maxLength: 40 });

describe('secrets', () => {
  test('are replaced in every spelling', () => {
    const redactor = createRedactor({ [NAME]: KEY });
    for (const spelling of spellings(KEY)) {
      expect(redactor.text(`<${spelling}>`), spelling).toBe(`<$${NAME}>`);
    }
  });

  test('a secret in base64 in a query is found behind a percent sign that spells another character', () => {
    // Its base64 begins with hex digits, and holds both characters that a query escapes.
    const secret = 'i\u00b7\u00df\u00fb\u00ff\u00bf-secret';
    const query = encodeURIComponent(Buffer.from(secret).toString('base64'));
    expect(query).toMatch(/^[0-9a-fA-F]{2}.*%2[BF]/);
    const { text } = createRedactor({ ASSAY_SECRET_A: secret });
    expect(text(`q=%${query}`)).toContain('$ASSAY_SECRET_A');
  });

  test('no secret survives in a recorded line', () => {
    fc.assert(
      fc.property(
        secretArbitrary,
        fc.string(),
        fc.string(),
        fc.integer({ min: 0, max: 8 }),
        (secret, before, after, which) => {
          const spelling = spellings(secret)[which] ?? secret;
          const redactor = createRedactor({ [NAME]: secret });
          const line = JSON.stringify(redactor.exchange(exchangeWith(before + spelling + after)));
          // Read back, so that the escapes of the line itself hide nothing.
          const texts: string[] = [line];
          JSON.parse(line, (_key, value: unknown) => {
            if (typeof value === 'string') texts.push(value);
            return value;
          });
          for (const text of texts) {
            for (const found of spellings(secret)) expect(text).not.toContain(found);
          }
        },
      ),
      { numRuns: 120 },
    );
  });

  test('no secret survives among bytes that are not text', () => {
    fc.assert(
      fc.property(secretArbitrary, fc.uint8Array(), fc.uint8Array(), (secret, before, after) => {
        const redactor = createRedactor({ [NAME]: secret });
        const bytes = Buffer.concat([before, Buffer.from([0xff]), Buffer.from(secret), after]);
        const redacted = redactor.body(bodyOf(bytes));
        expect(Buffer.from(bytesOf(redacted)).includes(Buffer.from(secret))).toBe(false);
        expect(Buffer.from(bytesOf(redacted)).includes(`$${NAME}`)).toBe(true);
      }),
      { numRuns: 120 },
    );
  });

  test('text without a secret is left as it is', () => {
    const redactor = createRedactor({ [NAME]: KEY });
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(redactor.text(text)).toBe(text);
      }),
    );
  });

  test('are found inside Basic credentials in other fields', () => {
    const redactor = createRedactor({ [NAME]: 'correct-horse-battery' });
    for (const user of ['', 'a', 'ab', 'abc']) {
      const basic = Buffer.from(`${user}:correct-horse-battery!`).toString('base64');
      expect(redactor.text(`echo ${basic}`)).toContain(`$${NAME}`);
    }
  });

  test('the longer of two goes first, and replacements are not searched again', () => {
    const redactor = createRedactor({ ASSAY_SECRET_A: 'TRADE_KEY', [NAME]: 'TRADE_KEY_LONG' });
    expect(redactor.text('TRADE_KEY_LONG and TRADE_KEY')).toBe(`$${NAME} and $ASSAY_SECRET_A`);
  });

  test('can be added while running, and revealed to whoever sends them', () => {
    const redactor = createRedactor({});
    expect(redactor.text('claimed-key')).toBe('claimed-key');
    redactor.add('CLAIMED', 'claimed-key');
    expect(redactor.text('claimed-key')).toBe('$CLAIMED');
    expect(redactor.reveal('CLAIMED')).toBe('claimed-key');
    expect(redactor.reveal('OTHER')).toBeUndefined();
  });

  test('short ones are refused, by name alone', () => {
    const attempt = (): unknown => createRedactor({ [NAME]: 'abc' });
    expect(attempt).toThrow(SecretUnfit);
    expect(attempt).toThrow(/ASSAY_TRADE_KEY is shorter than 4/);
    expect(attempt).not.toThrow(/abc/);
  });

  test('long ones are refused likewise, but no key is that long', () => {
    const attempt = (): unknown => createRedactor({ [NAME]: 'Ab9/'.repeat(8_193) });
    expect(attempt).toThrow(/ASSAY_TRADE_KEY is longer than 32768 characters/);
    expect(attempt).not.toThrow(/Ab9/);
    expect(createRedactor({ [NAME]: 'Ab9/'.repeat(1_000) }).text('Ab9/'.repeat(1_000))).toBe(
      '$ASSAY_TRADE_KEY',
    );
  });

  test('come from the environment, empty ones left out', () => {
    const env = { ASSAY_TRADE_KEY: '', ASSAY_SECRET_GATE: 'open', ASSAY_OUT: 'x', HOME: '/root' };
    expect(secretsOf(env)).toEqual({ ASSAY_SECRET_GATE: 'open' });
  });
});

describe('credentials by nature', () => {
  const redactor = createRedactor({ [NAME]: 'known-key' });
  redactor.markPublic('not-a-key');

  test.each([
    ['Authorization', 'Bearer known-key', `Bearer $${NAME}`],
    ['authorization', 'Bearer somebody-elses', 'Bearer [redacted]'],
    ['Authorization', 'Bearer known-key and more', 'Bearer [redacted]'],
    ['Authorization', 'Basic dXNlcjpwYXNz', 'Basic [redacted]'],
    ['Authorization', 'hidden word', '[redacted]'],
    ['Authorization', 'Bearer not-a-key', 'Bearer not-a-key'],
    ['Authorization', 'Bearer', '[redacted]'],
    ['Authorization', '', ''],
    ['Proxy-Authorization', 'Digest x', 'Digest [redacted]'],
    ['Cookie', 'session=1', '[redacted]'],
    ['Set-Cookie', 'session=1; Secure', '[redacted]'],
    ['X-API-Key', 'somebody-elses', '[redacted]'],
    ['X-Api-Key', 'known-key', `$${NAME}`],
    ['X-Other', 'stays', 'stays'],
    ['X-Other', 'known-key', `$${NAME}`],
  ])('%s: %s', (name, value, expected) => {
    const once = redactor.headers([[name, value]]);
    expect(once).toEqual([[name, expected]]);
    expect(redactor.headers(once), 'redacted again').toEqual(once);
  });
});

test('a secret that is a word of ours leaves what kind of request it was', () => {
  const { exchange } = createRedactor({ ASSAY_SECRET_A: 'valid', ASSAY_SECRET_B: 'kind' });
  const recorded = exchange({
    id: 'x00001',
    api: 'zap',
    purpose: { kind: 'valid' },
    relations: [{ kind: 'kind', group: 'valid', role: 'A' }],
    request: { method: 'GET', url: 'http://127.0.0.1/', path: '/', headers: [], body: null },
    outcome: { kind: 'failure', failure: 'timeout', message: 'none' },
    sentAtMs: 1,
    latencyMs: 1,
  });
  expect(recorded.purpose).toEqual({ kind: 'valid' });
  expect(recorded.relations[0]).toEqual({ kind: 'kind', group: '$ASSAY_SECRET_A', role: 'A' });
});

test('a request that is sent many times is redacted as each of its exchanges', () => {
  const secrets = { ASSAY_TRADE_KEY: 'key-of-the-trade', ASSAY_SECRET_GATE: 'gate-word' };
  const exchange: Exchange = {
    id: 'x00001',
    api: 'trade',
    purpose: { kind: 'probe', about: 'what gate-word opens' },
    relations: [{ kind: 'twin', group: 'gate-word', role: 'A' }],
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:1/v1/quotes?of=gate-word',
      path: '/v1/quotes?of=gate-word',
      headers: [
        ['Authorization', 'Bearer key-of-the-trade'],
        ['X-Gate', 'gate-word'],
      ],
      body: { encoding: 'utf8', text: '{"a":"gate-word"}' },
    },
    outcome: {
      kind: 'response',
      response: {
        status: 200,
        headers: [['X-Echo', 'key-of-the-trade']],
        body: { encoding: 'utf8', text: '{"echo":"key-of-the-trade"}' },
      },
    },
    sentAtMs: 1,
    latencyMs: 1,
  };
  const redactor = createRedactor(secrets);
  const { sent, outcome } = redactor.sending(exchange);
  const redacted = { ...exchange, ...sent, outcome: outcome(exchange.outcome) };
  expect(redacted).toEqual(redactor.exchange(exchange));
  for (const secret of Object.values(secrets)) {
    expect(JSON.stringify(redacted)).not.toContain(secret);
  }
});

test('a credential in an answer is masked though no secret is known', () => {
  const exchange = exchangeWith('{}');
  const headers = [['Set-Cookie', 'session=of-somebody']] as const;
  const body = bodyOf(Buffer.from('{}'));
  const answer = { kind: 'response', response: { status: 200, headers, body } } as const;
  const redacted = createRedactor({}).sending(exchange).outcome(answer);
  expect(JSON.stringify(redacted)).not.toContain('of-somebody');
});
