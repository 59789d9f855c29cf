import { describe, expect, test } from 'vitest';
import { readLoad } from '../../target/config/config-load.ts';
import { askedFor } from '../../load/scenarios/bounds.ts';
import { ScenarioError } from '../../load/scenarios/scenario.ts';
import { ThresholdError } from '../../contracts/run/load/threshold.ts';
import { UsageError } from '../exit-code.ts';
import {
  BUILTIN,
  type ChosenScenario,
  chooseScenario,
  type ScenarioWish,
} from './load-scenario.ts';

const written = readLoad({
  thresholds: ['errors<1%', 'p99<2s'],
  scenarios: {
    lunch: {
      like: 'average',
      steps: [{ seconds: 10, rate: 40 }],
      mix: { 'zap.quote': 1 },
      thresholds: ['p99<300ms'],
    },
    odd: { like: 'averge' },
  },
});

function choose(wish: Partial<ScenarioWish>): ChosenScenario {
  return chooseScenario({ thresholds: [], isJudged: true, ...wish }, written);
}

function expressions({ thresholds }: ChosenScenario): string[] {
  return thresholds.map(({ expression }) => expression);
}

describe('the scenario of a run', () => {
  test('is smoke if nobody says otherwise, held to what is usual', () => {
    const chosen = chooseScenario({ thresholds: [], isJudged: true });
    expect(chosen.scenario.name).toBe('smoke');
    expect(expressions(chosen)).toEqual(['violations==0', 'dropped==0', 'errors<1%']);
    expect(expressions(chooseScenario({ thresholds: [], isJudged: false }))).toEqual([
      'dropped==0',
      'errors<1%',
    ]);
  });

  test('has the warm-up that is asked for, if that leaves something of it', () => {
    expect(choose({ scenario: 'average' }).scenario).not.toHaveProperty('warmUpSeconds');
    const wish = { scenario: 'average', seconds: 12, warmUpSeconds: 3 };
    expect(choose(wish).scenario.warmUpSeconds).toBe(3);
    const own = readLoad({ scenarios: { lunch: { like: 'average', warmUp: '2s' } } });
    const lunch = { thresholds: [], isJudged: true, scenario: 'lunch' };
    expect(chooseScenario(lunch, own).scenario.warmUpSeconds).toBe(2);
    expect(() => choose({ ...wish, warmUpSeconds: 12 })).toThrow(/leaves nothing of the scenario/);
  });

  test('is adapted by flags', () => {
    const { scenario } = choose({ scenario: 'average', peakPerSecond: 10, seconds: 12 });
    expect(askedFor(scenario.steps)).toMatchObject({ peakPerSecond: 10, seconds: 12 });
    expect(() => choose({ scenario: 'smoke', seconds: 1e6 })).toThrow(ScenarioError);
  });

  test("may be one's own, like another", () => {
    const { scenario } = choose({ scenario: 'lunch' });
    expect(scenario).toMatchObject({ name: 'lunch', mix: { 'zap.quote': 1 } });
    expect(scenario.purpose).toBe(BUILTIN.average?.purpose);
  });

  test('is suggested if its name is near', () => {
    expect(() => choose({ scenario: 'smok' })).toThrow(/"smok"\. Did you mean smoke/);
    expect(() => choose({ scenario: 'lunsh' })).toThrow(/Did you mean lunch\?/);
    expect(() => choose({ scenario: 'odd' })).toThrow(/"averge"\. Did you mean average\?/);
    expect(() => choose({ scenario: 'constructor' })).toThrow(UsageError);
  });

  test("may not take the name of one that is there, in one's own configuration", () => {
    const own = readLoad({ scenarios: { smoke: { steps: [{ seconds: 1, rate: 1 }] } } });
    expect(() => chooseScenario({ thresholds: [], isJudged: true }, own)).toThrow(
      /built-in one of that name/,
    );
  });

  test('keeps to the rate that a configuration allows', () => {
    expect(() => choose({ scenario: 'stress', maxRate: 100 })).toThrow(/--rate 100 keeps to it/);
    expect(() => choose({ scenario: 'stress', maxRate: 100, peakPerSecond: 100 })).not.toThrow();
  });
});

