/** In what a reset is written. The drafts say seconds from now, `X-RateLimit-*` has three habits. */

import type { RateLimitFamily } from './rate-limit-reading.ts';

/** How the number of a reset is read. */
export type ResetUnit = 'seconds' | 'epoch-seconds' | 'epoch-milliseconds';

/** Nobody announces a reset further away than this. */
const FARTHEST_MS = 400 * 86_400_000;

/**
 * The unit of a reset. Only in the X- families, of which no specification speaks, is a number near
 * now, as seconds or as milliseconds since the epoch, a moment. It would be decades as a wait.
 *
 * @param nowMs milliseconds since the epoch
 */
export function resetUnit(family: RateLimitFamily, raw: number, nowMs: number): ResetUnit {
  if (family !== 'x-ratelimit' && family !== 'x-rate-limit') return 'seconds';
  if (Math.abs(raw * 1000 - nowMs) < FARTHEST_MS) return 'epoch-seconds';
  if (Math.abs(raw - nowMs) < FARTHEST_MS) return 'epoch-milliseconds';
  return 'seconds';
}
