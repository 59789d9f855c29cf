import { NEARLY_4_MIB } from '../service/bodies.ts';
import type { Row } from '../row.ts';
import { target } from './kit.ts';

const POOLS = { api: 'zap', path: '/v1/pools' } as const;
const QUOTE = { api: 'zap', path: '/v1/quote' } as const;
const CHAINS = { api: 'zap', path: '/v1/config/chains' } as const;
const PROVIDERS = { api: 'zap', path: '/v1/config/providers' } as const;
const M = NEARLY_4_MIB;

type Case = readonly [name: string, body: string, size: number, where?: object, fast?: boolean];

/** Bodies of successes that are large, deep, malformed or odd. */
const SUCCESSES: readonly Case[] = [
  ['arrays nested 100,000 deep', 'deep-arrays', 100_000, {}, true],
  ['objects nested 100,000 deep', 'deep-objects', 100_000, {}, false],
  ['arrays nested 2,000,000 deep', 'deep-arrays', 2_000_000],
  ['arrays nested 100,000 deep in pools', 'deep-arrays', 100_000, POOLS],
  ['100,000 opened arrays and no more', 'deep-unclosed', 100_000],
  ['4,000,000 closing brackets', 'deep-closers', 4_000_000],
  ['2,000 malformed pools', 'malformed-pools', 2_000, POOLS],
  ['8,000 malformed pools', 'malformed-pools', 8_000, POOLS, false],
  ['50,000 malformed pools', 'malformed-pools', 50_000, POOLS, false],
  ['4 MiB of malformed pools', 'malformed-pools-bytes', M, POOLS, true],
  ['4 MiB of numbers for pools', 'number-pools', M, POOLS],
  ['20,000 good pools, far more than the limit', 'good-pools', 20_000, POOLS],
  ['8,000 malformed pools to every request', 'malformed-pools', 8_000],
  ['100,000 chains', 'chains', 100_000, CHAINS, true],
  ['100,000 wrong chains', 'wrong-chains', 100_000, CHAINS],
  ['30,000 providers', 'providers', 30_000, PROVIDERS],
  ['100,000 wrong providers', 'wrong-providers', 100_000, PROVIDERS],
  ['1.4 million objects', 'small-objects', M],
  ['1.4 million arrays', 'small-arrays', M],
  ['1.4 million objects for chains', 'small-objects', M, CHAINS],
  ['30,000 steps of a path', 'path-steps', 30_000, QUOTE],
  ['one string of 4 MiB', 'one-string', M, {}, false],
  ['4 MiB of backslashes in a string', 'backslashes', M],
  ['4 MiB of bare backslashes', 'bare-backslashes', M],
  ['4 MiB of quotes in a string', 'quotes-in-string', M],
  ['4 MiB of unicode escapes', 'unicode-escapes', M],
  ['4 MiB of percent escapes', 'percents', M],
  ['4 MiB of entities', 'ampersands', M],
  ['an amount of a million digits', 'digits', 1_000_000, QUOTE, true],
  ['an amount of a million digits to every request', 'digits', 1_000_000],
  ['a number of a million digits', 'number-digits', 1_000_000, QUOTE],
  ['numbers past all exponents', 'exponent', 1, QUOTE],
  ['lone surrogates', 'lone-surrogates', 10_000, {}, false],
  ['NUL characters', 'nuls', 100_000],
  ['raw NUL bytes', 'raw-nuls', 1_000_000],
  ['a byte order mark', 'bom', 1],
  ['UTF-16', 'utf-16', 1, {}, false],
  ['bytes that are not UTF-8', 'not-utf-8', 1_000_000],
  ['100,000 equal keys', 'duplicate-keys', 100_000, {}, false],
  ['100,000 equal keys with other data', 'duplicate-data', 100_000, POOLS],
  ['half JSON', 'half-json', 1, {}, false],
  ['JSON lines', 'json-lines', 10_000],
  ['HTML', 'html', 1, {}, false],
  ['true', 'scalars', 1],
  ['null', 'null', 1],
  ['nothing', 'nothing', 1, {}, false],
  ['4 MB of spaces', 'spaces', 4_000_000],
];

const ERRORS: readonly Case[] = [
  ['arrays nested 100,000 deep', 'deep-error', 100_000],
  ['arrays nested 2,000,000 deep', 'deep-error', 2_000_000],
  ['a message of 4 MB', 'long-error', 4_000_000, {}, false],
  ['100,000 members', 'many-codes', 100_000],
  ['1.4 million objects', 'small-objects', M],
  ['HTML', 'html', 1],
  ['nothing', 'nothing', 1],
  ['4 MiB of backslashes', 'backslashes', M],
];

export const BODY_ROWS: readonly Row[] = [
  ...SUCCESSES.flatMap(([name, text, size, where = {}, fast = false]) =>
    target(
      name,
      { how: 'body', text, size, ...where },
      {
        fast,
        exits: [1, 3],
        ...(fast && Object.keys(where).length === 0 ? { limits: [0, 1, 3] } : {}),
      },
    ),
  ),
  ...ERRORS.flatMap(([name, text, size, where = {}, fast = false]) =>
    target(
      `errors of ${name}`,
      { how: 'error-body', text, size, ...where },
      { fast, limits: [1, 3] },
    ),
  ),
  ...target(
    '100,000 quotes in the map of trade',
    { how: 'body', text: 'quotes', size: 20_000, api: 'trade' },
    {
      requests: 150,
    },
  ),
];
