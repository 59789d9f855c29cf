/** Long because it is a table of announced and measured waits for each source. */

import { describe, expect, test } from 'vitest';
import type { WaitTruth, WaitVerdict } from '../../../contracts/run/load/limit-measurement.ts';
import type { HeaderList } from '../../../contracts/wire/exchange.ts';
import type { MeasuredRejection } from './held-waits.ts';
import type { Recovery } from './recoveries.ts';
import { waitTruths } from './retry-after-truth.ts';

const TRIP_MS = 20;
const EPOCH_MS = Date.UTC(2026, 0, 1, 12, 0, 0, 300);

/** What a service says when `left` ms are left, `at` ms after the first rejection. */
type Says = (
  left: number,
  at: number,
) => { readonly bodyWait?: unknown; readonly headers?: HeaderList };

/** Rejections of a bucket that recovers after `waitMs`, which was measured to the millisecond. */
function bucket(waitMs: number, atMs: readonly number[], says: Says): MeasuredRejection[] {
  return atMs.map((at) => rejection(at, { notBeforeMs: waitMs, notAfterMs: waitMs }, says, waitMs));
}

function rejection(at: number, recovery: Recovery, says: Says, waitMs: number): MeasuredRejection {
  const { bodyWait, headers = [] } = says(waitMs - at, at);
  const sent = { sentMs: at - TRIP_MS / 2, receivedMs: at + TRIP_MS / 2 };
  return { ...sent, receivedEpochMs: EPOCH_MS + at, headers, bodyWait, recovery };
}

function truth(source: WaitTruth['source'], rejections: readonly MeasuredRejection[]): WaitTruth {
  const found = waitTruths(rejections, TRIP_MS).find((one) => one.source === source);
  if (found === undefined) throw new Error(`no truth of ${source}`);
  return found;
}

const up = (ms: number): number => Math.ceil(ms / 1000);
const inBody =
  (value: (left: number, at: number) => unknown): Says =>
  (left, at) => ({ bodyWait: value(left, at) });
const inField =
  (value: (left: number, at: number) => string): Says =>
  (left, at) => ({ headers: [['Retry-After', value(left, at)]] });

describe('the retryAfter of the body', () => {
  test.each<[string, WaitVerdict, number, Says]>([
    ['rounded up', 'honest', 9400, inBody(up)],
    ['rounded up, and one more', 'honest', 9400, inBody((left) => up(left) + 0.4)],
    ['with a fraction', 'honest', 9400, inBody((left) => left / 1000)],
    ['floored', 'too-early', 9400, inBody((left) => Math.floor(left / 1000))],
    ['1 always', 'too-early', 9400, inBody(() => 1)],
    ['two seconds more', 'too-late', 9400, inBody((left) => up(left) + 2)],
    ['the whole window always', 'constant', 9400, inBody(() => 10)],
    ['40 s for 5.2', 'constant', 5200, inBody(() => 40)],
    ['falling, but far too late', 'too-late', 5200, inBody((left) => 35 + up(left))],
    ['milliseconds', 'wrong-unit', 9400, inBody((left) => left)],
    ['the whole window in milliseconds', 'wrong-unit', 60_000, inBody(() => 60_000)],
    [
      'epoch seconds',
      'wrong-unit',
      9400,
      inBody((left, at) => Math.ceil((EPOCH_MS + at + left) / 1000)),
    ],
    ['epoch milliseconds', 'wrong-unit', 9400, inBody((left, at) => EPOCH_MS + at + left)],
    ['negative', 'negative', 9400, inBody((left) => -up(left))],
    ['text', 'not-a-number', 9400, inBody((left) => String(up(left)))],
    ['null', 'not-a-number', 9400, inBody(() => null)],
    ['absent', 'absent', 9400, () => ({})],
    ['in no body at all', 'absent', 9400, () => ({})],
  ])('%s is %s', (_, verdict, waitMs, says) => {
    expect(truth('body', bucket(waitMs, [0, 2500, 5000], says)).verdict).toBe(verdict);
  });

  test('a constant is honest where it takes as long each time', () => {
    const restarted = [0, 3000, 9000].map((at) => {
      const opensAtMs = at + 10_000;
      return rejection(
        at,
        { notBeforeMs: opensAtMs, notAfterMs: opensAtMs },
        inBody(() => 10),
        0,
      );
    });
    expect(truth('body', restarted).verdict).toBe('honest');
  });

  test('one too early among many honest ones is too early, its error told', () => {
    const says = inBody((left, at) => (at === 2500 ? 3 : up(left)));
    const { detail, ...found } = truth('body', bucket(9400, [0, 2500, 5000], says));
    expect(found).toEqual({
      source: 'body',
      verdict: 'too-early',
      unit: 'seconds',
      judged: 3,
      medianErrorMs: 590,
      worstErrorMs: -3890,
      worst: { announcedMs: 3000, measuredMs: 6890 },
    });
    expect(detail).toBe('announced 3 s, still refused after 6.89 s');
  });

  test.each<[string, Says, string, WaitVerdict]>([
    ['milliseconds', inBody((left) => left), 'milliseconds', 'honest'],
    ['milliseconds, constant', inBody(() => 60_000), 'milliseconds', 'constant'],
    ['milliseconds, short', inBody((left) => left - 4000), 'milliseconds', 'too-early'],
  ])('%s are named, and judged in their unit', (_, says, unit, inThatUnit) => {
    const found = truth('body', bucket(60_000, [0, 2500, 5000], says));
    expect(found).toMatchObject({ verdict: 'wrong-unit', unit, inThatUnit });
  });

  test('a large wait that no unit explains is too late', () => {
    expect(
      truth(
        'body',
        bucket(
          5200,
          [0],
          inBody(() => 600),
        ),
      ).verdict,
    ).toBe('too-late');
    expect(
      truth(
        'body',
        bucket(
          200,
          [0],
          inBody(() => 5),
        ),
      ).verdict,
    ).toBe('too-late');
  });
});

