import { describe, expect, test } from 'vitest';
import type { LimitEstimate } from '../../../contracts/run/load/limit-measurement.ts';
import { clientLimit, type KnownLimit } from './client-limit.ts';

const WINDOW: LimitEstimate = {
  verdict: 'identified',
  algorithms: ['fixed-window'],
  limit: 100,
  windowSeconds: 60,
};

function settings(known: Partial<KnownLimit>): ReturnType<typeof clientLimit> {
  const intervals = { limit: [100, 100], windowSeconds: [59.9, 60.5] } as const;
  return clientLimit({ estimate: WINDOW, intervals, fullSeconds: 60.5, waits: 'honest', ...known });
}

describe('the settings of a client', () => {
  test('are of the longest window that explains what was seen, a little slower', () => {
    expect(settings({})).toEqual({
      requests: 100,
      afterSilenceSeconds: 60.5,
      pacePerSecond: 1.6,
      retryAfter: 'obey',
    });
    const wide = settings({ intervals: { limit: [90, 110], windowSeconds: [50, 120] } });
    expect(wide).toMatchObject({ requests: 90, pacePerSecond: 0.727 });
  });

  test('of a bucket keep to the slowest refill', () => {
    const estimate: LimitEstimate = {
      ...{ ...WINDOW, algorithms: ['token-bucket'], limit: 20, burst: 20 },
      ...{ refillPerSecond: 2, windowSeconds: 10 },
    };
    const intervals = { burst: [20, 20], refillPerSecond: [1.9, 2.1] } as const;
    expect(settings({ estimate, intervals })).toMatchObject({ requests: 20, pacePerSecond: 1.84 });
  });

  test('of two limits keep to both', () => {
    const stacked = [
      { algorithm: 'fixed-window', limit: 5, windowSeconds: 2 },
      { algorithm: 'fixed-window', limit: 20, windowSeconds: 40 },
    ];
    const estimate: LimitEstimate = { verdict: 'stacked', algorithms: [], stacked };
    const found = settings({ estimate, intervals: {}, fullSeconds: 40 });
    expect(found).toMatchObject({ requests: 5, afterSilenceSeconds: 40, pacePerSecond: 0.485 });
  });

  test('of a limit on requests in flight are their number alone', () => {
    const estimate: LimitEstimate = { ...WINDOW, algorithms: ['concurrency'], limit: 4 };
    const intervals = { limit: [4, 4] } as const;
    expect(settings({ estimate, intervals })).toEqual({ inFlight: 4, retryAfter: 'obey' });
    const open = { ...estimate, algorithms: ['concurrency', 'token-bucket'] };
    expect(settings({ estimate: open, intervals })).toBeUndefined();
  });

  test('are absent if no limit or no time is known', () => {
    const composite: LimitEstimate = { verdict: 'composite', algorithms: [] };
    expect(settings({ estimate: composite, intervals: {} })).toBeUndefined();
    const penalty: LimitEstimate = { ...WINDOW, algorithms: ['penalty-block'] };
    delete (penalty as { windowSeconds?: number }).windowSeconds;
    expect(settings({ estimate: penalty, intervals: { limit: [100, 100] } })).toBeUndefined();
  });

  test('say nothing of a silence that nobody knows', () => {
    expect(settings({ fullSeconds: Infinity })).not.toHaveProperty('afterSilenceSeconds');
    expect(settings({ fullSeconds: undefined })).not.toHaveProperty('afterSilenceSeconds');
  });

  test.each([
    ['too-late', 'obey'],
    ['too-early', 'ignore'],
    ['wrong-unit', 'ignore'],
    ['not-judged', 'not-tried'],
    [undefined, 'absent'],
  ] as const)('with waits that are %s: %s', (waits, retryAfter) => {
    expect(settings({ waits })).toMatchObject({ retryAfter });
  });
});
