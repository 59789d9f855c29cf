import { describe, expect, test } from 'vitest';
import { omit } from '../contracts/wire/json.ts';
import { EXAMPLE_LOAD, loadRow } from '../contracts/run/load/load-run.testkit.ts';
import type { LoadRow, LoadThreshold } from '../contracts/run/load/load-run.ts';
import { parseThreshold } from '../contracts/run/load/threshold.ts';
import { heldAgainst, heldOnSlower, type Measured, measuredOf } from './thresholds.ts';
import { withUsual } from './usual-thresholds.ts';

const WITH_ERRORS = loadRow({ served: 900, errors: 10, failed: 5, throttled: 85 });

/** What was measured of a run of ten seconds, with one operation. */
function measured(changes: Partial<Measured> & { readonly whole?: LoadRow } = {}): Measured {
  const { whole = loadRow({ served: 900, throttled: 85 }), ...rest } = changes;
  const list = loadRow({ served: 50 }, { p99Ms: 400 });
  return {
    rowOf: ({ operation }) =>
      operation === undefined
        ? { row: whole, seconds: 10 }
        : operation === 'shop.list'
          ? { row: list, seconds: 10 }
          : undefined,
    violations: 0,
    dropped: 0,
    ...rest,
  };
}

function held(text: string, changes: Parameters<typeof measured>[0] = {}): boolean {
  return heldAgainst(parseThreshold(text), measured(changes)).held;
}

describe('a threshold is held against what was measured:', () => {
  test.each([
    ['p50<20ms', false],
    ['p50<=20ms', true],
    ['p50>=20ms', true],
    ['p50>20ms', false],
    ['p50==20ms', true],
    ['p95<0.051s', true],
    ['p95<0.05s', false],
    ['p99<121ms', true],
    ['p99.9<250ms', false],
    ['max<301ms', true],
    ['max<300ms', false],
    ['rate>=90/s', true],
    ['rate>90/s', false],
    ['violations==0', true],
    ['dropped==0', true],
  ])('%s is %s', (text, expected) => {
    expect(held(text)).toBe(expected);
  });

  test('errors are what was neither served nor throttled, of what was not throttled', () => {
    // 15 of 915 are 1.639 %; of all 1,000 it would be 1.5 %.
    expect(held('errors<1.64%', { whole: WITH_ERRORS })).toBe(true);
    expect(held('errors<1.6%', { whole: WITH_ERRORS })).toBe(false);
    expect(held('errors==15', { whole: WITH_ERRORS })).toBe(true);
    expect(held('failed==5', { whole: WITH_ERRORS })).toBe(true);
    expect(held('failed<0.55%', { whole: WITH_ERRORS })).toBe(true);
    expect(held('failed<0.54%', { whole: WITH_ERRORS })).toBe(false);
  });

  test('throttled answers are a share of all that was sent', () => {
    expect(held('throttled<=8.5%', { whole: WITH_ERRORS })).toBe(true);
    expect(held('throttled<8.5%', { whole: WITH_ERRORS })).toBe(false);
  });

  test('a latency is of all that was not throttled, and errors lie beyond it', () => {
    // 15 of 915 are more than 1 %, and fewer than 5 %.
    const slow = { ...WITH_ERRORS, allLatency: { ...WITH_ERRORS.latency, p95Ms: 3000 } };
    expect(held('p95<100ms', { whole: slow })).toBe(false);
    expect(held('p95{of:served}<100ms', { whole: slow })).toBe(true);
    expect(heldAgainst(parseThreshold('p99<9000ms'), measured({ whole: WITH_ERRORS }))).toEqual({
      ...{ expression: 'p99<9000ms', held: false, beyond: true },
    });
    expect(held('p99{of:served}<9s', { whole: WITH_ERRORS })).toBe(true);
    // One error is enough for the slowest.
    expect(held('max<9s', { whole: loadRow({ served: 1000, errors: 1 }) })).toBe(false);
    expect(held('p99.9<9s', { whole: loadRow({ served: 1000, errors: 1 }) })).toBe(true);
  });

  test('of earlier records, which do not say how long errors took, such a latency is not known', () => {
    const earlier = omit(loadRow({ served: 900 }), 'allLatency');
    expect(heldAgainst(parseThreshold('p99<1s'), measured({ whole: earlier }))).toEqual({
      ...{ expression: 'p99<1s', held: false },
    });
    expect(held('p99{of:served}<1s', { whole: earlier })).toBe(true);
  });

  test('one operation has latencies of its own', () => {
    expect(held('p99<200ms')).toBe(true);
    expect(held('shop.list:p99<200ms')).toBe(false);
    expect(heldAgainst(parseThreshold('shop.list:p99<200ms'), measured()).measured).toBe(400);
  });

  test('nothing measured holds no threshold', () => {
    const none = measured({ whole: loadRow({ served: 0 }) });
    for (const text of ['p99<1s', 'errors<1%', 'errors==0', 'throttled<1%', 'rate>=0/s']) {
      expect(heldAgainst(parseThreshold(text), none)).toEqual({ expression: text, held: false });
    }
    expect(held('other.thing:p99<1s')).toBe(false);
    const unjudged = omit(measured(), 'violations');
    expect(heldAgainst(parseThreshold('violations==0'), unjudged).held).toBe(false);
    const refused = measured({ whole: loadRow({ served: 0, throttled: 10 }) });
    expect(heldAgainst(parseThreshold('p99<1s'), refused).held).toBe(false);
    expect(heldAgainst(parseThreshold('errors<1%'), refused).held).toBe(false);
    expect(heldAgainst(parseThreshold('throttled<5%'), refused).measured).toBe(100);
  });

  test('a violation breaks the usual threshold, a dropped request as well', () => {
    expect(held('violations==0', { violations: 1 })).toBe(false);
    expect(held('dropped==0', { dropped: 1 })).toBe(false);
  });
});