describe('what was measured', () => {
  const says = inBody(() => 10);

  test('without a recovery nothing is judged', () => {
    expect(truth('body', [rejection(0, {}, says, 0)])).toMatchObject({
      verdict: 'not-judged',
      judged: 0,
    });
  });

  test('a refusal after the wait shows that it was too early, whenever it ends', () => {
    expect(truth('body', [rejection(0, { notBeforeMs: 10_200 }, says, 0)]).verdict).toBe(
      'too-early',
    );
  });

  test.each<[string, Recovery, WaitVerdict]>([
    ['a refusal within a round trip of the wait shows nothing', { notBeforeMs: 10_025 }, 'honest'],
    ['an admission within the second before it shows nothing', { notAfterMs: 9000 }, 'honest'],
    ['a wide gap around it shows nothing', { notBeforeMs: 5000, notAfterMs: 15_000 }, 'honest'],
    ['an earlier admission shows that it is too late', { notAfterMs: 8900 }, 'too-late'],
  ])('%s', (_, recovery, verdict) => {
    const measured = { notAfterMs: recovery.notBeforeMs ?? 0, ...recovery };
    expect(truth('body', [rejection(0, measured, says, 0)]).verdict).toBe(verdict);
  });
});

describe('the Retry-After field', () => {
  const date = (ms: number): string => new Date(ms).toUTCString();
  test.each<[string, WaitVerdict, Says]>([
    ['whole seconds', 'honest', inField((left) => String(up(left)))],
    ['a decimal', 'not-a-number', inField((left) => String(left / 1000))],
    ['words', 'not-a-number', inField(() => 'soon')],
    ['negative', 'negative', inField((left) => `-${up(left)}`)],
    ['milliseconds', 'wrong-unit', inField((left) => String(left))],
    ['zero', 'too-early', inField(() => '0')],
    [
      'a date beside a Date',
      'honest',
      (left, at) => ({
        headers: [
          ['Date', date(EPOCH_MS + at)],
          ['Retry-After', date(Math.ceil((EPOCH_MS + at + left) / 1000) * 1000)],
        ],
      }),
    ],
    [
      'a date by a clock that is an hour off, beside its Date',
      'honest',
      (left, at) => ({
        headers: [
          ['Date', date(EPOCH_MS + at + 3_600_000)],
          ['Retry-After', date(Math.ceil((EPOCH_MS + 3_600_000 + at + left) / 1000) * 1000)],
        ],
      }),
    ],
    [
      'a date that is too early',
      'too-early',
      (left, at) => ({
        headers: [
          ['Date', date(EPOCH_MS + at)],
          ['Retry-After', date(EPOCH_MS + at + left - 3000)],
        ],
      }),
    ],
    ['a date that has gone by', 'negative', inField((_left, at) => date(EPOCH_MS + at - 9000))],
    ['absent', 'absent', () => ({})],
  ])('%s is %s', (_, verdict, says) => {
    expect(truth('retry-after', bucket(9400, [0, 2500, 5000], says)).verdict).toBe(verdict);
  });

  test.each<[string, unknown, string, WaitVerdict]>([
    ['the same', 10, '10', 'honest'],
    ['rounded', 9.4, '10', 'honest'],
    ['the same, the body in milliseconds', 9400, '10', 'honest'],
    ['another', 4, '10', 'disagrees'],
    ['nothing to wait for', 5, '0', 'disagrees'],
    ['no number', 'soon', '10', 'honest'],
  ])('beside a body that says %s', (saying, retryAfter, field, verdict) => {
    const says: Says = () => ({ bodyWait: retryAfter, headers: [['Retry-After', field]] });
    // Nothing refutes either of them.
    const loose = { notAfterMs: 10_000 };
    const found = truth('retry-after', [rejection(0, loose, says, 0)]);
    expect(found.verdict).toBe(verdict);
    expect(found.agrees).toBe(saying === 'no number' ? undefined : verdict === 'honest');
  });

  test('a field that is refuted may disagree with the body as well', () => {
    const says: Says = (left) => ({
      bodyWait: up(left),
      headers: [['Retry-After', '40']],
    });
    expect(truth('retry-after', bucket(9400, [0, 2500], says))).toMatchObject({
      verdict: 'constant',
      agrees: false,
    });
  });
});

