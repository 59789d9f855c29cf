import { describe, expect, test } from 'vitest';
import { metricOf, parseThreshold, ThresholdError } from './threshold.ts';

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

  test('with the step and the operation that it names, and whether of served answers alone', () => {
    const text = 'p99{ step : usual  again, operation: zap.quote, of:served } < 300 ms';
    expect(parseThreshold(text)).toEqual({
      expression: 'p99{step:usual again,operation:zap.quote,of:served}<300ms',
      step: 'usual again',
      operation: 'zap.quote',
      of: 'served',
      metric: 'p99',
      comparison: '<',
      bound: 300,
      unit: 'ms',
    });
    const { expression } = parseThreshold(text);
    expect(parseThreshold(expression).expression).toBe(expression);
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
    ['violations{step:hold}==0', /over the whole run/],
    ['p99{stp:hold}<3ms', /has "stp:hold" in its braces, which hold step, operation, of/],
    ['p99{step:}<3ms', /each with a value/],
    ['p99{step:a,step:b}<3ms', /has "step:b"/],
    ['zap.quote:p99{operation:zap.quote}<3ms', /names two operations/],
    ['p99{of:all}<3ms', /of:served/],
    ['errors{of:served}<3%', /of:served/],
    ['p99{step:hold<3ms', /cannot be read/],
    ['slower<5%', /measured in no unit/],
    [`${'x'.repeat(300)}<3ms`, /longer than 200/],
  ])('or refused: %s', (text, message) => {
    expect(() => parseThreshold(text)).toThrow(ThresholdError);
    expect(() => parseThreshold(text)).toThrow(message);
  });
});

test('what an expression of a record speaks of is known, whatever it names', () => {
  expect(metricOf('p99.9{step:usual again}<300ms')).toBe('p99.9');
  expect(metricOf('zap.quote:errors<1%')).toBe('errors');
  expect(metricOf('nonsense<1%')).toBeUndefined();
  expect(metricOf('')).toBeUndefined();
});
