import { describe, expect, test } from 'vitest';
import {
  delaying,
  heldWindow,
  type TestLimiter,
  fixedWindow,
  unlimited,
} from '../simulated/limiters.testkit.ts';
import {
  contended,
  jittery,
  pausing,
  slowingDown,
  timeSliced,
  workers,
} from '../simulated/misfits.testkit.ts';
import { shapeOf, shapingOf } from './shaping.ts';
import { chance } from '../simulated/simulation.testkit.ts';
import type { ProbeEvent } from '../transcript.ts';

interface Looks {
  /** Requests one after another, before anything is looked into. */
  readonly first?: number;
  /** Bursts that come after. */
  readonly most?: number;
  readonly tripMs?: number;
  readonly jitterMs?: number;
  readonly atOnce?: number;
}

/** Sends one after another, then what `shapeOf` asks for, so often at most. */
function lookedAt(
  limiter: TestLimiter,
  { first = 12, most = 150, tripMs = 4, jitterMs = 1, atOnce = 20 }: Looks = {},
) {
  const random = chance(5);
  const events: ProbeEvent[] = [];
  let nowMs = 0;
  let burst = 0;
  const send = (count: number): void => {
    const sentMs = nowMs;
    burst += 1;
    const sent = Array.from({ length: count }, (): ProbeEvent => {
      const goingMs = tripMs / 2 + jitterMs * random();
      const { admitted, delayMs = 0 } = limiter.decide(sentMs + tripMs / 2, sentMs + tripMs);
      const receivedMs = sentMs + tripMs / 2 + delayMs + goingMs;
      return { sentMs, receivedMs, outcome: admitted ? 'admitted' : 'rejected', burst };
    });
    events.push(...sent.filter(({ outcome }) => outcome === 'admitted'));
    events.push(...sent.filter(({ outcome }) => outcome === 'rejected'));
    nowMs = Math.max(...sent.map(({ receivedMs }) => receivedMs));
  };
  for (let i = 0; i < first; i += 1) send(1);
  for (let i = 0; i < most; i += 1) {
    const shape = shapeOf(events, atOnce);
    if (shape.kind === 'steady') break;
    if (shape.kind === 'suspected') nowMs += shape.pauseMs;
    send(shape.kind === 'suspected' ? shape.concurrent : 2);
  }
  return {
    kind: shapeOf(events, atOnce).kind,
    shaping: shapingOf(events),
    requests: events.length,
    events,
  };
}

describe('a queue is named with what passes at once, its rate, its length and what is beyond', () => {
  test.each([
    ['of six beyond seven, 5/s', delaying(7, 5, 6), [7, 5, 1, 6, true]],
    ['of twelve beyond one, 5/s', delaying(1, 5, 12), [1, 5, 1, 12, true]],
    ['of ten beyond eleven, 2/s', delaying(11, 2, 10), [11, 2, 1, 10, true]],
    ['of two beyond one, 1/s', delaying(1, 1, 2), [1, 1, 1, 2, true]],
    ['without an end, 40/s', delaying(4, 40, 1e6), [4, 40, 1, 20, false]],
    ['that lets five pass each second, without an end', heldWindow(5, 1000), [5, 5, 5, 20, false]],
    ['that lets five pass each second, of ten', heldWindow(5, 1000, 10), [5, 5, 5, 10, true]],
  ] as const)('%s', (_, limiter, [free, perSecond, together, held, rejects]) => {
    const { kind, shaping, requests } = lookedAt(limiter, { first: free + 3 });
    expect(kind).toBe('steady');
    expect(shaping).toMatchObject({ free, together, rejects });
    expect((shaping?.perSecond ?? 0) / perSecond).toBeCloseTo(1, 1);
    // As many as are sent at once can be held, less what passes at once.
    if (rejects) expect(shaping?.held).toBe(held);
    else expect(shaping?.held).toBeGreaterThan(held - together - 2);
    expect(requests).toBeLessThan(130);
  });

  test('also where a round trip takes as long as a step, and varies', () => {
    const { shaping } = lookedAt(delaying(7, 5, 6), { tripMs: 120, jitterMs: 40 });
    expect(shaping).toMatchObject({ free: 7, held: 6, rejects: true });
  });
});

