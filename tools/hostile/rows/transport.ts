import type { Row } from '../row.ts';
import { target } from './kit.ts';

const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
const SUCCESS = '{"status":"success","data":{}}';
const raw = (text: string): { how: string; text: string } => ({ how: 'raw-bytes', text });
const ALL = ['zap', 'trade', 'docs'] as const;

/** Servers that break the rules of the connection or of HTTP. */
export const TRANSPORT_ROWS: readonly Row[] = [
  ...target('none of it is hostile', [], { exits: [3], limits: [0, 3] }),
  ...target('none of it is hostile, and the budget suffices', [], {
    exits: [0],
    fast: true,
    requests: 1_000,
    seconds: 60,
    timeoutMs: 10_000,
  }),
  // In CI `misbehaving.slow.spec.ts` checks servers of these three kinds.
  ...target('never answers', { how: 'never-answers' }, { exits: [3], limits: [3] }),
  ...target('closes at once', { how: 'closes-at-once' }, { exits: [3], limits: [3] }),
  ...target('resets at once', { how: 'resets' }, { exits: [3], limits: [3] }),
  ...target('resets in the body', { how: 'resets-in-body' }, { exits: [3], limits: [3] }),
  ...target('closes in the head', { how: 'closes-in-head' }, { exits: [3] }),
  ...target('closes in the body', { how: 'closes-in-body' }, { exits: [3] }),
  ...target('slow head', { how: 'slow-head' }, { exits: [3], limits: [3] }),
  ...target('slow body', { how: 'slow-body' }, { exits: [3], fast: true, limits: [3] }),
  ...target('byte by byte', { how: 'byte-by-byte', api: 'zap' }, { exits: [1, 3] }),
  ...target(
    'answers after 400 ms each',
    { how: 'late', size: 400 },
    { exits: [3], fast: true, limits: [3] },
  ),
  ...target('each second answer is late', { how: 'never-answers', every: 2 }, { exits: [1, 3] }),
  ...target('is not HTTP', raw('SSH-2.0-hello\r\n'), { exits: [3], limits: [3] }),
  ...target('noise', { how: 'noise' }, { exits: [3] }),
  ...target('answers in HTTP/2', raw('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), { exits: [3] }),
  ...target('answers in HTTP/0.9', raw('<html>hello</html>'), { exits: [3] }),
  ...target(
    'answers in HTTP/1.0',
    raw(`HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${SUCCESS}`),
    {
      exits: [1],
    },
  ),
  // In CI `endless-body.slow.spec.ts` checks such a server.
  ...target('endless body', { how: 'endless-body' }, { limits: [1, 3] }),
  ...target('endless chunks', { how: 'endless-chunks' }),
  ...target(
    'endless chunks of one byte',
    { how: 'endless-tiny-chunks' },
    { fast: true, limits: [1, 3] },
  ),
  ...target('endless chunk extension', { how: 'endless-chunk-extension' }),
  ...target('endless trailers', { how: 'endless-trailers' }),
  ...target('endless head', { how: 'endless-head' }, { fast: true, limits: [3] }),
  ...target('a head of 64 kB', { how: 'large-head', size: 65_536 }, { limits: [1, 3] }),
  ...target('a head of 16 MB', { how: 'large-head', size: 16_777_216 }),
  ...target('10,000 header fields', { how: 'many-headers', size: 10_000 }, { limits: [1, 3] }),
  ...target(
    '100 header fields of 1 kB on trade',
    { how: 'many-headers', size: 700, api: 'trade' },
    { requests: 150 },
  ),
  ...target(
    'endless interim answers',
    { how: 'interim-answers' },
    { exits: [3], fast: true, limits: [3] },
  ),
  ...target(
    '1,000 interim answers before each',
    { how: 'interim-answers', size: 1_000 },
    { exits: [3] },
  ),
  ...target('closes what it promised to keep', { how: 'breaks-keep-alive' }, { exits: [1, 3] }),
  ...target('answers twice', { how: 'answers-twice' }, { exits: [1, 3], limits: [0, 1, 3] }),
  ...target('a chunk size that is none', raw(`${OK}transfer-encoding: chunked\r\n\r\nZZ\r\n`), {
    exits: [3],
  }),
  ...target('a chunk size below zero', raw(`${OK}transfer-encoding: chunked\r\n\r\n-1\r\n`), {
    exits: [3],
  }),
  ...target(
    'a chunk size past all numbers',
    raw(`${OK}transfer-encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n`),
    {
      exits: [3],
    },
  ),
  ...target(
    'a length that is too large',
    raw(`${OK}content-length: 99999999999999999999\r\n\r\n{}`),
    { exits: [3] },
  ),
  ...target('a length that is too small', raw(`${OK}content-length: 2\r\n\r\n${SUCCESS}`), {
    exits: [1, 3],
  }),
  ...target('a length below zero', raw(`${OK}content-length: -5\r\n\r\n{}`), { exits: [3] }),
  ...target('two lengths', raw(`${OK}content-length: 2\r\ncontent-length: 9\r\n\r\n{}`), {
    exits: [1, 3],
  }),
  ...target(
    'a length and chunks',
    raw(`${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
    {
      exits: [1, 3],
    },
  ),
  ...target(
    '204 with a body',
    raw('HTTP/1.1 204 No Content\r\ncontent-length: 30\r\n\r\n' + SUCCESS),
    { exits: [1, 3] },
  ),
  ...target('304 for everything', raw('HTTP/1.1 304 Not Modified\r\n\r\n'), { exits: [1, 3] }),
  ...target(
    '101 for everything',
    raw('HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'),
    {
      exits: [1, 3],
    },
  ),
  ...['999', '000', '099', '1000', '-20', '2OO', '600'].flatMap((status) =>
    target(`status ${status}`, raw(`HTTP/1.1 ${status} Odd\r\ncontent-length: 2\r\n\r\n{}`), {
      exits: [1, 3],
      ...(status === '999' ? { limits: [1, 3] } : {}),
    }),
  ),
  ...target(
    'a control sequence in the reason phrase',
    raw('HTTP/1.1 500 \u001b[2J\u001b]0;owned\u0007\r\ncontent-length: 2\r\n\r\n{}'),
    {
      exits: [1, 3],
      fast: true,
    },
  ),
  ...target(
    'NUL and bare line feeds in the head',
    raw('HTTP/1.1 200 OK\nx: a\u0000b\nx\u0001y: 1\r\ncontent-length: 2\r\n\r\n{}'),
    {
      exits: [1, 3],
    },
  ),
  ...target('a folded header field', raw(`${OK}x-a: 1\r\n  2\r\ncontent-length: 2\r\n\r\n{}`), {
    exits: [1, 3],
  }),
  ...target(
    'header fields in latin1 and with ESC',
    raw(
      `${OK}retry-after: \u001b[31m\u00e9\u00ff\r\nx-request-id: ::error::x\r\ncontent-length: 2\r\n\r\n{}`,
    ),
    {
      exits: [1, 3],
    },
  ),
  ...target(
    'the docs host alone never answers',
    { how: 'never-answers', api: 'docs' },
    { exits: [3] },
  ),
  ...target('only a HEAD of all is answered', raw(`${OK}content-length: 1000000\r\n\r\n`), {
    exits: [3],
  }),
  ...[301, 302, 303, 307, 308, 300].flatMap((size) =>
    target(
      `redirect ${size} to another host`,
      { how: 'redirect', size },
      {
        fast: size === 307,
        requests: 150,
        ...(size === 307 ? { limits: [1, 3] } : {}),
      },
    ),
  ),
  ...target('redirects to itself', { how: 'redirect', text: 'self' }, { limits: [1, 3] }),
  ...target('redirects to a file', { how: 'redirect', text: 'file:///etc/passwd' }),
  ...target('redirects to javascript', { how: 'redirect', text: 'javascript:alert(1)' }),
  ...target('redirects to a URL of 60 kB', {
    how: 'redirect',
    text: `{trap}/${'a'.repeat(60_000)}`,
  }),
  ...target(
    'refresh and link headers to another host',
    {
      how: 'fixed',
      api: [...ALL],
      text: SUCCESS,
      headers: {
        refresh: '0; url={trap}/',
        link: '<{trap}/>; rel="next"',
        'alt-svc': 'h2="127.0.0.2:1"',
      },
    },
    { exits: [1, 3] },
  ),
];
