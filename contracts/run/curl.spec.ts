import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { curlOf } from './curl.ts';
import type { RecordedRequest } from '../wire/exchange.ts';

const KEY = 'k$y "with" `all` \\ of \'it\'!';
let bin = '';

beforeAll(() => {
  bin = mkdtempSync(path.join(tmpdir(), 'assay-curl-'));
  // Prints how many arguments it has and which, each ended by NUL, then what is piped in.
  writeFileSync(
    path.join(bin, 'curl'),
    '#!/bin/sh\nprintf "%s\\0" $# "$@"\ncase "$*" in *@-) cat;; esac\n',
  );
  chmodSync(path.join(bin, 'curl'), 0o755);
});
afterAll(() => {
  rmSync(bin, { recursive: true });
});

interface Sent {
  words: string[];
  headers: string[];
  data: Buffer | undefined;
}

/** Runs the line in a shell and reads what the curl on its path was given. */
function run(request: RecordedRequest): Sent {
  const line = curlOf(request);
  expect(line).not.toContain('\n');
  const output = execFileSync('sh', {
    input: line,
    env: {
      PATH: `${bin}:${process.env.PATH ?? ''}`,
      ASSAY_TRADE_KEY: KEY,
      ASSAY_TRADE_KEY_2: `${KEY}2`,
      ASSAY_SECRET_GATE: 'gate/way',
      ASSAY_AGENT_KEY_1: 'of nobody',
    },
  });
  const [count, ...fields] = output.toString('latin1').split('\0');
  const args = fields.slice(0, Number(count)).map((arg) => Buffer.from(arg, 'latin1').toString());
  const sent: Sent = { words: [], headers: [], data: undefined };
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (word === '-H') sent.headers.push(args[(at += 1)] ?? '');
    else if (word === '--data-raw') sent.data = Buffer.from(args[(at += 1)] ?? '');
    else if (word === '--data-binary') {
      expect(args[(at += 1)]).toBe('@-');
      sent.data = Buffer.from(fields.slice(Number(count)).join('\0'), 'latin1');
    } else sent.words.push(word);
  }
  return sent;
}

const URL_OF_POOLS = 'http://127.0.0.1:1/v1/pools';

function request(changes: Partial<RecordedRequest>): RecordedRequest {
  return {
    method: 'GET',
    url: URL_OF_POOLS,
    path: '/v1/pools',
    headers: [],
    body: null,
    ...changes,
  };
}

