/** What one rejection says of how long to wait, source by source. */

import type { WaitSource, WaitUnit } from '../../../contracts/run/load/limit-measurement.ts';
import { type HeaderList, headerOf } from '../../../contracts/wire/exchange.ts';
import { parseHttpDate } from '../../../contracts/wire/http/http-date.ts';
import { resetUnit } from '../../../contracts/wire/rate-limit-reset.ts';
import { parseRetryAfter } from '../../../contracts/wire/http/retry-after.ts';
import { readReport } from './read-report.ts';

/** A rejection as it came. */
export interface Rejection {
  /** On the probe's monotonic clock, ms. */
  readonly sentMs: number;
  readonly receivedMs: number;
  /** When it was received by the probe's wall clock, ms since the epoch. */
  readonly receivedEpochMs: number;
  readonly headers: HeaderList;
  /** The wait that the body announces, as it stands there; undefined where it announces none. */
  readonly bodyWait: unknown;
}

/** One announced wait. `written` is the number as it stands, in `unit`. */
export type Announced =
  | { readonly kind: 'absent' }
  | { readonly kind: 'malformed'; readonly text: string }
  | { readonly kind: 'wait'; readonly written: number; readonly unit: WaitUnit };

/** HTTP dates and epoch seconds are whole seconds, so a moment may be off by this much, ms. */
const WALL_GRAIN_MS = 1000;
/** How far the target's clock may be from the probe's when it sends no `Date`, ms. */
const CLOCK_SKEW_MS = 2000;

/** What a rejection announces by one source. */
export function announcedBy(source: WaitSource, rejection: Rejection): Announced {
  switch (source) {
    case 'body':
      return inBody(rejection.bodyWait);
    case 'retry-after':
      return inRetryAfter(rejection);
    case 'rate-limit-reset':
      return inReset(rejection);
  }
}

function inBody(wait: unknown): Announced {
  if (wait === undefined) return { kind: 'absent' };
  return typeof wait === 'number' && Number.isFinite(wait)
    ? { kind: 'wait', written: wait, unit: 'seconds' }
    : { kind: 'malformed', text: JSON.stringify(wait) };
}

/** A negative number has no place in the field, but says what is wrong better than "malformed". */
function inRetryAfter({ headers, receivedEpochMs }: Rejection): Announced {
  const text = headerOf(headers, 'retry-after');
  if (text === undefined) return { kind: 'absent' };
  const value = parseRetryAfter(text, receivedEpochMs);
  if (value.kind === 'seconds') return { kind: 'wait', written: value.seconds, unit: 'seconds' };
  if (value.kind === 'date') return { kind: 'wait', written: value.epochMs, unit: 'date' };
  return /^\s*-\d+\s*$/.test(text)
    ? { kind: 'wait', written: Number(text), unit: 'seconds' }
    : { kind: 'malformed', text };
}

/** The reset of the limit that is exhausted; of the nearest one where several are. */
function inReset({ headers, receivedEpochMs }: Rejection): Announced {
  const report = readReport(headers);
  const withReset = report.readings.filter(({ reset }) => reset !== undefined);
  const exhausted = withReset.filter(({ remaining }) => remaining === 0);
  const [reading] = exhausted.length > 0 ? exhausted : withReset;
  if (reading?.reset === undefined) {
    const malformed = report.malformed.find(({ name }) => name.endsWith('reset'));
    return malformed === undefined
      ? { kind: 'absent' }
      : { kind: 'malformed', text: malformed.value };
  }
  const { raw } = reading.reset;
  return { kind: 'wait', written: raw, unit: resetUnit(reading.family, raw, receivedEpochMs) };
}

/** A wait in ms, and how much shorter it may be for the grain of the clocks that it was read by. */
export interface ReadWait {
  readonly waitMs: number;
  readonly grainMs: number;
}

/** The wait that a number stands for when it is read in a unit. */
export function readWait(written: number, unit: WaitUnit, rejection: Rejection): ReadWait {
  switch (unit) {
    case 'seconds':
      return { waitMs: written * 1000, grainMs: 0 };
    case 'milliseconds':
      return { waitMs: written, grainMs: 0 };
    case 'epoch-seconds':
      return fromNow(written * 1000, rejection);
    case 'epoch-milliseconds':
    case 'date':
      return fromNow(written, rejection);
  }
}

/** Against the target's own clock where it tells it: `Date` is cut off to whole seconds. */
function fromNow(epochMs: number, { headers, receivedEpochMs }: Rejection): ReadWait {
  const date = parseHttpDate(headerOf(headers, 'date') ?? '', receivedEpochMs);
  return date === undefined
    ? { waitMs: epochMs - receivedEpochMs + CLOCK_SKEW_MS, grainMs: 2 * CLOCK_SKEW_MS }
    : { waitMs: epochMs - date, grainMs: WALL_GRAIN_MS };
}