/** One each 50 ms; for as long as nobody asks, up to ten are saved up, but none at first. */
function spacing(): TestLimiter {
  const [stepMs, slack] = [50, 10];
  let lastMs: number | null = null;
  return {
    decide: (atMs) => {
      lastMs = lastMs === null ? atMs : Math.max(lastMs + stepMs, atMs - slack * stepMs);
      return { admitted: true, waitMs: 0, delayMs: Math.max(0, lastMs - atMs) };
    },
  };
}

test.each([6, 20])(
  'requests that are spaced out and saved up are seen with %i at once',
  (atOnce) => {
    const { kind, shaping, requests } = lookedAt(spacing(), { first: 8, tripMs: 1, atOnce });
    expect(kind).toBe('steady');
    expect((shaping?.perSecond ?? 0) / 20).toBeCloseTo(1, 1);
    expect(requests).toBeLessThan(80);
  },
);

test('requests of one burst may overtake each other on their way', () => {
  const { events } = lookedAt(delaying(4, 20, 1e6), { tripMs: 1 });
  // Each is sent a little later than the one that came before it out of the queue; now the other way round.
  const overtaken = events.map((event): ProbeEvent => {
    const burst = events.filter((other) => other.burst === event.burst);
    const place = burst.filter(({ receivedMs }) => receivedMs > event.receivedMs).length;
    return { ...event, sentMs: event.sentMs + 0.2 * place };
  });
  expect(shapingOf(overtaken)).toMatchObject({ free: 4, together: 1 });
});

test('a queue is named whether failed requests reached it or not', () => {
  for (const isCounted of [true, false]) {
    const { events } = lookedAt(delaying(8, 12.5, 15));
    const limiter = delaying(8, 12.5, 15);
    const failing = events.map(({ sentMs, burst = 0 }, at): ProbeEvent => {
      const isFailed = at === 2 || at === 5;
      const answer = isFailed && !isCounted ? null : limiter.decide(sentMs + 2, sentMs + 4);
      const receivedMs = sentMs + 4 + (answer?.delayMs ?? 0);
      const outcome = isFailed ? 'failed' : answer?.admitted === true ? 'admitted' : 'rejected';
      return { sentMs, receivedMs, outcome, burst };
    });
    expect(shapingOf(failing)).toMatchObject({ free: 8, held: 15, rejects: true });
  }
});

describe('no queue of a limiter', () => {
  test.each([
    ['one that is slow for all', workers(1000, 300)],
    ['one that does one thing at a time', workers(1, 50)],
    ['one with four workers', workers(4, 60)],
    ['one that takes up to 200 ms longer, at random', jittery(unlimited(), 200, 5)],
    ['one that stands still now and then', pausing(unlimited(), 700, 3000)],
    ['one that is the slower the more is asked at once', contended(4)],
    ['one with a fifth of a processor', timeSliced(20, 100, 5)],
    ['one whose delays grow with each request', slowingDown(5, 60_000, 200)],
  ])('%s', (_, limiter) => {
    const { kind, shaping } = lookedAt(limiter);
    expect([kind, shaping]).toEqual(['none', null]);
  });

  test('any that takes longer at random, however long and seldom', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const limiter = jittery(unlimited(), 25 * (1 + (seed % 8)), seed);
      expect(lookedAt(limiter, { most: 20, tripMs: 1 + (seed % 50) }).shaping).toBeNull();
    }
  });

  test('one at a time, with a limit that rejects', () => {
    const [window, worker] = [fixedWindow(20, 10_000), workers(1, 50)];
    const both: TestLimiter = {
      decide: (at, doneAt) => {
        const answer = window.decide(at, doneAt);
        return answer.admitted ? worker.decide(at, doneAt) : answer;
      },
    };
    expect(lookedAt(both).shaping).toBeNull();
  });

  test('rejections that come before the queue is full are of another limit', () => {
    const [window, queue] = [fixedWindow(14, 60_000), delaying(7, 5, 30)];
    const both: TestLimiter = {
      decide: (at, doneAt) => {
        const answer = window.decide(at, doneAt);
        return answer.admitted ? queue.decide(at, doneAt) : answer;
      },
    };
    expect(lookedAt(both, { first: 10 }).shaping?.rejects ?? false).toBe(false);
  });
});