describe('the reset of the rate-limit headers', () => {
  const field =
    (name: string, value: (left: number, at: number) => string): Says =>
    (left, at) => ({ headers: [[name, value(left, at)]] });
  const toEpoch = (left: number, at: number): number => EPOCH_MS + at + left;
  test.each<[string, WaitVerdict, Says]>([
    ['draft 10', 'honest', field('RateLimit', (left) => `"a";r=0;t=${up(left)}`)],
    [
      'draft 10, of the policy that is exhausted',
      'honest',
      field('RateLimit', (left) => `"day";r=5;t=80000, "burst";r=0;t=${up(left)}`),
    ],
    ['draft 07', 'honest', field('RateLimit', (left) => `limit=5, remaining=0, reset=${up(left)}`)],
    ['draft 03', 'honest', field('RateLimit-Reset', (left) => String(up(left)))],
    ['draft 03 in milliseconds', 'wrong-unit', field('RateLimit-Reset', (left) => String(left))],
    [
      'draft 03 in epoch seconds',
      'wrong-unit',
      field('RateLimit-Reset', (left, at) => String(Math.ceil(toEpoch(left, at) / 1000))),
    ],
    ['X- in delta seconds', 'honest', field('X-RateLimit-Reset', (left) => String(up(left)))],
    [
      'X- in epoch seconds',
      'honest',
      field('X-RateLimit-Reset', (left, at) => String(Math.ceil(toEpoch(left, at) / 1000))),
    ],
    [
      'X- in epoch milliseconds',
      'honest',
      field('X-RateLimit-Reset', (left, at) => String(toEpoch(left, at))),
    ],
    [
      'X- in epoch seconds that have gone by',
      'negative',
      field('X-RateLimit-Reset', (_left, at) => String(Math.ceil((EPOCH_MS + at) / 1000) - 30)),
    ],
    ['X- as a duration', 'not-a-number', field('X-RateLimit-Reset', () => '6m0s')],
    ['a reset that drifts away', 'constant', field('RateLimit-Reset', () => '20')],
    ['no reset', 'absent', field('X-RateLimit-Limit', () => '5')],
  ])('%s: %s', (_, verdict, says) => {
    expect(truth('rate-limit-reset', bucket(9400, [0, 2500, 5000], says)).verdict).toBe(verdict);
  });

  test.each<[string, WaitVerdict]>([
    ['1', 'disagrees'],
    ['3', 'honest'],
    // The whole limit may be back later than one request of it.
    ['9', 'honest'],
  ])('a reset of %s s beside a body that says 3 s is %s', (reset, verdict) => {
    const says: Says = () => ({ bodyWait: 3, headers: [['RateLimit-Reset', reset]] });
    expect(
      truth('rate-limit-reset', [rejection(0, {}, says, 0)]).verdict.replace(
        'not-judged',
        'honest',
      ),
    ).toBe(verdict);
  });
});

test('without rejections there is nothing to say', () => {
  expect(waitTruths([], TRIP_MS)).toEqual([]);
});

test('of waits of which one is too early that one is told, though another is off by more', () => {
  const says = inBody((_, at) => (at === 0 ? 30 : 2));
  const found = truth('body', bucket(9400, [0, 2500], says));
  expect(found.verdict).toBe('too-early');
  expect(found.detail).toContain('still refused');
  expect(found.worstErrorMs).toBeLessThan(0);
});
