import { expect, test } from 'vitest';
import { recoveriesOf } from './recoveries.ts';
import type { ProbeEvent } from '../transcript.ts';

/** `+` admitted, `-` rejected, `?` failed, each sent at the second and received 10 ms later. */
function events(text: string): ProbeEvent[] {
  return text.split(' ').map((word) => {
    const sentMs = Number(word.slice(1)) * 1000;
    const outcome = ({ '+': 'admitted', '-': 'rejected' } as const)[word[0] ?? ''] ?? 'failed';
    return { sentMs, receivedMs: sentMs + 10, outcome };
  });
}

test.each<[string, boolean, unknown]>([
  ['-1 +5', true, { notAfterMs: 5010 }],
  ['-1 -2 -3 +5', true, { notBeforeMs: 2000, notAfterMs: 5010 }],
  ['-1 -2 -3 +5 -6', false, { notBeforeMs: 3000, notAfterMs: 5010 }],
  ['-1 -2', true, { notBeforeMs: 2000 }],
  ['-1', true, {}],
  // Admitted while the first was under way: it may have taken what the first is to wait for.
  ['-1 +1.005 -2 -3 +5', true, { notAfterMs: 5010 }],
  // The last of these was beside one that was admitted, so by then there was something.
  ['-1 -2 -4.995 +5', false, { notBeforeMs: 2000, notAfterMs: 5010 }],
  // One right after the other are not at once, though the first was sent a millisecond early.
  ['+0.99 -1 -2 +5', true, { notBeforeMs: 2000, notAfterMs: 5010 }],
  ['-1 ?3 +5', true, { notAfterMs: 5010 }],
  // Sent before the rejection came: it says nothing of a wait after it.
  ['-1 -1.005 +5', true, { notAfterMs: 5010 }],
])('of the first in %s, asking delays: %s', (text, askingDelays, expected) => {
  const all = events(text);
  const first = all.findIndex(({ outcome }) => outcome === 'rejected');
  expect(recoveriesOf(all, askingDelays).get(first)).toEqual(expected);
});

test('only rejections have one', () => {
  expect([...recoveriesOf(events('+0 -1 ?2 -3 +5'), true).keys()]).toEqual([1, 3]);
});
