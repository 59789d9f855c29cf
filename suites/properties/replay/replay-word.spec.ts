import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { ClientRequest } from '../../../target/transport/client.ts';
import type { Reproducer } from '../reproducer.ts';
import { parseReplay, ReplayError } from './replay.ts';
import { reproducerIn, MAX_WORD_CHARACTERS, wordOf } from './replay-word.ts';

const any = (): boolean => true;

function shown(request: Partial<ClientRequest>, role?: string): Reproducer[number] {
  const plain = { api: 'zap', method: 'POST', path: '/v1/quote', purpose: { kind: 'valid' } };
  const whole = { ...plain, ...request } as ClientRequest;
  return role === undefined ? { request: whole } : { request: whole, role };
}

/** A word for what somebody else wrote. */
function wordFor(json: unknown): string {
  return `requests:${deflateRawSync(JSON.stringify(json)).toString('base64url')}`;
}

const REQUEST = { api: 'zap', method: 'GET', path: '/v1/pools', purpose: { kind: 'valid' } };

/** The key of the environment, by its name. */
const KEY = { secret: 'ASSAY_TRADE_KEY' };

test('places in relations come back as they were, whatever the rule is about', () => {
  const place = { kind: 'pools-of-chain', group: '8453', role: 'list' };
  const reproducer: Reproducer = [{ ...shown({}), ...place }];
  expect(reproducerIn(wordOf({ reproducer }, any) ?? '')).toMatchObject({ reproducer: [place] });
});

test('requests come back to the byte, with their roles, purposes and what was said then', () => {
  const then = { pointer: '/data', expected: 'a thing', actual: 'another' };
  const reproducer = [
    shown({ json: { slippage: 1 } }, 'A'),
    shown({ rawBody: '{"a":1e400}', headers: [['Content-Type', 'text/plain']] }, 'B'),
    shown({ rawBody: '', purpose: { kind: 'invalid', defect: 'no body' } }),
    shown({ api: 'trade', credential: KEY, purpose: { kind: 'probe', about: 'it' } }),
    shown({ api: 'trade', credential: { bearer: 'made-up', public: true } }),
  ];
  const word = wordOf({ then, reproducer }, any) ?? '';
  expect(word).toMatch(/^requests:[\w-]+$/);
  const plain = { api: 'zap', method: 'POST', path: '/v1/quote', credential: 'none' };
  expect(reproducerIn(word)).toEqual({
    then,
    reproducer: [
      {
        role: 'A',
        request: {
          ...plain,
          purpose: { kind: 'valid' },
          headers: [['Content-Type', 'application/json']],
          rawBody: '{"slippage":1}',
        },
      },
      {
        role: 'B',
        request: {
          ...plain,
          purpose: { kind: 'valid' },
          headers: [['Content-Type', 'text/plain']],
          rawBody: '{"a":1e400}',
        },
      },
      { request: { ...plain, purpose: { kind: 'invalid', defect: 'no body' }, rawBody: '' } },
      {
        request: {
          ...plain,
          ...{ api: 'trade', credential: KEY, purpose: { kind: 'probe', about: 'it' } },
        },
      },
      {
        request: {
          ...plain,
          ...{ api: 'trade', credential: { bearer: 'made-up', public: true } },
          purpose: { kind: 'valid' },
        },
      },
    ],
  });
});

test.each<[string, Reproducer, (text: string) => boolean]>([
  ['a credential that was claimed in the run', [shown({ credential: { secret: 'KEY_1' } })], any],
  ['a bearer that is no made-up one', [shown({ credential: { bearer: 'hush' } })], any],
  ['a body of bytes', [shown({ rawBody: new Uint8Array([255]) })], any],
  ['a secret in a text', [shown({ json: { a: 'hush' } })], (text) => !text.includes('hush')],
  [
    'more than anybody would paste',
    [shown({ json: Array.from({ length: 4_000 }, (_, at) => Math.sin(at)) })],
    any,
  ],
])('%s is not written down', (_, reproducer, isWithoutSecrets) => {
  expect(wordOf({ reproducer }, isWithoutSecrets)).toBeUndefined();
});

describe('what is no such word is refused, whoever wrote it', () => {
  test.each<[string, string, string]>([
    ['nothing', 'requests:-', 'cut off'],
    ['what is cut off', wordFor({ requests: [{ request: REQUEST }] }).slice(0, 40), 'cut off'],
    ['other characters', 'requests:a+b/c', 'cut off'],
    ['no JSON', `requests:${deflateRawSync('{').toString('base64url')}`, 'cut off'],
    ['a bomb', wordFor(' '.repeat(2_000_000)), 'cut off'],
    ['a long word', `requests:${'a'.repeat(MAX_WORD_CHARACTERS)}`, 'cut off'],
    ['deep JSON', `requests:${deflateRawSync('['.repeat(900)).toString('base64url')}`, 'cut off'],
    ['no requests', wordFor({ requests: [] }), 'cut off'],
    ['many requests', wordFor({ requests: Array(51).fill({ request: REQUEST }) }), 'cut off'],
    [
      'an API without a name',
      wordFor({ requests: [{ request: { ...REQUEST, api: 'x y' } }] }),
      'cut off',
    ],
    [
      'another host',
      wordFor({ requests: [{ request: { ...REQUEST, path: 'http://other.example/' } }] }),
      'cut off',
    ],
    [
      'a line break',
      wordFor({ requests: [{ request: { ...REQUEST, path: '/a\r\nb' } }] }),
      'HTTP takes no path',
    ],
  ])('%s', (_, word, why) => {
    expect(reproducerIn(word)).toContain(why);
    expect(() => parseReplay(`a.b@${word}`)).toThrow(ReplayError);
  });

  test('the key of the trade API is known by the name that earlier versions gave it', () => {
    const read = reproducerIn(
      wordFor({ requests: [{ request: { ...REQUEST, api: 'trade' }, credential: 'trade-key' }] }),
    );
    expect(read).toMatchObject({ reproducer: [{ request: { credential: KEY } }] });
  });

  test.each(['zap', 'docs', 'ai', 'books'])(
    'a word that would send the key of the trade API to %s is refused',
    (api) => {
      for (const credential of [KEY, 'trade-key', { like: KEY.secret, change: 'extended' }]) {
        const word = wordFor({ requests: [{ request: { ...REQUEST, api }, credential }] });
        expect(reproducerIn(word)).toContain('which is sent to that API alone');
        expect(() => parseReplay(`a.b@${word}`)).toThrow(ReplayError);
      }
    },
  );

  test('a secret of the environment that is no key of the trade API is not sent', () => {
    const credential = { secret: 'ASSAY_SECRET_GATE' };
    const read = reproducerIn(wordFor({ requests: [{ request: REQUEST, credential }] }));
    expect(read).toMatchObject({ reproducer: [{ request: { credential: 'none' } }] });
  });
});
