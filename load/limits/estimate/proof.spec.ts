import { describe, expect, test } from 'vitest';
import { isBeyondBucket, missingBeyond } from './beyond-bucket.ts';
import { conclude, estimate } from './estimate.ts';
import { learn, prior, weighed, type Posterior } from './posterior.ts';
import { aloneAhead } from '../models/ahead.ts';
import type { Candidate } from '../models/index.ts';
import {
  fixedWindow,
  intervalRefill,
  slidingLog,
  type TestLimiter,
} from '../simulated/limiters.testkit.ts';
import { bucketInWindow } from '../simulated/misfits.testkit.ts';
import { didItsOwn, partialRuns, partialRunsNeeded, timesClosed } from './proof.ts';
import type { ProbeEvent } from '../transcript.ts';

/** Single requests at these times, ms; `left` where the service says how many more it would admit. */
function asked(limiter: TestLimiter, atMs: readonly number[], left?: () => number): Posterior {
  const posterior = atMs.reduce((now, ms) => {
    const { admitted } = limiter.decide(ms, ms);
    const event: ProbeEvent = {
      sentMs: ms - 2,
      receivedMs: ms + 2,
      outcome: admitted ? 'admitted' : 'rejected',
      ...(left === undefined ? {} : { report: { remaining: left() } }),
    };
    return learn(now, [event]);
  }, prior());
  return weighed(posterior);
}

const burst = (fromMs: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => fromMs + 5 * index);

/** Used up, and back after a window. */
const once = [0, ...burst(200, 10), 9990, 10_010];
/** The same, then used up late, and looked at right after its end. */
const late = [...once, ...burst(18_800, 10), ...burst(20_020, 7)];

describe('a fixed window', () => {
  test('is not proven by coming back once: a bucket inside of it does as well', () => {
    expect(didItsOwn(asked(fixedWindow(10, 10_000), once), 'fixed-window')).toBe(false);
    expect(conclude(asked(fixedWindow(10, 10_000), once)).kind).toBe('ambiguous');
  });

  test('is not proven by being used up early in each window either', () => {
    const twice = [...once, ...burst(10_020, 9), 10_200, 20_100];
    expect(didItsOwn(asked(fixedWindow(10, 10_000), twice), 'fixed-window')).toBe(false);
  });

  test('is proven by coming back at once after it was used up late', () => {
    expect(didItsOwn(asked(fixedWindow(10, 10_000), late), 'fixed-window')).toBe(true);
  });

  test('with a bucket inside is told from one by that', () => {
    const { transcript } = asked(bucketInWindow(10, 10_000), late);
    expect(estimate(transcript).classes.map((one) => one.class)).not.toContain('fixed-window');
  });

  test('is proven by the word of a service that came true all along', () => {
    let used = 0;
    let startMs = -Infinity;
    const inner = fixedWindow(10, 10_000);
    const counting: TestLimiter = {
      decide: (at, doneAt) => {
        if (at - startMs >= 10_000) [startMs, used] = [at, 0];
        used += 1;
        return inner.decide(at, doneAt);
      },
    };
    const posterior = asked(counting, once, () => Math.max(0, 10 - used));
    expect(posterior.reportsHold).toBe(true);
    expect(didItsOwn(posterior, 'fixed-window')).toBe(true);
    const liar = asked(fixedWindow(10, 10_000), once, () => 7);
    expect([liar.reportsHold, didItsOwn(liar, 'fixed-window')]).toEqual([false, false]);
  });
});

test('a class that is ruled out is not proven', () => {
  expect(didItsOwn(asked(fixedWindow(10, 10_000), late), 'token-bucket')).toBe(false);
});

