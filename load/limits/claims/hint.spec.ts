import { describe, expect, test } from 'vitest';
import { hintOf, startsAnew, unrefutedHint } from './hint.ts';
import type { ProbeEvent } from '../transcript.ts';

const TRIP_MS = 10;

/** `+` admitted, `-5` rejected with a wait of 5 s, each with the second at which it was sent. */
function events(text: string): ProbeEvent[] {
  return text.split(' ').map((word) => {
    const [what = '', at = ''] = word.split('@');
    const sentMs = Number(at) * 1000;
    const times = { sentMs, receivedMs: sentMs + TRIP_MS };
    if (what === '+') return { ...times, outcome: 'admitted' };
    const wait = what.slice(1);
    return {
      ...times,
      outcome: 'rejected',
      ...(wait === '' ? {} : { retryAfterSeconds: Number(wait) }),
    };
  });
}

describe('the wait that the service asks for', () => {
  const hint = (text: string): ReturnType<typeof hintOf> => hintOf(events(text), TRIP_MS);

  test('ends within its last second, since it may be rounded up', () => {
    expect(hint('+@0 -8@0.2')).toMatchObject({ fromMs: 7190, toMs: 8220, anew: false });
  });

  test('is told more closely by several that fall', () => {
    expect(hint('+@0 -8@0.2 -5@3.1 -2@6.6')).toMatchObject({
      fromMs: 7590,
      toMs: 8120,
      anew: false,
    });
  });

  test('starts anew where its end was put off', () => {
    expect(hint('+@0 -8@0.2 -8@4')).toMatchObject({
      fromMs: 10_990,
      toMs: 12_020,
      anew: true,
      firstMs: 8220,
    });
  });

  test('was seen to be true where two told the same end', () => {
    expect(hint('+@0 -8@0.2 -5@3.1')).toMatchObject({ isSeen: true });
    expect(hint('+@0 -8@0.2 -8@3.1')).toMatchObject({ isSeen: false });
  });

  test('is not put off by two that are rounded to the same second', () => {
    expect(hint('+@0 -8@0.2 -8@1.1')).toMatchObject({ anew: false });
  });

  test.each([
    ['a service that asks for none', '+@0 -@0.2'],
    ['one whose wait was over before the next request', '+@0 -2@0.2 -2@2.5'],
    ['one that asks for days', '+@0 -90000@0.2'],
    ['one that recovered, after which no wait was seen to fall', '+@0 -8@0.2 +@4 -8@5'],
    ['one that recovered, whose waits of one moment were alike', '+@0 -8@0.2 -8@0.9 +@4 -8@5'],
  ])('is not believed of %s', (_, text) => {
    expect(hint(text)).toBeNull();
  });

  test('is believed where others before it had been put off', () => {
    expect(hint('+@0 -5@0.2 -5@4 -5@6')).toMatchObject({ fromMs: 9990, anew: true });
  });
});

describe('a wait that nothing spoke against', () => {
  test.each<[string, boolean]>([
    ['+@0 -8@0.2 +@4 -8@5', true],
    ['+@0 -8@0.2 +@9 -8@10 +@14 -8@15', true],
    // The first was not over when the next one came.
    ['+@0 -2@0.2 -1@1.5 +@2.3 -2@5', true],
    // One was too short, long ago.
    ['+@0 -2@0.2 -2@2.5 +@4 -8@5', false],
    // It asks for none.
    ['+@0 -8@0.2 +@9 -@10', false],
  ])('is worth a request: %s, %s', (text, expected) => {
    expect(unrefutedHint(events(text), TRIP_MS) !== null).toBe(expected);
  });
});

describe('waits that start anew, by word and in truth', () => {
  test.each<[string, boolean]>([
    // The first was to be over at 5.2 s, the second had put it off, and came true.
    ['+@0 -5@0.2 -5@4 -5@6 +@11.1', true],
    // None was asked for when the first was over.
    ['+@0 -5@0.2 -5@4 +@9.1', false],
    // The second was not over, and it was admitted all the same.
    ['+@0 -5@0.2 -5@4 -5@6 +@8', false],
    // A wait that was too short although nobody asked meanwhile.
    ['+@0 -5@0.2 -5@6 +@11.1', false],
    // Each told the same end.
    ['+@0 -9@0.2 -5@4 -3@6 +@9.3', false],
    ['+@0 -@0.2 -@4 -@6 +@11.1', false],
  ])('%s: %s', (text, expected) => {
    expect(startsAnew(events(text))).toBe(expected);
  });
});
