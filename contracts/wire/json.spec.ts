import { describe, expect, it } from 'vitest';
import { given } from './json.ts';

describe('members that are given', () => {
  it('leaves out what is undefined, and nothing else', () => {
    const kept = given({ a: undefined as string | undefined, b: null, c: 0, d: '', e: false });
    expect(kept).toEqual({ b: null, c: 0, d: '', e: false });
    expect('a' in kept).toBe(false);
  });
});