describe('an interval refill', () => {
  /** Used up, a refill waited for and used up, then full again and used up. */
  const refilled = [0, ...burst(200, 50), ...burst(15_400, 50), ...burst(215_000, 51)];

  test('is proven by a second part of it that came back: a wider limit leaves one as well', () => {
    const waited = [40_000, 88_000, 89_900, ...burst(90_500, 34), 178_000, 179_900, 180_300];
    const full = [...burst(400_000, 52), ...burst(900_000, 52), 985_000];
    const once = [0, ...burst(200, 51), ...waited, ...full];
    const seen = asked(intervalRefill(50, 32, 90_000), once);
    expect(conclude(seen).classes.map((one) => one.class)).toEqual(['interval-refill']);
    expect(didItsOwn(seen, 'interval-refill')).toBe(false);
    const again = [...once, 989_900, ...burst(990_700, 34), 1_079_000, 1_081_000];
    expect(didItsOwn(asked(intervalRefill(50, 32, 90_000), again), 'interval-refill')).toBe(true);
  });

  test('shows a part by a second run that ends before all of it was used', () => {
    const parts = [...refilled, ...burst(225_500, 12), ...burst(246_000, 22)];
    const { events } = asked(intervalRefill(50, 10, 10_000), parts).transcript;
    expect(partialRuns(events, 50)).toBe(3);
    // Neither what was used up first nor all of it again is a part.
    expect(partialRuns(events.slice(0, 51), 50)).toBe(0);
  });
});

test('a log is proven once it was used up twice, and something came back after that', () => {
  const candidate: Candidate = {
    ...{ class: 'sliding-log', limit: { lo: 10, hi: 10 }, timeMs: { lo: 9_990, hi: 10_010 } },
    ...{ open: 'no', base: { lo: 0, hi: 0 }, factor: 1, ahead: aloneAhead },
  };
  const proven = (atMs: readonly number[], usual: boolean): boolean => {
    const pointMasses = usual ? [{ ms: 10_000, probability: 1 }] : [];
    const { transcript } = asked(slidingLog(10, 10_000), atMs);
    const alternatives = [{ candidate, probability: 1, pointMasses }];
    return didItsOwn({ ...prior(), transcript, alternatives }, 'sliding-log');
  };
  const used = [...burst(0, 11), ...burst(10_200, 11)];
  expect(proven([...burst(0, 11), 10_200], true)).toBe(false);
  expect(proven(used, true)).toBe(false);
  expect(proven([...used, 20_400], true)).toBe(true);
  // With a time that nobody chooses, once more; and it must be seen closed twice, and open after that.
  const often = [...used, ...burst(20_400, 11)];
  expect(proven([...often, 30_600], false)).toBe(false);
  const once = [...burst(0, 11), 9_000, ...burst(10_200, 11), 19_000];
  expect(proven([...once, 20_400], false)).toBe(false);
  const closed = [...once, ...burst(20_400, 11)];
  expect(proven(closed, false)).toBe(false);
  expect(proven([...closed, 30_600], false)).toBe(true);
  expect(proven([...closed, 30_600, ...burst(30_610, 10)], false)).toBe(false);
});

test('a window is seen closed by what is rejected when a good part of it is over', () => {
  const event = (ms: number, outcome: ProbeEvent['outcome']): ProbeEvent => {
    return { sentMs: ms - 2, receivedMs: ms + 2, outcome };
  };
  const events = [
    event(0, 'admitted'),
    ...[1_900, 2_100, 5_000].map((ms) => event(ms, 'rejected')),
    event(10_000, 'admitted'),
    event(11_000, 'rejected'),
    event(13_000, 'failed'),
  ];
  expect(timesClosed(events, 10_000)).toBe(1);
  expect(timesClosed(events, 20_000)).toBe(1);
  expect(timesClosed(events, 40_000)).toBe(0);
  expect(timesClosed([...events, event(14_000, 'rejected')], 10_000)).toBe(2);
});

test('a run over two windows counts as the one that was used up last', () => {
  // A second window was begun at 18 s, and used up late; the first was left with two.
  const twice = [0, ...burst(200, 10), 10_010, ...burst(10_100, 7), ...burst(20_020, 2)];
  const long = [...twice, ...burst(29_000, 9), 30_100];
  expect(didItsOwn(asked(fixedWindow(10, 10_000), long), 'fixed-window')).toBe(false);
  const back = [...long, ...burst(30_110, 6)];
  expect(didItsOwn(asked(fixedWindow(10, 10_000), back), 'fixed-window')).toBe(true);
});