test('what somebody writes takes the place of the usual threshold of the same', () => {
  const usual = ['violations==0', 'dropped==0'].map(parseThreshold);
  const written = ['violations<5', 'shop.list:p99<1s'].map(parseThreshold);
  expect(withUsual(written, usual).map(({ expression }) => expression)).toEqual([
    'violations<5',
    'shop.list:p99<1s',
    'dropped==0',
  ]);
});

test('what is written of all steps takes the place of the usual thresholds of some', () => {
  const usual = ['errors{step:usual}<1%', 'errors{step:usual again}<1%'].map(parseThreshold);
  const left = (...written: string[]): string[] =>
    withUsual(written.map(parseThreshold), usual).map(({ expression }) => expression);
  expect(left('errors<=100%')).toEqual(['errors<=100%']);
  expect(left('errors{step:usual}<5%')).toEqual([
    'errors{step:usual}<5%',
    'errors{step:usual again}<1%',
  ]);
  expect(left('zap.quote:errors<5%')).toHaveLength(3);
});

describe('of a run', () => {
  const always = (): boolean => true;

  test('broken rules count that fail it', () => {
    expect(measuredOf(EXAMPLE_LOAD, always).violations).toBe(3);
    expect(measuredOf(EXAMPLE_LOAD, () => false).violations).toBe(0);
  });

  test('where nothing was judged there are no violations to report', () => {
    const judged = { answers: 0, of: 198, kept: 0 };
    const run = { ...EXAMPLE_LOAD, violations: [], judged };
    expect(heldAgainst(parseThreshold('violations==0'), measuredOf(run, always)).held).toBe(false);
  });

  test('a step, an operation, and an operation in a step have rows of their own', () => {
    const cell = { ...loadRow({ served: 9 }, { p99Ms: 77 }), step: 'twice' };
    const run = {
      ...EXAMPLE_LOAD,
      mayThrottle: true as const,
      cells: [{ ...cell, operation: 'zap.quote', api: 'zap' } as const],
    };
    const ms = (where: string): number | undefined =>
      heldAgainst(parseThreshold(`p99{${where},of:served}<900ms`), measuredOf(run, always))
        .measured;
    expect(ms('step:twice')).toBe(300);
    expect(ms('operation:trade.build-tx')).toBe(80);
    expect(ms('step:twice,operation:zap.quote')).toBe(77);
    expect(ms('step:usual,operation:zap.quote')).toBeUndefined();
    const rate = heldAgainst(parseThreshold('rate{step:twice}>1/s'), measuredOf(run, always));
    expect(rate.measured).toBe(7);
  });

  test('nothing is known of times and rates of a part that is throttled, unless that is expected', () => {
    const measuredAs = (text: string, isLimited: boolean): number | undefined => {
      const run = isLimited ? EXAMPLE_LOAD : { ...EXAMPLE_LOAD, mayThrottle: true as const };
      return heldAgainst(parseThreshold(text), measuredOf(run, always)).measured;
    };
    expect(measuredAs('p99{step:twice,of:served}<1s', true)).toBeUndefined();
    expect(measuredAs('rate{step:twice}>1/s', true)).toBeUndefined();
    expect(measuredAs('errors{step:twice}<50%', true)).toBeDefined();
    expect(measuredAs('p99{step:usual,of:served}<1s', true)).toBeDefined();
    expect(measuredAs('p99{step:twice,of:served}<1s', false)).toBe(0.3);
  });

  test('how much of a part was throttled is reported if nothing is known of it for that', () => {
    const heldBy = (text: string): LoadThreshold =>
      heldAgainst(parseThreshold(text), measuredOf(EXAMPLE_LOAD, always));
    const limiter = { throttled: 20, sent: 100 };
    expect(heldBy('p99{step:twice}<1s')).toMatchObject({ held: false, limiter });
    expect(heldBy('errors{step:twice}<1%').limiter).toBeUndefined();
    const changes = { drift: limiter, recovery: undefined };
    const change = heldAgainst(parseThreshold('drift<2x'), measured({ changes }));
    expect(change).toEqual({ expression: 'drift<2x', held: false, limiter });
  });

  test('rates are taken over all of its steps', () => {
    const rate = heldAgainst(parseThreshold('rate>=8.5/s'), measuredOf(EXAMPLE_LOAD, always));
    expect(rate).toMatchObject({ measured: 8.5, held: true });
  });
});

describe('a threshold on what became slower', () => {
  const outcome = (text: string, least: number, most: number): object =>
    heldOnSlower(parseThreshold(text), { least, most });

  test.each([
    ['slower==0', 0, 0, true],
    ['slower==0', 2, 2, false],
    ['slower==0', 1, Infinity, false],
    ['slower<=2', 0, 2, true],
    ['slower<=2', 3, 5, false],
    // Turned off: it holds whatever was or was not compared.
    ['slower>=0', 0, Infinity, true],
    ['slower==3', 1, 2, false],
  ])('%s of %d to %d is decided', (text, least, most, isHeld) => {
    expect(outcome(text, least, most)).toEqual({ expression: text, measured: least, held: isHeld });
  });

  test.each([
    ['slower==0', 0, 1],
    ['slower==0', 0, Infinity],
    ['slower<=2', 1, 3],
    ['slower==3', 2, 4],
  ])('%s of %d to %d is not', (text, least, most) => {
    expect(outcome(text, least, most)).toEqual({ expression: text, held: false });
  });

  test('says nothing before the run was compared', () => {
    expect(heldAgainst(parseThreshold('slower==0'), measured())).toEqual({
      ...{ expression: 'slower==0', held: false },
    });
  });
});
