import { given } from '../../contracts/wire/json.ts';
import type { WrittenLoad } from '../../target/config/config-load.ts';
import { adapted, type Adaptation } from '../../load/scenarios/adapt.ts';
import { askedFor } from '../../load/scenarios/bounds.ts';
import { builtinScenarios } from '../../load/scenarios/builtin.ts';
import { ownScenario } from '../../load/scenarios/own.ts';
import { peakOf } from '../../load/scenarios/peak.ts';
import type { Scenario } from '../../load/scenarios/scenario.ts';
import { SERVICE_MIXES } from '../../load/service/mixes.ts';
import { parseThreshold, type Threshold } from '../../contracts/run/load/threshold.ts';
import { usualThresholds, withUsual } from '../../load/usual-thresholds.ts';
import { UsageError } from '../exit-code.ts';
import { didYouMean } from '../near.ts';

/** The scenario of a run, and what it is held to. */
export interface ChosenScenario {
  readonly scenario: Scenario;
  readonly thresholds: readonly Threshold[];
}

/** What is asked for by flags. */
export interface ScenarioWish extends Adaptation {
  /** Default `smoke`. */
  readonly scenario?: string;
  readonly thresholds: readonly string[];
  readonly isJudged: boolean;
  /** Whether it goes above measured limits on purpose. */
  readonly isAboveLimit?: boolean;
  /** Requests a second that a configuration allows at the most. */
  readonly maxRate?: number;
}

/** What is run if nobody names a scenario. */
export const USUAL_SCENARIO = 'smoke';

/** The scenarios that are always there. */
export const BUILTIN: Readonly<Record<string, Scenario>> = builtinScenarios(SERVICE_MIXES);

/**
 * The scenario that the flags and the configuration ask for, and its thresholds: those of flags and of the
 * configuration, and the usual ones of what neither speaks of.
 *
 * @throws UsageError when there is none of the name, or a ceiling of the user forbids it
 * @throws ScenarioError when it would pass its ceilings
 * @throws ThresholdError when a threshold cannot be read
 */
export function chooseScenario(wish: ScenarioWish, written?: WrittenLoad): ChosenScenario {
  const name = wish.scenario ?? USUAL_SCENARIO;
  const own = written?.scenarios ?? {};
  const taken = Object.keys(own).find((one) => Object.hasOwn(BUILTIN, one));
  if (taken !== undefined) {
    throw new UsageError(
      `load.scenarios has one named ${taken}, and there is a built-in one of that name: give it another, with "like: ${taken}"`,
    );
  }
  const scenario = adapted(scenarioNamed(name, own), wish);
  const { peakPerSecond } = askedFor(scenario.steps);
  if (wish.maxRate !== undefined && peakPerSecond > wish.maxRate) {
    throw new UsageError(
      `the scenario ${name} sends up to ${rounded(peakPerSecond)} requests a second, and the configuration allows ${wish.maxRate} (maxRate): --rate ${wish.maxRate} keeps to it`,
    );
  }
  const ofScenario = Object.hasOwn(own, name) ? (own[name]?.thresholds ?? []) : [];
  const sources = [wish.thresholds, ofScenario, written?.thresholds ?? []];
  const thresholds = sources.reduceRight(
    (weaker, texts) => withUsual(texts.map(parseThreshold), weaker),
    usualThresholds(scenario, wish.isJudged),
  );
  for (const one of thresholds) requireKnown(one, scenario);
  const isAbove = wish.isAboveLimit === true;
  return { scenario: isAbove ? { ...scenario, expectsThrottling: true } : scenario, thresholds };
}

/** @throws UsageError when a threshold names a step or an operation that the scenario does not have, or has twice */
function requireKnown(
  { expression, metric, step, operation }: Threshold,
  scenario: Scenario,
): void {
  if (metric === 'recovery' && peakOf(scenario.steps) === undefined) {
    throw new UsageError(
      `the threshold "${expression}" compares the usual rate after a peak with before, and the scenario ${scenario.name} has no peak between two steps of one rate`,
    );
  }
  const parts = [
    ['step', step, scenario.steps.map(({ name }) => name)],
    ['operation', operation, Object.keys(scenario.mix)],
  ] as const;
  for (const [what, name, known] of parts) {
    if (name === undefined) continue;
    const times = known.filter((one) => one === name).length;
    if (times === 1) continue;
    if (times > 1) {
      throw new UsageError(
        `the threshold "${expression}" names the ${what} "${name}", and ${times} of the scenario ${scenario.name} have that name: give each its own`,
      );
    }
    throw new UsageError(
      `the threshold "${expression}" names the ${what} "${name}", which the scenario ${scenario.name} does not have.${didYouMean(name, known)} It has ${known.join(', ')}.`,
    );
  }
}

function scenarioNamed(name: string, own: WrittenLoad['scenarios']): Scenario {
  const written = Object.hasOwn(own, name) ? own[name] : undefined;
  if (written === undefined) return builtinNamed(name, Object.keys(own));
  const like = written.like === undefined ? undefined : builtinNamed(written.like, []);
  return ownScenario({ name, written, usualMix: SERVICE_MIXES.usual, ...given({ like }) });
}

function builtinNamed(name: string, others: readonly string[]): Scenario {
  const found = Object.hasOwn(BUILTIN, name) ? BUILTIN[name] : undefined;
  if (found !== undefined) return found;
  const known = [...Object.keys(BUILTIN), ...others];
  throw new UsageError(
    `there is no load scenario "${name}".${didYouMean(name, known)} There are ${known.join(', ')}.`,
  );
}

function rounded(rate: number): number {
  return Math.round(rate * 100) / 100;
}
