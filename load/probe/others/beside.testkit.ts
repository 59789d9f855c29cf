/** Targets whose limit somebody else uses up as well. */

import { limiterOf } from '../../../fixtures/known-limiters/limiter-of.ts';
import type { LimiterTruth } from '../../../fixtures/known-limiters/truth.ts';
import { stage, type Staged } from '../world.testkit.ts';

/** `before`: one request, a second before the first of the probe · `beside`: all the time, at a tenth of the rate. */
export type Others = 'before' | 'beside';

/** How many requests each class of these lets in. */
export const LIMIT = 30;
/** In what time. */
export const SECONDS = 10;

const PHASE_MS = 1300;

/** What the probe finds of a limit that others use as well, by its first stage alone. */
export async function besideOthers(
  name: LimiterTruth['class'],
  others: Others,
  seed = 1,
): Promise<Staged> {
  const truth = { class: name, limit: LIMIT, seconds: SECONDS, perSecond: LIMIT / SECONDS };
  const limiter = limiterOf(truth, { phaseMs: PHASE_MS });
  const periodMs = (10 * 1000 * SECONDS) / LIMIT;
  let nextMs: number | undefined;
  const take = (atMs: number): ReturnType<typeof limiter.decide> => limiter.decide(atMs, atMs);
  return stage({
    depth: 'quick',
    seed,
    reply: async (_, clock) => {
      await clock.sleep(3);
      const atMs = clock.nowMs();
      if (others === 'before' && nextMs === undefined) take((nextMs = atMs - 1000));
      if (others === 'beside') {
        for (nextMs ??= atMs - seed * 400; nextMs <= atMs; nextMs += periodMs) take(nextMs);
      }
      const { admitted, waitMs } = take(atMs);
      await clock.sleep(4);
      return {
        kind: 'response',
        status: admitted ? 200 : 429,
        headers: admitted ? [] : [['Retry-After', String(Math.ceil(waitMs / 1000))]],
        body: new TextEncoder().encode('{}'),
      };
    },
  });
}
