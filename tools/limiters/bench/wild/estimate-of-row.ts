/** The estimate that a record describes, as far as it does. */

import type { StackedLimit } from '../../../../contracts/run/load/limit-measurement.ts';
import type { LimitIntervals } from '../../../../contracts/run/run-limits.ts';
import type { LimitRow } from '../../../../contracts/run/run.ts';
import type { ClassEstimate, LimiterClass, Parameter } from '../../../../load/limits/index.ts';
import type { Graded } from '../../../../load/probe/grade/grade.ts';
import { short } from '../../../../fixtures/known-limiters/truth.ts';

/** What is not stated may be anything. */
const UNKNOWN: Parameter = { value: Number.NaN, lo: 0, hi: Infinity };

type Named = keyof LimitIntervals;

/** The row as an estimate to be graded. */
export function estimateOf(row: LimitRow): Graded {
  const stacked = partsOf(row);
  const { refillPerSecond, envelope } = row;
  return {
    kind: row.verdict,
    classes: stacked.length > 0 ? stacked : row.algorithms.map((name) => classOf(name, row)),
    ...(refillPerSecond === undefined ? {} : { refillPerSecond }),
    ...(envelope === undefined ? {} : { envelope }),
  };
}

function classOf(name: string, row: Partial<LimitRow>): ClassEstimate {
  const reported = (which: Named): Parameter => {
    const interval = row.intervals?.[which];
    const value = which === 'penaltySeconds' ? interval?.[0] : row[which];
    const middle = value ?? (interval === undefined ? undefined : interval[0]);
    if (middle === undefined) return UNKNOWN;
    return { value: middle, lo: interval?.[0] ?? middle, hi: interval?.[1] ?? middle };
  };
  const limit =
    row.limit === undefined && row.burst !== undefined ? reported('burst') : reported('limit');
  return {
    // Reports name a penalty by the name that it has on the command line.
    class: (name === 'penalty-block' ? 'penalty' : name) as LimiterClass,
    probability: 1,
    limit,
    windowSeconds: reported('windowSeconds'),
    ...(name === 'token-bucket'
      ? { refillPerSecond: rateOf(row, reported('refillPerSecond')) }
      : {}),
    ...(name === 'interval-refill'
      ? { refill: reported('refill'), intervalSeconds: reported('intervalSeconds') }
      : {}),
    ...(name === 'penalty-block' ? { penaltySeconds: reported('penaltySeconds') } : {}),
  };
}

/** Of one of several limits only the time in which the bucket fills is reported. */
function rateOf({ limit, windowSeconds }: Partial<LimitRow>, reported: Parameter): Parameter {
  if (reported !== UNKNOWN || limit === undefined || windowSeconds === undefined) return reported;
  const value = limit / windowSeconds;
  return { value, lo: value, hi: value };
}

/** Several limits at once, each with its own parameters; none if one is reported. */
function partsOf(row: LimitRow): ClassEstimate[] {
  const { stacked } = row as { readonly stacked?: unknown };
  if (!Array.isArray(stacked)) return [];
  return stacked.map((part: Partial<LimitRow> & Partial<StackedLimit>) => ({
    ...classOf(part.algorithm ?? part.algorithms?.[0] ?? '', part),
    alike: (part.alternatives ?? []) as LimiterClass[],
  }));
}

/** The row in a few words. */
export function foundText(row: LimitRow): string {
  const names: readonly Named[] = [
    'limit',
    'burst',
    'windowSeconds',
    'refillPerSecond',
    'refill',
    'intervalSeconds',
    'penaltySeconds',
  ];
  const values = names.flatMap((name) => {
    const [lo, hi] = row.intervals?.[name] ?? [];
    const value = name === 'penaltySeconds' ? undefined : row[name];
    if (value !== undefined) return [`${name}=${short(value)}`];
    return lo === undefined || hi === undefined ? [] : [`${name}=${short(lo)}..${short(hi)}`];
  });
  const { scenario } = row;
  return [
    row.algorithms.join(' | '),
    ...values,
    ...(row.confidence === undefined ? [] : [`${(100 * row.confidence).toFixed(1)} % sure`]),
    ...(scenario === undefined || scenario.held ? [] : ['the paced client does not get through']),
    ...(row.stopped === undefined ? [] : [`stopped: ${row.stopped}`]),
  ]
    .filter((text) => text !== '')
    .join(', ');
}
