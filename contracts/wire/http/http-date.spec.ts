import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseHttpDate } from './http-date.ts';

const NOW = Date.UTC(2026, 0, 1);

describe('parseHttpDate', () => {
  // The examples of RFC 9110 section 5.6.7.
  test.each([
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
  ])('reads %s', (text) => {
    expect(parseHttpDate(text, NOW)).toBe(784111777000);
  });

  test.each([
    ['a day that does not exist', 'Sun, 31 Feb 2027 00:00:00 GMT'],
    ['another day of the week', 'Mon, 06 Nov 1994 08:49:37 GMT'],
    ['an hour that does not exist', 'Sun, 06 Nov 1994 24:00:00 GMT'],
    ['another month', 'Sun, 06 Nox 1994 08:49:37 GMT'],
    ['another zone', 'Sun, 06 Nov 1994 08:49:37 UTC'],
    ['an offset', 'Sun, 06 Nov 1994 08:49:37 +0000'],
    ['one digit for the day', 'Sun, 6 Nov 1994 08:49:37 GMT'],
    ['lower case', 'sun, 06 nov 1994 08:49:37 gmt'],
    ['ISO 8601', '1994-11-06T08:49:37Z'],
    ['more text', 'Sun, 06 Nov 1994 08:49:37 GMT;'],
    ['no text', ''],
  ])('takes no %s', (_, text) => {
    expect(parseHttpDate(text, NOW)).toBeUndefined();
  });

  test.each([
    ['Friday, 06-Nov-76 00:00:00 GMT', 2076],
    ['Sunday, 06-Nov-77 00:00:00 GMT', 1977],
    ['Tuesday, 06-Nov-01 00:00:00 GMT', 2001],
  ])('%s is of the year %i, seen from 2026', (text, year) => {
    expect(new Date(parseHttpDate(text, NOW) ?? 0).getUTCFullYear()).toBe(year);
  });

  test('has a leap second', () => {
    const text = 'Sat, 31 Dec 2016 23:59:60 GMT';
    expect(parseHttpDate(text, NOW)).toBe(Date.UTC(2017, 0, 1));
  });

  test('reads what toUTCString writes', () => {
    const seconds = fc.integer({ min: -62167219200, max: 253402300799 });
    fc.assert(
      fc.property(seconds, (epochSeconds) => {
        const date = new Date(epochSeconds * 1000);
        expect(parseHttpDate(date.toUTCString(), NOW)).toBe(date.getTime());
      }),
    );
  });
});
