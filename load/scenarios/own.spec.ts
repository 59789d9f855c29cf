import { describe, expect, test } from 'vitest';
import type { WrittenScenario } from '../../target/config/config-load.ts';
import { ownScenario } from './own.ts';
import type { Scenario } from './scenario.ts';
import { scenario } from './scenario.testkit.ts';

const usualMix = { 'shop.buy': 2 };

describe("a scenario of one's own", () => {
  test('is as it is written, with what it is like for the rest', () => {
    const like = scenario({
      mix: { 'shop.list': 5 },
      onThrottle: 'come-back',
      endsWhenBroken: true,
      clients: { kind: 'keys', count: 2 },
    });
    const steps = [{ seconds: 4, from: 0, to: 10 }];
    const own = ownScenario({ name: 'lunch', written: { steps, thresholds: [] }, like, usualMix });
    expect(own).toEqual({
      ...like,
      name: 'lunch',
      steps: [{ name: 'step 1', seconds: 4, fromPerSecond: 0, toPerSecond: 10 }],
      ceilings: { requests: 40, seconds: 8 },
      keeps: ['errors<1%'],
    });
  });

  test('expects throttling if that is written, or is what the one is about that it is like', () => {
    const expects = (
      more: Pick<WrittenScenario, 'throttled'>,
      like?: Scenario,
    ): boolean | undefined =>
      ownScenario({
        ...{
          name: 'lunch',
          usualMix,
          written: { steps: [{ seconds: 1, from: 1, to: 1 }], thresholds: [], ...more },
        },
        ...(like === undefined ? {} : { like }),
      }).expectsThrottling;
    expect(expects({})).toBeUndefined();
    expect(expects({ throttled: 'expected' })).toBe(true);
    expect(expects({}, scenario({ expectsThrottling: true }))).toBe(true);
  });

  test('ends early as it is written, or as the one that it is like does', () => {
    const written = { steps: [{ seconds: 1, from: 1, to: 1 }], thresholds: [] };
    const like = scenario({ abortSeconds: 5 });
    const own = ownScenario({ name: 'lunch', usualMix, written, like });
    expect(own.abortSeconds).toBe(5);
    const other = { name: 'lunch', usualMix, written: { ...written, abortSeconds: 10 }, like };
    expect(ownScenario(other).abortSeconds).toBe(10);
  });

  test('has the ceilings of the one that it is like, with whose steps alone', () => {
    const like = scenario({ ceilings: { requests: 77, seconds: 9 } });
    const written = { mix: { 'shop.buy': 1 }, thresholds: [] };
    expect(ownScenario({ name: 'lunch', written, like, usualMix })).toMatchObject({
      ceilings: { requests: 77, seconds: 9 },
      mix: { 'shop.buy': 1 },
    });
  });

  test('keeps the ceilings that it names', () => {
    const steps = [{ seconds: 4, from: 10, to: 10 }];
    const written = { steps, maxRequests: 50, maxSeconds: 5, thresholds: [] };
    const own = ownScenario({ name: 'lunch', written, usualMix });
    expect(own.ceilings).toEqual({ requests: 50, seconds: 5 });
    expect(own.mix).toBe(usualMix);
  });

  test('is none without steps', () => {
    const written = { thresholds: [] };
    expect(() => ownScenario({ name: 'lunch', written, usualMix })).toThrow(
      /the scenario lunch has no steps/,
    );
  });
});
