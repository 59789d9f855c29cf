import type { LimitedApi, LimitMeasurement } from '../../run/load/limit-measurement.ts';
import {
  type GroupJudgement,
  type Judgement,
  type Level,
  type Rule,
  runRule,
} from '../../judging/rule.ts';

/** A rule over what the limit probe measured. */
export interface LimitRule {
  readonly id: string;
  readonly level: Level;
  readonly source: string;
  readonly protects: string;
  /** As of a rule. */
  readonly rulesOut: string;
  readonly api: LimitedApi;
  readonly judge: (measurements: readonly LimitMeasurement[]) => readonly GroupJudgement[];
}

/** One judgement for each bucket of the API. */
export function eachBucket(
  api: LimitedApi,
  judge: (measurement: LimitMeasurement) => Judgement | 'inconclusive',
): LimitRule['judge'] {
  return (measurements) =>
    measurements
      .filter((measurement) => measurement.api === api)
      .map((one) => ({ witnesses: one.witnesses, judgement: judge(one) }));
}

/**
 * Rules on what was measured of rate limits, as rows for the judge beside all others. They look at no
 * exchange; without measurements none of them is reached.
 */
export function measuredRules(
  rows: readonly LimitRule[],
  measurements: readonly LimitMeasurement[],
): readonly Rule[] {
  return rows.map(({ judge, ...row }) =>
    runRule<never>({
      ...row,
      operations: '*',
      answer: 'throttled',
      leastEvidence: 1,
      collect: () => null,
      conclude: () => judge(measurements),
    }),
  );
}
