import { expect, test } from 'vitest';
import type { Decorator } from '../../../../fixtures/service/faults/fault.ts';
import { parseLimit } from '../../../../fixtures/service/reference/limits.ts';
import { BENCH_BUDGET, probeRow } from './bench-row.ts';
import { openInProcess } from '../../../../suites/service/self-test/in-process-target.ts';
import { truthOf } from './reference-truth.ts';

/** Another window in the policy, and in each wait as well if `waits` is set, s. */
function reporting(windowSeconds: number, waits: boolean): Decorator {
  return (service) => ({
    ...service,
    fetch: async (...given) => {
      const response = await service.fetch(...given);
      const headers = new Headers(response.headers);
      const policy = headers.get('ratelimit-policy') ?? '';
      headers.set('ratelimit-policy', policy.replace(/w=\d+/, `w=${windowSeconds}`));
      const text = await response.text();
      if (!waits || response.status !== 429) {
        return new Response(text, { status: response.status, headers });
      }
      headers.set('retry-after', String(windowSeconds));
      const body = text.replace(/"retryAfter":\d+/, `"retryAfter":${windowSeconds}`);
      return new Response(body, { status: response.status, headers });
    },
  });
}

test.each([
  ['fixed-window:limit=30,window=10s', 5, false, ['right']],
  ['fixed-window:limit=30,window=10s', 60, false, ['right']],
  // As of a wait of 5 s that starts anew with each rejection, except for what is left.
  ['fixed-window:limit=30,window=10s', 5, true, ['right']],
  ['sliding-log:limit=15,window=2s', 4, true, ['right']],
  // One that is not proven in time may stay among others; as it is claimed it never is.
  ['token-bucket:burst=40,refill=1/s', 80, false, ['right', 'ambiguous']],
])('%s that claims %i s is seen through', async (limit, windowSeconds, waits, grades) => {
  const parsed = parseLimit(limit);
  if (parsed === null) throw new Error('no limit');
  const { probing, close } = openInProcess({
    seed: 1,
    startMs: Date.UTC(2026, 0, 1, 0, 0, 1),
    options: { limits: { zap: parsed, trade: null, tradeKey: null } },
    apply: reporting(windowSeconds, waits),
    trip: () => ({ ms: 5, before: 0.5 }),
    budget: BENCH_BUDGET,
  });
  const given = {
    source: 'reference',
    name: 'zap',
    parameters: limit,
    truth: truthOf(parsed),
  } as const;
  const row = await probeRow(given, probing).finally(close);
  expect(row.grade).toBeOneOf(grades);
});