test('a service that is fast costs no burst', () => {
  expect(lookedAt(unlimited(), { most: 15 }).requests).toBe(12 + 15 * 2);
});

test('the first answer alone may be slow', () => {
  const events = [200, 5, 5, 5, 5].map((tripMs, at): ProbeEvent => ({
    sentMs: 1000 * at,
    receivedMs: 1000 * at + tripMs,
    outcome: 'admitted',
    burst: at,
  }));
  expect(shapeOf(events)).toEqual({ kind: 'none' });
});

/** Requests as `+0-30`: admitted, sent at 0 and answered at 30 ms; `-` where rejected. Those sent at once are one burst. */
function reported(...lines: readonly string[]): ProbeEvent[] {
  return lines
    .join(' ')
    .split(' ')
    .map((text): ProbeEvent => {
      const [sentMs = 0, receivedMs = 0] = text.slice(1).split('-').map(Number);
      const outcome = text.startsWith('+') ? 'admitted' : 'rejected';
      return { sentMs, receivedMs, outcome, burst: sentMs };
    });
}

test('answers that are slow though nothing had to wait for its turn are late for another reason', () => {
  // One a second, over a network on which answers take from 7 to 170 ms.
  const events = reported(
    '+0-30 -327-473 +1538-1564 -1564-1647 -2228-2409 +2942-3072 -3072-3235 -3760-3786 +4175-4295',
    '-4988-5011 +5420-5435 -6182-6216 -6296-6343 +6512-6593 +7652-7659 -7659-7676 -8707-8751',
    '+8866-8889 +12175-12199 -12199-12288 -12759-12793 +13248-13342 -14324-14382 +14398-14480',
    '+15472-15559 -15559-15674 -15559-15674 -15559-15674 -15674-15711 -15674-15711 -15674-15711',
    '+18086-18254 -18086-18254',
  );
  expect(shapingOf(events)).toBeNull();
});

test('beside a token each minute it is nothing how much later an answer comes', () => {
  const events = reported(
    '+0-131 +1440-1572 +1572-1934 +1934-1975 +1934-2026 -2026-2037 -2026-2160 -2026-2285 -4257-4505',
    '-48896-48943 -49535-49594 -49852-49974 +50135-50330 -50330-50386 -74442-74499 +149600-149735',
    '-149735-149929 +157195-157346 +410327-410475 +425326-425363 +425363-425607 +425607-425684',
    '+425684-425824 -425824-425868 -459210-459405 +460998-461131 +516496-516671 +571858-572161',
    '+627222-627745 +682584-682787 -682787-682858 -682787-682876 -682787-683045',
  );
  expect(shapingOf(events)).toBeNull();
});

test('where one at a time is held back, how long it is tells the rate', () => {
  const events = reported(
    '+0-1 +103-109 +109-115 +115-501 -115-119 +501-1001 +4002-4004 +4002-4006 +7006-7009 +7006-7009',
    '+7006-7014 +10015-10016 +10015-10016 +10015-10024 +10015-10517 -10015-10018 +13518-13519',
    '+13518-13520 +13518-13524 +13518-14022 -13518-13521 +17024-17025 +17024-17026 +17024-17026',
    '+17024-17527 -17024-17030',
  );
  expect(shapingOf(events)).toMatchObject({ free: 3, held: 1, together: 1, rejects: true });
  expect(shapingOf(events)?.perSecond).toBeCloseTo(2, 1);
});
