import { describe, expect, test } from 'vitest';
import type { MeasuredLimit } from '../../../contracts/run/run.ts';
import { announce } from '../../../fixtures/service/faults/limits/limit-kit.ts';
import { parseLimit } from '../../../fixtures/service/reference/index.ts';
import { stage, type Staging, withoutLeft } from '../world.testkit.ts';

/** What a whole probe of a limit took, and what it found. */
async function whole(
  text: string,
  apply?: Staging['apply'],
): Promise<{ requests: number; seconds: number; row: MeasuredLimit['row'] | undefined }> {
  const { exchanges, seconds, limits } = await stage({
    options: { limits: { zap: parseLimit(text), trade: null, tradeKey: null } },
    target: { otherAddress: '127.0.0.2' },
    ...(apply === undefined ? {} : { apply }),
  });
  return { requests: exchanges.length, seconds, row: limits[0]?.row };
}

describe('a service that says truly what is left and how long to wait is asked about all of it', () => {
  test.each([
    ['100/60', 240, 66],
    ['sliding-log:limit=100,window=60s', 250, 126],
    ['sliding-counter:limit=100,window=60s', 195, 84],
    ['token-bucket:burst=100,refill=100/60s', 195, 24],
    ['10/10', 60, 13],
  ])('%s: in %i requests and %i s at most', async (text, mostRequests, mostSeconds) => {
    const { requests, seconds, row } = await whole(text);
    expect(requests).toBeLessThanOrEqual(mostRequests);
    expect(seconds).toBeLessThanOrEqual(mostSeconds);
    expect(row).toMatchObject({ verdict: 'identified', failures: 'counted' });
    expect(row?.retryAfter).toMatchObject({ verdict: 'honest' });
    expect(row?.buckets?.filter(({ met }) => met === 'undecided')).toEqual([]);
  });
});

test('waits that were seen to be true are not tried once more, also where nothing says what is left', async () => {
  const { requests, seconds, row } = await whole('10/10', withoutLeft);
  expect([requests <= 104, seconds <= 65]).toEqual([true, true]);
  expect(row?.retryAfter).toMatchObject({ verdict: 'honest' });
});

test.each([
  ['too early', 0.8],
  ['too late', 1.5],
])('a wait that is %s is tried in a cycle of its own', async (_, factor) => {
  const { row } = await whole(
    '10/10',
    announce('zap', (seconds) => Math.round(factor * seconds)),
  );
  expect(row?.retryAfter?.verdict).not.toBe('honest');
});