test('what must come back to be more than a bucket has tokens for', () => {
  const candidate: Candidate = {
    ...{ class: 'fixed-window', limit: { lo: 10, hi: 10 }, timeMs: { lo: 10_000, hi: 10_000 } },
    ...{ open: 'no', base: { lo: 0, hi: 0 }, factor: 1, ahead: aloneAhead },
  };
  const { events } = asked(fixedWindow(10, 10_000), [0, ...burst(9_000, 10)]).transcript;
  const least = missingBeyond(events, candidate, 10_010);
  const after = (count: number): boolean => {
    const more = burst(10_010, count).map((ms): ProbeEvent => {
      return { sentMs: ms, receivedMs: 10_010, outcome: 'admitted' };
    });
    return isBeyondBucket([...events, ...more], candidate);
  };
  expect([after(least - 1), after(least)]).toEqual([false, true]);
  // A bucket has had a window to fill.
  expect(missingBeyond(events, candidate, 19_010)).toBeGreaterThan(10);
});

test('a counter of rejections is proven by how it opens, not by long silences', () => {
  const candidate: Candidate = {
    ...{ class: 'sliding-counter-counting-rejects', limit: { lo: 10, hi: 10 } },
    ...{ timeMs: { lo: 9_990, hi: 10_010 }, open: 'no', base: { lo: 0, hi: 0 }, factor: 1 },
    ahead: aloneAhead,
  };
  const event = (ms: number, outcome: ProbeEvent['outcome']): ProbeEvent => {
    return { sentMs: ms - 2, receivedMs: ms + 2, outcome };
  };
  const used = (fromMs: number, rejectedMs: number): ProbeEvent[] => [
    ...burst(fromMs, 10).map((ms) => event(ms, 'admitted')),
    ...[fromMs + 60, fromMs + rejectedMs].map((ms) => event(ms, 'rejected')),
    event(fromMs + 12_000, 'admitted'),
  ];
  const proven = (rejectedMs: number): boolean => {
    const events = [...used(0, rejectedMs), ...used(40_000, rejectedMs)];
    const alternatives = [
      { candidate, probability: 1, pointMasses: [{ ms: 10_000, probability: 1 }] },
    ];
    const posterior = { ...prior(), transcript: { events }, alternatives };
    return didItsOwn(posterior, 'sliding-counter-counting-rejects');
  };
  expect([proven(2_000), proven(11_000)]).toEqual([false, true]);
});

describe('a bucket whose token comes each so many ms', () => {
  /** Bursts of so many, each ended by a rejection, then one that is let in again. */
  const proven = (counts: readonly number[], usual: boolean): boolean => {
    const candidate: Candidate = {
      ...{ class: 'token-bucket', limit: { lo: 10, hi: 10 }, timeMs: { lo: 990, hi: 1010 } },
      ...{ open: 'yes', base: { lo: 0, hi: 0 }, factor: 1, ahead: aloneAhead },
    };
    const events = [...counts, 1].flatMap((count, run): ProbeEvent[] => {
      const at = (ms: number): Pick<ProbeEvent, 'sentMs' | 'receivedMs'> => ({
        ...{ sentMs: 20_000 * run + ms, receivedMs: 20_000 * run + ms + 1 },
      });
      const admitted = Array.from({ length: count }, (_, index): ProbeEvent => {
        return { ...at(index), outcome: 'admitted' };
      });
      return run < counts.length ? [...admitted, { ...at(99), outcome: 'rejected' }] : admitted;
    });
    const pointMasses = usual ? [{ ms: 1000, probability: 1 }] : [];
    const alternatives = [{ candidate, probability: 1, pointMasses }];
    return didItsOwn({ ...prior(), transcript: { events }, alternatives }, 'token-bucket');
  };

  test('is used up twice, or once more where nobody chooses that time', () => {
    expect([proven([10], true), proven([10, 10], true)]).toEqual([false, true]);
    expect([proven([10, 10], false), proven([10, 10, 10], false)]).toEqual([false, true]);
  });

  test('and once more for each run that a token must have come in, which counts for none', () => {
    const after = (runs: number): number[] => [11, ...Array.from({ length: runs }, () => 10)];
    expect([proven(after(2), true), proven(after(3), true)]).toEqual([false, true]);
    expect([proven(after(4), false), proven(after(5), false)]).toEqual([false, true]);
  });
});

test('a refill is used up by itself twice, or once more where nobody chooses its interval', () => {
  expect([partialRunsNeeded(true), partialRunsNeeded(false)]).toEqual([2, 3]);
});
