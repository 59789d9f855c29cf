import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HeaderList } from '../exchange.ts';
import { announcedSeconds, parseRetryAfter } from './retry-after.ts';

const NOW = Date.UTC(2026, 0, 1);

describe('parseRetryAfter', () => {
  test.each(['1.5', '-1', '+1', '1s', '', '1, 2', '0x10', '١', 'Infinity', '2026-01-01'])(
    'finds %j invalid',
    (text) => {
      expect(parseRetryAfter(text, NOW)).toEqual({ kind: 'invalid', text });
    },
  );

  test('reads whole seconds', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (seconds) => {
        expect(parseRetryAfter(` ${seconds}`, NOW)).toEqual({ kind: 'seconds', seconds });
      }),
    );
    const [seconds, many] = [Number.MAX_SAFE_INTEGER, '9'.repeat(400)];
    expect(parseRetryAfter(many, NOW)).toEqual({ kind: 'seconds', seconds });
  });

  test('reads dates', () => {
    const date = new Date(NOW + 5000).toUTCString();
    expect(parseRetryAfter(date, NOW)).toEqual({ kind: 'date', epochMs: NOW + 5000 });
  });
});

const in5s = new Date(NOW + 5000).toUTCString();
const in4s = new Date(NOW + 4000).toUTCString();
const past = new Date(NOW - 5000).toUTCString();
const field = (value: string): HeaderList => [['RETRY-AFTER', value]];

test.each<[string, HeaderList, unknown, readonly number[]]>([
  ['the body before the field', field('3'), 7, [7, 3]],
  ['the field when the body has none', field('3'), undefined, [3]],
  ['the field when the body has no number', field('3'), '1', [3]],
  ['the field when the body has more than any number', field('3'), Infinity, [3]],
  ['the time until a date', field(in5s), undefined, [5]],
  ['the time from the Date to a date', [...field(in5s), ['Date', in4s]], undefined, [1]],
  ['the time until a date, the Date invalid', [...field(in5s), ['Date', 'now']], undefined, [5]],
  ['0 when the date has gone by', field(past), undefined, [0]],
  ['a body below 0 and in parts as it is', [], -1.5, [-1.5]],
  ['nothing when neither is there', [], undefined, []],
  ['nothing when both are invalid', field('1.5'), '1.5', []],
])('announcedSeconds gives %s', (_, headers, bodyWait, expected) => {
  expect(announcedSeconds(bodyWait, headers, NOW)).toEqual(expected);
});
