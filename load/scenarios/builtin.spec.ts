import { describe, expect, test } from 'vitest';
import { adapted } from './adapt.ts';
import { askedFor, MAX_OF_SCENARIO, requireBounds } from './bounds.ts';
import { builtinScenarios } from './builtin.ts';
import { hold, scenario } from './scenario.testkit.ts';
import { ScenarioError } from './scenario.ts';
import { scheduleOf } from './schedule.ts';
import { SERVICE_MIXES } from '../service/mixes.ts';

const builtin = builtinScenarios(SERVICE_MIXES);

describe('the scenarios that are always there', () => {
  test('have the names that load tests go by', () => {
    expect(Object.keys(builtin).sort()).toEqual(
      [
        ...['average', 'breakpoint', 'herd', 'per-address', 'per-key'],
        ...['saturation', 'smoke', 'soak', 'spike', 'stress'],
      ].sort(),
    );
  });

  test.each(Object.values(builtin).map((one) => [one.name, one] as const))(
    '%s keeps its bounds, and its schedule is not cut off by its ceilings',
    (name, one) => {
      expect(builtin[name]).toBe(one);
      expect(() => {
        requireBounds(one);
      }).not.toThrow();
      const { slots, seconds } = scheduleOf(one);
      expect([slots, seconds]).toEqual([askedFor(one.steps).requests, askedFor(one.steps).seconds]);
      expect(one.purpose).toMatch(/\?$/);
    },
  );

  test('the breakpoint is looked for upwards', () => {
    const rates = builtin.breakpoint?.steps.map(({ toPerSecond }) => toPerSecond) ?? [];
    expect(rates).toEqual([...rates].sort((a, b) => a - b));
    expect(builtin.breakpoint?.endsWhenBroken).toBe(true);
  });
});

describe('a scenario as somebody wants it', () => {
  const stress = builtin.stress ?? scenario();

  test('keeps the proportions of its rates and of its steps', () => {
    const made = adapted(stress, { peakPerSecond: 400, seconds: 40 });
    expect(askedFor(made.steps)).toMatchObject({ peakPerSecond: 400, seconds: 40 });
    for (const [at, { seconds, toPerSecond }] of made.steps.entries()) {
      expect(seconds).toBeCloseTo((stress.steps[at]?.seconds ?? 0) / 2, 9);
      expect(toPerSecond).toBeCloseTo((stress.steps[at]?.toPerSecond ?? 0) * 2, 9);
    }
  });

  test('takes a factor in place of a rate, and not both', () => {
    expect(askedFor(adapted(stress, { scale: 0.1 }).steps).peakPerSecond).toBeCloseTo(20, 9);
    expect(() => adapted(stress, { scale: 2, peakPerSecond: 5 })).toThrow(ScenarioError);
  });

  test('never passes its ceilings', () => {
    const smoke = builtin.smoke ?? scenario();
    expect(() => adapted(smoke, { seconds: 121 })).toThrow(/121 s, and its ceiling is 120 s/);
    expect(() => adapted(smoke, { peakPerSecond: 300 })).toThrow(
      /3000 requests, and its ceiling is 2000/,
    );
    expect(() => adapted(smoke, { seconds: 120, peakPerSecond: 16 })).not.toThrow();
  });

  test('never passes those of the run, and may not raise its own', () => {
    const smoke = builtin.smoke ?? scenario();
    expect(() => adapted(smoke, { mostRequests: 49 })).toThrow(/50 requests/);
    expect(adapted(smoke, { mostRequests: 50, mostSeconds: 1e9 }).ceilings).toEqual({
      requests: 50,
      seconds: 120,
    });
  });

  test('has more clients only if it has several', () => {
    expect(adapted(builtin['per-address'] ?? scenario(), { clients: 7 }).clients).toEqual({
      kind: 'addresses',
      count: 7,
    });
    expect(() => adapted(stress, { clients: 7 })).toThrow(/sends as one client/);
  });
});

describe('bounds', () => {
  test.each([
    ['no step', { steps: [] }, /0 steps/],
    ['too many', { steps: Array.from({ length: 101 }, () => hold(1, 1)) }, /101 steps/],
    ['no time', { steps: [hold(1, 0)] }, /above 0/],
    ['endless time', { steps: [hold(1, Infinity)] }, /above 0/],
    ['no number', { steps: [hold(NaN, 1)] }, /NaN\/s/],
    ['a negative rate', { steps: [hold(-1, 1)] }, /-1\/s/],
    ['a rate beyond all', { steps: [hold(MAX_OF_SCENARIO.ratePerSecond + 1, 1)] }, /50001\/s/],
    ['nothing to send', { steps: [hold(0, 5)] }, /no request at all/],
    ['no mix', { mix: {} }, /no mix/],
    ['a weight of nothing', { mix: { a: 0 } }, /weight/],
    ['a weight that is none', { mix: { a: NaN } }, /weight/],
    ['no client', { clients: { kind: 'keys', count: 0 } as const }, /0 clients/],
    ['half a client', { clients: { kind: 'keys', count: 1.5 } as const }, /1.5 clients/],
    ['many of one', { clients: { kind: 'one', count: 2 } as const }, /kind "one"/],
    ['ceilings beyond all', { ceilings: { requests: 1e12, seconds: 1 } }, /most that any may/],
  ])('refuse %s', (_what, changes, message) => {
    expect(() => {
      requireBounds(scenario(changes));
    }).toThrow(message);
  });
});