describe('thresholds', () => {
  test('of a flag come before those of the scenario, of the configuration, and the usual ones', () => {
    const chosen = choose({ scenario: 'lunch', thresholds: ['p99<1s'] });
    expect(expressions(chosen)).toEqual(['p99<1s', 'errors<1%', 'violations==0', 'dropped==0']);
    expect(expressions(choose({ scenario: 'lunch' }))[0]).toBe('p99<300ms');
    expect(expressions(choose({ scenario: 'lunch' }))).not.toContain('p99<2s');
    expect(expressions(choose({}))).toContain('p99<2s');
    expect(expressions(choose({ scenario: 'lunch', thresholds: ['zap.quote:p99<1s'] }))).toContain(
      'p99<300ms',
    );
  });

  test('on errors are usual if no more is asked than on a usual day', () => {
    const own = readLoad({
      scenarios: {
        asThat: { like: 'average' },
        others: { like: 'average', steps: [{ seconds: 1, rate: 1 }] },
      },
    });
    const usual = (scenario: string): string[] =>
      expressions(chooseScenario({ scenario, thresholds: [], isJudged: true }, own));
    expect(usual('asThat')).toContain('errors<1%');
    // Of steps of one's own nobody knows which are those of a usual day: all of them.
    expect(usual('others')).toContain('errors<1%');
    expect(usual('stress')).toEqual(
      expect.arrayContaining(['errors{step:usual}<1%', 'errors{step:usual again}<1%']),
    );
    expect(usual('stress')).not.toContain('errors<1%');
    expect(usual('stress')).toContain('recovery<2x');
    expect(usual('soak')).toContain('drift<2x');
    expect(usual('spike')).toEqual(
      expect.arrayContaining(['errors{step:before}<1%', 'errors{step:after}<1%']),
    );
    expect(usual('breakpoint').filter((one) => one.startsWith('errors'))).toEqual(['errors<5%']);
  });

  test.each([
    [
      'p99{step:usual agian}<1s',
      /the step "usual agian", which the scenario stress does not have. Did you mean "?usual again/,
    ],
    ['zap.qoute:p99<1s', /the operation "zap.qoute".*Did you mean "?zap.quote/],
    ['p99{step:usual,operation:zap.nothing}<1s', /the operation "zap.nothing"/],
  ])('that name what the scenario does not have are refused: %s', (text, words) => {
    expect(() => choose({ scenario: 'stress', thresholds: [text] })).toThrow(words);
  });

  test('that name a step of several with that name are refused', () => {
    const steps = ['a', 'b', 'a'].map((name) => ({ name, seconds: 4, rate: 20 }));
    const own = readLoad({ scenarios: { twice: { steps } } });
    const by = (...thresholds: string[]): object =>
      chooseScenario({ scenario: 'twice', thresholds, isJudged: true }, own);
    expect(() => by('errors{step:a}<5%')).toThrow(/names the step "a", and 2 of .* give each/);
    expect(() => by('errors{step:b}<5%', 'p99<1s')).not.toThrow();
  });

  test('on recovery need a peak between two steps of one rate', () => {
    expect(() => choose({ scenario: 'average', thresholds: ['recovery<2x'] })).toThrow(/no peak/);
  });

  test('above measured limits throttling is expected', () => {
    expect(choose({ scenario: 'average' }).scenario.expectsThrottling).toBeUndefined();
    expect(choose({ scenario: 'average', isAboveLimit: true }).scenario.expectsThrottling).toBe(
      true,
    );
  });

  test('that cannot be read are refused', () => {
    expect(() => choose({ thresholds: ['p99<5'] })).toThrow(ThresholdError);
  });

  test('of a breakpoint are there for something to break', () => {
    const { thresholds } = choose({ scenario: 'breakpoint' });
    expect(thresholds.map(({ metric }) => metric)).toEqual(
      expect.arrayContaining(['p99', 'errors', 'throttled']),
    );
  });
});
