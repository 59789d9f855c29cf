import { describe, expect, test } from 'vitest';
import { omit } from '../contracts/wire/json.ts';
import { EXAMPLE_LOAD, loadRow } from '../contracts/run/load/load-run.testkit.ts';
import {
  heldAgainst,
  heldOnSlower,
  type Measured,
  measuredOf,
  parseThreshold,
  ThresholdError,
} from './thresholds.ts';
import { withUsual } from './usual-thresholds.ts';

function measured(changes: Partial<Measured> = {}): Measured {
  return {
    whole: loadRow({ served: 900, errors: 10, failed: 5, throttled: 85 }),
    seconds: 10,
    operations: [{ ...loadRow({ served: 50 }, { p99Ms: 400 }), operation: 'shop.list' }],
    violations: 0,
    dropped: 0,
    ...changes,
  };
}

function held(text: string, changes: Partial<Measured> = {}): boolean {
  return heldAgainst(parseThreshold(text), measured(changes)).held;
}

describe('a threshold is read', () => {
  test('with its unit, its operation, and without its blanks', () => {
    expect(parseThreshold(' shop.list : p99.9 <= 0.3 s ')).toEqual({
      expression: 'shop.list:p99.9<=0.3s',
      operation: 'shop.list',
      metric: 'p99.9',
      comparison: '<=',
      bound: 0.3,
      unit: 's',
    });
  });

  test.each([
    ['p99', /cannot be read/],
    ['', /cannot be read/],
    ['p99<', /cannot be read/],
    ['p99<-3ms', /cannot be read/],
    ['p99<1e3ms', /unit "e3ms"/],
    ['p98<3ms', /speaks of "p98", which is none of p50/],
    ['p99<300', /unit "", and p99 is measured in ms or s/],
    ['errors<1ms', /measured in % or no unit/],
    ['rate>100', /measured in \/s/],
    ['violations<1%', /measured in no unit/],
    ['errors=0', /write ==/],
    [':p99<3ms', /names no operation/],
    ['shop.list:violations==0', /over the whole run/],
    ['shop.list:dropped==0', /over the whole run/],
    ['shop.list:slower==0', /over the whole run/],
    ['slower<5%', /measured in no unit/],
    [`${'x'.repeat(300)}<3ms`, /longer than 200/],
  ])('or refused: %s', (text, message) => {
    expect(() => parseThreshold(text)).toThrow(ThresholdError);
    expect(() => parseThreshold(text)).toThrow(message);
  });
});

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
    expect(held('errors<1.64%')).toBe(true);
    expect(held('errors<1.6%')).toBe(false);
    expect(held('errors==15')).toBe(true);
    expect(held('failed==5')).toBe(true);
    expect(held('failed<0.55%')).toBe(true);
    expect(held('failed<0.54%')).toBe(false);
  });

  test('throttled answers are a share of all that was sent', () => {
    expect(held('throttled<=8.5%')).toBe(true);
    expect(held('throttled<8.5%')).toBe(false);
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

describe('of a run', () => {
  const always = (): boolean => true;

  test('broken rules count that fail it', () => {
    expect(measuredOf(EXAMPLE_LOAD, always).violations).toBe(3);
    expect(measuredOf(EXAMPLE_LOAD, () => false).violations).toBe(0);
  });

  test('where nothing was judged there are no violations to tell of', () => {
    const judged = { answers: 0, of: 198, kept: 0 };
    const run = { ...EXAMPLE_LOAD, violations: [], judged };
    expect(heldAgainst(parseThreshold('violations==0'), measuredOf(run, always)).held).toBe(false);
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
