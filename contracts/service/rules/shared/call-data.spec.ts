import { describe, expect, test } from 'vitest';
import type { Calls, Dependence } from './call-data.ts';
import { callsOf, dependenceOf, digitsOf, spentOf } from './call-data.ts';

const word = (value: bigint | string): string =>
  (typeof value === 'bigint' ? value.toString(16) : value).padStart(64, '0');
const ONE = 'a1'.repeat(20);
const OTHER = 'b2'.repeat(20);
const TOKEN = 'c3'.repeat(20);
const drawn = (seed: number): string =>
  Array.from({ length: 32 }, (_, at) =>
    ((seed * 97 + at * (seed + 13)) % 256).toString(16).padStart(2, '0'),
  ).join('');

function calls(...words: readonly string[]): Calls {
  const data = `0x12aa3caf${words.join('')}`;
  const read = callsOf([{ to: `0x${'d4'.repeat(20)}`, data, value: 0n }]);
  if (read === null) throw new Error('no calls');
  return read;
}

const said = (found: Dependence): string =>
  typeof found === 'object' ? 'unknown' : found ? 'depends' : 'independent';

describe('call data of equal builds, beside a build for another recipient', () => {
  test.each<[string, Calls[], Calls, string]>([
    ['the other stands there', [calls(word(ONE)), calls(word(ONE))], calls(word(OTHER)), 'depends'],
    [
      'nothing is another',
      [calls(word(TOKEN)), calls(word(TOKEN))],
      calls(word(TOKEN)),
      'independent',
    ],
    [
      'a nonce alone is another',
      [calls(word(TOKEN), drawn(1)), calls(word(TOKEN), drawn(2))],
      calls(word(TOKEN), drawn(3)),
      'independent',
    ],
    [
      'a deadline alone is another',
      [calls(word(TOKEN), word(1_000n)), calls(word(TOKEN), word(1_002n))],
      calls(word(TOKEN), word(1_001n)),
      'independent',
    ],
    [
      'it shares a word with what is drawn',
      [
        calls(word(TOKEN), ONE + drawn(1).slice(0, 24)),
        calls(word(TOKEN), ONE + drawn(2).slice(0, 24)),
      ],
      calls(word(TOKEN), OTHER + drawn(3).slice(0, 24)),
      'depends',
    ],
    [
      'equal builds differ in length',
      [calls(word(TOKEN)), calls(word(TOKEN), word(1n))],
      calls(word(TOKEN)),
      'unknown',
    ],
    ['only its length is another', [calls(word(ONE)), calls(word(ONE))], calls(), 'depends'],
    ['no word is steady', [calls(drawn(1)), calls(drawn(2))], calls(drawn(3)), 'unknown'],
    [
      'an order number and a flag are all',
      [calls(drawn(1), word(1n)), calls(drawn(2), word(1n))],
      calls(drawn(3), word(1n)),
      'unknown',
    ],
    [
      'a hash of the request alone is another',
      [calls(word(TOKEN), drawn(1)), calls(word(TOKEN), drawn(1))],
      calls(word(TOKEN), drawn(2)),
      'unknown',
    ],
    ['there is no call data', [calls(), calls()], calls(), 'unknown'],
    ['there is one build alone', [calls(word(TOKEN))], calls(word(TOKEN)), 'unknown'],
  ])('%s', (_, controls, changed, expected) => {
    expect(said(dependenceOf(controls, changed, OTHER, [TOKEN]))).toBe(expected);
  });
});

test('takes another value of the native token for another call', () => {
  const [one, two] = [1n, 2n].map((value) =>
    callsOf([{ to: '0x1', data: `0x12aa3caf${word(TOKEN)}`, value }]),
  );
  if (one === null || two === null || one === undefined || two === undefined) throw new Error();
  expect(dependenceOf([one, one], two, '', [TOKEN])).toBe(true);
});

test.each([
  ['half a byte', { to: '0x1', data: '0x1', value: 0n }],
  ['data without 0x', { to: '0x1', data: '12aa', value: 0n }],
  ['nobody who is called', { to: null, data: '0x12', value: 0n }],
  ['a value that cannot be read', { to: '0x1', data: '0x12', value: undefined }],
])('reads no calls if there is %s', (_, call) => {
  expect(callsOf([call])).toBeNull();
});

describe('how much of 250,000,000 units a build spends', () => {
  const amount = 250_000_000n;
  const pair = (parts: (amount: bigint) => readonly bigint[]): [Calls, Calls] => [
    calls(word(TOKEN), ...parts(amount).map(word)),
    calls(word(TOKEN), ...parts(2n * amount).map(word)),
  ];
  test.each<[string, [Calls, Calls], bigint | undefined]>([
    ['all of it', pair((x) => [x]), amount],
    ['a tenth', pair((x) => [x / 10n]), amount / 10n],
    ['a hundredth beside a deadline', pair((x) => [x / 100n, 99n]), amount / 100n],
    ['two halves', pair((x) => [x / 2n, x / 2n]), amount],
    ['all but a fee of a tenth', pair((x) => [(x * 9n) / 10n, x / 10n]), amount],
    ['three quarters', pair((x) => [(x * 3n) / 4n]), (amount * 3n) / 4n],
    ['ten times as much', pair((x) => [10n * x]), 10n * amount],
    ['decimals of 18 for 6', pair((x) => [x * 10n ** 12n]), amount * 10n ** 12n],
    ['decimals of 3 for 8', pair((x) => [x / 10n ** 5n]), 2_500n],
    ['a word of three digits', pair((x) => [x / 10n ** 6n]), undefined],
    ['what is left of it', pair((x) => [(x * 3n) / 7n]), undefined],
    ['a yield that is a tenth', pair((x) => [x / 10n]), undefined],
    ['half, and whatever is there', pair((x) => [x / 2n, 2n ** 256n - 1n]), undefined],
    ['a constant', pair(() => [25_000_000n]), undefined],
  ])('%s', (name, built, spent) => {
    const yields = new Set(name.startsWith('a yield') ? [amount / 10n] : []);
    expect(spentOf(built, amount, yields)).toBe(spent);
  });

  test('says nothing of an amount that could stand anywhere', () => {
    expect(spentOf([calls(word(1n)), calls(word(2n))], 10n, new Set())).toBeUndefined();
  });

  test('takes the value for the amount', () => {
    const [one, two] = [amount, 2n * amount].map((value) =>
      callsOf([{ to: '0x1', data: '0x12aa3caf', value }]),
    );
    expect(one && two && spentOf([one, two], amount, new Set())).toBe(amount);
  });
});

test('writes addresses and amounts as they stand in words', () => {
  expect([digitsOf('0xABcd'), digitsOf(255n)]).toEqual(['abcd', 'ff']);
});
