import type { Row } from '../row.ts';
import { target } from './kit.ts';

const error = (status: number, retryAfter: string): string =>
  `{"status":${status},"code":"RATE_LIMITED","message":"slow down","requestId":"req_1"${retryAfter === '' ? '' : `,"retryAfter":${retryAfter}`}}`;
const RATE = { 'ratelimit-policy': '"a";q=5;w=60', ratelimit: '"a";r=0;t=60' };
const throttled = (
  retryAfter: string,
  headers: Readonly<Record<string, string>> = RATE,
): { how: string; size: number; text: string; headers: Readonly<Record<string, string>> } => ({
  how: 'fixed',
  size: 429,
  text: error(429, retryAfter),
  headers: { 'content-type': 'application/json', ...headers },
});
const RIGHT = { exits: [1, 3], limits: [1, 3] } as const;

/** What `retryAfter` may claim. */
const CLAIMS: readonly (readonly [claim: string, fast: boolean])[] = [
  ['1', false],
  ['0', false],
  ['-1', false],
  ['0.001', false],
  ['1e300', true],
  ['1e-300', false],
  // In CI `503 always` asks to wait as long, and 1e300 s is past all timers as well.
  ['12700800', false],
  ['86400', false],
  ['"soon"', false],
  ['"NaN"', false],
  ['"Infinity"', false],
  ['null', false],
  ['[]', false],
  ['{"__proto__":1}', false],
  ['true', false],
  ['9'.repeat(10_000), false],
  [`"${'9'.repeat(100_000)}"`, false],
];

/** What rate-limit headers may claim. */
const HEADERS: readonly (readonly [name: string, headers: Readonly<Record<string, string>>])[] = [
  ['a date in the year 9999', { 'retry-after': 'Fri, 31 Dec 9999 23:59:59 GMT' }],
  ['a date in the past', { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }],
  ['a date that is none', { 'retry-after': 'Fri, 99 Foo 2026 99:99:99 GMT' }],
  ['12700800 seconds', { 'retry-after': '12700800' }],
  ['a number of 1,000 digits', { 'retry-after': '9'.repeat(1_000) }],
  ['1e9', { 'retry-after': '1e9' }],
  [
    'many policies',
    {
      'ratelimit-policy': Array.from({ length: 400 }, (_, n) => `"p${n}";q=${n};w=${n}`).join(', '),
    },
  ],
  [
    'quotas without end',
    { 'ratelimit-policy': '"a";q=99999999999999999999;w=0', ratelimit: '"a";r=-1;t=1e308' },
  ],
  ['brackets', { ratelimit: '('.repeat(4_000), 'ratelimit-policy': '"'.repeat(3_999) }],
  [
    'resets in the far future',
    {
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '99999999999999',
    },
  ],
];

export const THROTTLING_ROWS: readonly Row[] = [
  ...CLAIMS.flatMap(([claim, fast]) => {
    const shown = claim.length > 20 ? `${claim.length} characters` : claim;
    return target(`429 always, retryAfter ${shown}`, throttled(claim), {
      ...RIGHT,
      fast,
    }).map((row) => (row.command === 'limits' && fast ? { ...row, fast: true } : row));
  }),
  ...HEADERS.flatMap(([name, headers]) =>
    target(`429 always, headers with ${name}`, throttled('1', headers), RIGHT),
  ),
  ...target('429 without anything', { how: 'fixed', size: 429, text: '' }, RIGHT),
  ...target(
    '429 each second time, retryAfter 0.01',
    { ...throttled('0.01'), every: 2 },
    { ...RIGHT, limits: [0, 1, 3] },
  ),
  ...target(
    '429 each second time, retryAfter 12700800',
    { ...throttled('12700800'), every: 2 },
    { ...RIGHT },
  ),
  ...target(
    '503 always',
    {
      how: 'fixed',
      size: 503,
      text: '{"status":503,"code":"UNAVAILABLE","message":"down","requestId":"r"}',
      headers: { 'content-type': 'application/json', 'retry-after': '12700800' },
    },
    { ...RIGHT, fast: true },
  ),
  ...target('503 each second time', { how: 'fixed', size: 503, text: '{}', every: 2 }, RIGHT),
  ...target('401 always', { how: 'fixed', size: 401, text: '{}' }, { limits: [1, 3] }),
  ...target('a true limit of 2 in an hour', [], {
    spec: { limit: '2/3600' },
    exits: [1, 3],
    limits: [0, 1, 3],
  }),
  ...target('a true limit of 40 in 2 seconds', [], {
    spec: { limit: '40/2' },
    exits: [3],
    limits: [0, 3],
  }),
];
