import { expect, test } from 'vitest';
import type { ProbeEvent } from '../transcript.ts';
import { concurrency } from './concurrency.ts';

/** Bursts a second apart, each of requests that take 10 ms: `+` admitted, `-` rejected. */
function left(...bursts: readonly string[]): boolean {
  const events = bursts.flatMap((text, burst) =>
    Array.from(text, (sign): ProbeEvent => ({
      sentMs: 1000 * burst,
      receivedMs: 1000 * burst + 10,
      outcome: sign === '+' ? 'admitted' : 'rejected',
      burst,
    })),
  );
  return events.reduce((now, event) => now.observe(event), concurrency()).isLeft;
}

test('one too many at once that are all admitted rule out a limit on requests at once', () => {
  expect(left('++-', '++')).toBe(true);
  expect(left('++-', '+++')).toBe(true);
  expect(left('++-', '+++', '++++')).toBe(false);
});

test('one too many of a great limit rule it out as soon, though each is a small part of it', () => {
  const cut = `${'+'.repeat(15)}-`;
  const spared = '+'.repeat(16);
  expect(left(cut, spared, spared)).toBe(true);
  expect(left(cut, spared, spared, spared, spared)).toBe(false);
});

test('one that was done before the last came does not, where bursts are cut again and again', () => {
  expect(left('++-', '++', '++-', '++', '+++', '++-', '++', '+++')).toBe(true);
});

test('bursts before the first rejection say nothing: the service may have grown busy since', () => {
  expect(left('+++', '+++', '+++', '++-')).toBe(true);
});
