import type { RateLimitReading } from '../../../wire/rate-limit-reading.ts';
import { resetUnit } from '../../../wire/rate-limit-reset.ts';

/**
 * The seconds until a limit is reset, as an answer states them; undefined if it states none.
 *
 * @param nowMs when the answer came, in milliseconds since the epoch
 */
export function waitOf({ family, reset }: RateLimitReading, nowMs: number): number | undefined {
  if (reset === undefined) return undefined;
  const { raw } = reset;
  switch (resetUnit(family, raw, nowMs)) {
    case 'seconds':
      return raw;
    case 'epoch-seconds':
      return raw - nowMs / 1000;
    case 'epoch-milliseconds':
      return (raw - nowMs) / 1000;
  }
}
