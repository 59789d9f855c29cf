import { describe, expect, it } from 'vitest';
import { TextMemo } from './text-memo.ts';

/** Of one length, alike in the middle and at the end, so that they are looked for at the same place. */
function alike(count: number): string[] {
  return Array.from(
    { length: count },
    (_, at) => `${String(at).padStart(6, '0')}middle-and-the-end`,
  );
}

describe('what is known of texts', () => {
  it('is found again, whichever was met last', () => {
    const memo = new TextMemo<number>(100);
    const texts = ['', 'a', 'é', '😀', ...alike(20)];
    for (const [at, text] of texts.entries()) {
      expect(memo.find(text)).toBeUndefined();
      expect(memo.add(text, at)).toBe(at);
    }
    const found = (): unknown[] => texts.map((text) => memo.find(text));
    expect([found(), found()]).toEqual([[...texts.keys()], [...texts.keys()]]);
  });

  it('is what was added, falsy values too', () => {
    const memo = new TextMemo<unknown>(100);
    for (const value of [false, 0, '', null]) {
      memo.add(String(value), value);
      expect([memo.find(String(value)), memo.find(String(value))]).toEqual([value, value]);
    }
  });

  it('is known of a bounded number of them', () => {
    const memo = new TextMemo<number>(10);
    const texts = alike(11);
    for (const [at, text] of texts.entries()) memo.add(text, at);
    expect(texts.filter((text) => memo.find(text) !== undefined)).toEqual([texts[10]]);
  });

  it('is forgotten altogether', () => {
    const memo = new TextMemo<number>(10);
    for (const text of alike(3)) memo.add(text, 1);
    memo.forget();
    expect(alike(3).map((text) => memo.find(text))).toEqual([undefined, undefined, undefined]);
  });
});
