import { describe, expect, test } from 'vitest';
import {
  crowdedBurst,
  hasRecovered,
  justRecovered,
  mayBeCrowded,
  mayBeShortWindow,
  soonAfterBurst,
} from './looks.ts';
import { spent, spread } from './pacing.ts';
import type { ProbeEvent } from '../transcript.ts';

/** `+0` admitted, `-5` rejected, sent at that ms and received 10 ms later; each a burst of its own. */
function events(text: string): ProbeEvent[] {
  return text.split(' ').map((word, burst) => ({
    sentMs: Number(word.slice(1)),
    receivedMs: Number(word.slice(1)) + 10,
    outcome: word.startsWith('+') ? 'admitted' : 'rejected',
    burst,
  }));
}

/** The last so many in one burst. */
function together(all: readonly ProbeEvent[], last: number): ProbeEvent[] {
  const burst = all[all.length - last]?.burst ?? 0;
  return all.map((event, at) => (at < all.length - last ? event : { ...event, burst }));
}

describe('after the first rejection', () => {
  test('of a burst, one is asked alone, at once', () => {
    expect(soonAfterBurst(together(events('+0 +100 -100'), 2))).toBe(110);
  });

  test('alone, one more is asked when the burst would be over once more', () => {
    const dueMs = 120 + 1.1 * 120;
    expect(soonAfterBurst(events('+0 +110 -120'))).toBe(dueMs);
    expect(soonAfterBurst(events(`+0 +110 -120 -${dueMs}`))).toBeNull();
  });

  test('that announces a shorter wait, one more is asked before its end', () => {
    const reported = events('+0 +5000 -5020').map((event) =>
      event.outcome === 'rejected' ? { ...event, retryAfterSeconds: 4 } : event,
    );
    expect(soonAfterBurst(reported)).toBe(5010 + 2400);
    expect(soonAfterBurst([...reported, ...events('-7410')])).toBeNull();
  });

  test('and a recovery, no more is asked for that', () => {
    expect(soonAfterBurst(events('+0 -10 +500'))).toBeNull();
  });
});

test.each<[string, boolean, boolean]>([
  ['+0 -10', false, false],
  ['+0 -10 +500', true, true],
  ['+0 -10 +500 +510', true, false],
  ['+0 +10', false, false],
])('%s: recovered %s, just now %s', (text, recovered, just) => {
  expect([hasRecovered(events(text)), justRecovered(events(text), 5)]).toEqual([recovered, just]);
});

test('one that is rejected right after the first recovery is followed by another, where more than one fit', () => {
  const text = '+0 +10 -20 +500 -510';
  expect([justRecovered(events(text), 2), justRecovered(events(text), 1)]).toEqual([true, false]);
  expect(justRecovered(events(`${text} -520`), 2)).toBe(false);
});

describe('requests at once', () => {
  const cut = together(events('+0 +100 -100'), 2);

  test('as many as fit follow right after a burst that was cut', () => {
    expect(crowdedBurst(cut, 1, [])).toEqual({ concurrent: 1, pauseMs: 0 });
  });

  test('one too many follow a pause', () => {
    expect(crowdedBurst([...cut, ...events('+200')], 1, [])).toEqual({ concurrent: 2, pauseMs: 0 });
  });

  test('follow each other without a pause once all but that is seen, and only so often', () => {
    const round = (at: number): string => `+${at} -${at} +${at + 20}`;
    const rounds = Array.from({ length: 4 }, (_, at) => round(100 * at)).join(' ');
    const all = events(rounds).map((one, at) => ({ ...one, burst: at - (at % 3 === 1 ? 1 : 0) }));
    const after = (count: number): boolean => {
      const text = Array.from({ length: count }, (_, at) => `+${400 + 10 * at}`).join(' ');
      const row = events(text).map((one, at) => ({ ...one, burst: 100 + at }));
      return mayBeShortWindow(count === 0 ? all : [...all, ...row], 1);
    };
    expect([after(0), after(4), after(5)]).toEqual([true, true, false]);
    expect(mayBeShortWindow(all.slice(0, 9), 1)).toBe(false);
  });

  test('are given up when nothing is proven by them', () => {
    expect(mayBeCrowded(cut, { lo: 1, hi: 1 })).toBe(true);
    const [one, vague] = [
      { lo: 1, hi: 1 },
      { lo: 1, hi: 2 },
    ];
    expect(mayBeCrowded(events('-0 -10 -20 -30 -40 -50 -60'), one)).toBe(false);
    expect(mayBeCrowded(events('-0 -10 -20 -30 -40 -50 -60'), vague)).toBe(true);
    expect(mayBeCrowded(events('-0 -10 -20 -30 -40 -50 -60 -70'), vague)).toBe(false);
  });
});

describe('the pace', () => {
  const sending = { kind: 'send', waitUntilMs: 0, concurrent: 1 } as const;

  test('slows down after rejections close together, long after the last admission', () => {
    const close = events('+0 -10000 -10020 -10040 -10060 -10080 -10100');
    expect(spread(sending, close).waitUntilMs).toBeGreaterThan(10_150);
  });

  test('does not for those right after the burst', () => {
    const early = events('+0 -10 -30 -50 -70 -90 -110 -130 -10000');
    expect(spread(sending, early)).toEqual(sending);
  });

  test('does not for those that were sent at once', () => {
    const all = together(events('+0 -10000 -10010 -10020 -10030 -10040 -10050 -10060'), 7);
    expect(spread(sending, all)).toEqual(sending);
  });

  test('ends with the budget', () => {
    const budget = {
      maxRequests: 3,
      maxRejects: 2,
      maxSeconds: 1,
      maxRatePerSecond: 10,
      maxConcurrent: 2,
    };
    expect(spent(budget, events('+0'), 10)).toBeNull();
    expect(spent(budget, events('+0 -1 -2'), 10)).toBe('max-requests');
    expect(spent({ ...budget, maxRequests: 9 }, events('+0 -1 -2'), 10)).toBe('max-rejects');
    expect(spent({ ...budget, maxRequests: 9 }, events('+0 -1'), 1000)).toBe('max-seconds');
  });
});