describe('curlOf', () => {
  test.each<[string, Partial<RecordedRequest>, string]>([
    ['a plain request', {}, `curl -i ${URL_OF_POOLS}`],
    ['HEAD', { method: 'HEAD' }, `curl -i --head ${URL_OF_POOLS}`],
    ['another method', { method: 'DELETE' }, `curl -i -X DELETE ${URL_OF_POOLS}`],
    ['a query', { url: `${URL_OF_POOLS}?a=1&b=2` }, `curl -i '${URL_OF_POOLS}?a=1&b=2'`],
    ['brackets', { url: `${URL_OF_POOLS}?a[]=1` }, `curl -i --globoff '${URL_OF_POOLS}?a[]=1'`],
    ['dots', { url: `${URL_OF_POOLS}/../x` }, `curl -i --path-as-is ${URL_OF_POOLS}/../x`],
    [
      'a secret',
      { headers: [['Authorization', 'Bearer $ASSAY_TRADE_KEY']] },
      `curl -i ${URL_OF_POOLS} -H "Authorization: Bearer $ASSAY_TRADE_KEY"`,
    ],
    [
      'JSON',
      {
        method: 'POST',
        headers: [
          ['host', '127.0.0.1:1'],
          ['Content-Type', 'application/json'],
          ['Content-Length', '9'],
          ['User-Agent', 'assay'],
          ['Accept-Encoding', 'gzip'],
        ],
        body: { encoding: 'utf8', text: `{"a":"'"}` },
      },
      `curl -i -X POST ${URL_OF_POOLS} -H 'Content-Type: application/json' --data-raw '{"a":"'\\''"}'`,
    ],
    [
      'bytes',
      { method: 'POST', body: { encoding: 'base64', text: '/wA=' } },
      `printf %s '/wA=' | base64 -d | curl -i -X POST ${URL_OF_POOLS} -H 'Content-Type:' --data-binary @-`,
    ],
  ])('%s', (_, changes, line) => {
    expect(curlOf(request(changes))).toBe(line);
  });

  test.each([
    ['Bearer $ASSAY_TRADE_KEY', `Bearer ${KEY}`],
    ['Bearer $ASSAY_TRADE_KEY_2', `Bearer ${KEY}2`],
    ['Basic $ASSAY_SECRET_GATE', 'Basic gate/way'],
    // Not what Assay sends; a target may have a say in it.
    ['$ASSAY_TRADE_KEY', '$ASSAY_TRADE_KEY'],
    ['Bearer x$ASSAY_TRADE_KEY', 'Bearer x$ASSAY_TRADE_KEY'],
    ['Bearer $ASSAY_TRADE_KEYs', 'Bearer $ASSAY_TRADE_KEYs'],
    ['Bearer $ASSAY_TRADE_KEY$ASSAY_TRADE_KEY', 'Bearer $ASSAY_TRADE_KEY$ASSAY_TRADE_KEY'],
    ['Bearer $ASSAY_AGENT_KEY_1', 'Bearer $ASSAY_AGENT_KEY_1'],
    ['Bearer $HOME', 'Bearer $HOME'],
    ['Bearer $ASSAY_TRADE_KEY"; id; "', 'Bearer $ASSAY_TRADE_KEY"; id; "'],
    ['Be`id`er $ASSAY_TRADE_KEY', 'Be`id`er $ASSAY_TRADE_KEY'],
  ])('of the credential %j the shell makes %j', (value, expected) => {
    for (const name of ['Authorization', 'authorization']) {
      expect(run(request({ headers: [[name, value]] })).headers).toEqual([`${name}: ${expected}`]);
    }
  });

  test('a secret in the base URL expands, and nothing that stands behind it', () => {
    const path = '/v1/x?id=$ASSAY_TRADE_KEY&s=$ASSAY_SECRET_GATE';
    const url = `http://127.0.0.1:1/p/$ASSAY_SECRET_GATE/q'$HOME"`;
    const { words } = run(request({ url: url + path, path }));
    expect(words).toContain(`http://127.0.0.1:1/p/gate/way/q'$HOME"${path}`);
    // Without knowing where the base ends, nothing does.
    expect(run(request({ url: url + path, path: '/v2' })).words).toContain(url + path);
  });

  test('a provider that is named like a secret sends none', () => {
    const name = 'x$ASSAY_TRADE_KEY';
    const sent = run(
      request({
        method: 'POST',
        url: `${URL_OF_POOLS}?protocol=${name}`,
        path: `/v1/pools?protocol=${name}`,
        headers: [
          ['Idempotency-Key', name],
          ['X-Api-Key', 'x$ASSAY_SECRET_GATE'],
        ],
        body: { encoding: 'utf8', text: `{"protocol":"${name}","p":"$ASSAY_SECRET_GATE"}` },
      }),
    );
    expect(sent.words).toContain(`${URL_OF_POOLS}?protocol=${name}`);
    expect(sent.headers).toContain(`Idempotency-Key: ${name}`);
    expect(sent.headers).toContain('X-Api-Key: x$ASSAY_SECRET_GATE');
    expect(sent.data?.toString()).toBe(`{"protocol":"${name}","p":"$ASSAY_SECRET_GATE"}`);
    expect(JSON.stringify(sent)).not.toContain('of it');
    expect(JSON.stringify(sent)).not.toContain('gate/way');
  });

  test('a header field of the user that is nothing but a secret is sent with its value', () => {
    const sent = run(request({ headers: [['X-Gate', '$ASSAY_SECRET_GATE']] }));
    expect(sent.headers.join()).toMatch(/X-Gate: .*gate\/way/);
  });

  test('what a record of others holds is no option of curl, and no file', () => {
    const line = curlOf(request({ url: '-o/tmp/x', headers: [['@/etc/passwd', 'x']] }));
    expect(line).toBe('curl -i --url -o/tmp/x');
  });

  test('a large body goes through', () => {
    const body = { encoding: 'utf8', text: 'é'.repeat(200_000) } as const;
    expect(run(request({ method: 'POST', body })).data?.toString()).toBe(body.text);
  });

  // Each case starts a shell.
  const numRuns = 30;

  test('any text reaches curl as it was', () => {
    const text = fc.string({ unit: 'binary' }).filter((raw) => !/\p{Cs}/u.test(raw));
    const nasty = fc.stringMatching(/^[ '"\\$`!@\n\r\t*?{}()<>;&|#~a-]*$/);
    fc.assert(
      fc.property(fc.oneof(text, nasty), (body) => {
        const sent = run(request({ method: 'PUT', body: { encoding: 'utf8', text: body } }));
        expect(sent.data?.toString()).toBe(body);
        expect(sent.headers).toEqual(['Content-Type:']);
      }),
      { numRuns },
    );
  });

  test('any bytes reach curl as they were', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const body = { encoding: 'base64', text: Buffer.from(bytes).toString('base64') } as const;
        expect(run(request({ method: 'POST', body })).data).toEqual(Buffer.from(bytes));
      }),
      { numRuns },
    );
  });

  test('method, URL and headers reach curl as they were', () => {
    const token = fc.stringMatching(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/);
    const value = fc.stringMatching(/^[\x21-\x7eé]([\x20-\x7eé]*[\x21-\x7eé])?$/);
    const query = fc.stringMatching(/^[\x21-\x7e]*$/);
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Z!#$%&'*+.^_`|~]{1,7}$/),
        query,
        fc.array(
          fc.tuple(
            token.map((name) => `X-${name}`),
            value,
          ),
        ),
        (method, search, headers) => {
          const url = `${URL_OF_POOLS}?${search}`;
          const sent = run(request({ method, url, headers }));
          expect(sent.headers).toEqual(headers.map(([name, text]) => `${name}: ${text}`));
          const verb = method === 'GET' ? [] : method === 'HEAD' ? ['--head'] : ['-X', method];
          const options = sent.words.filter(
            (word) => !['--globoff', '--path-as-is'].includes(word),
          );
          expect(options).toEqual(['-i', ...verb, url]);
        },
      ),
      { numRuns },
    );
  });

  test('a header without a value is sent, and not taken away', () => {
    expect(run(request({ headers: [['X-Empty', '']] })).headers).toEqual(['X-Empty;']);
  });
});
