import type { LatencySummary, RunLoad } from '../../contracts/run/load/load-run.ts';
import type { TrendPercentile, TrendSubject } from '../../contracts/run/load/load-trend.ts';
import type { RunTarget } from '../../contracts/run/run.ts';
import { median } from './order-statistics.ts';

/** What a comparison reads of `load`. */
export type NightLoad = Pick<
  RunLoad,
  | 'scenario'
  | 'engine'
  | 'warmUpSeconds'
  | 'whole'
  | 'steps'
  | 'operations'
  | 'moments'
  | 'invalid'
  | 'machine'
  | 'part'
  | 'rounds'
  | 'countedRounds'
  | 'limiter'
>;

/** One run, as far as it is compared with others. */
export interface Night {
  /** Name of its folder. */
  readonly run: string;
  /** Which run it is, wherever its record was copied to. */
  readonly id: string;
  readonly startedAt: string;
  readonly complete: boolean;
  readonly tool: string;
  readonly target: Pick<RunTarget, 'kind' | 'urls'>;
  readonly load: NightLoad;
}

/** Fewer answers say nothing of a percentile. */
const MIN_ANSWERS: Readonly<Record<TrendPercentile, number>> = { p50: 20, p95: 100, p99: 500 };
/** Fewer rounds have no median that one wild round leaves alone. */
const MIN_ROUNDS = 3;

/** Operations with figures of their own; of further ones the whole run must do. */
export const MAX_OPERATIONS = 40;

/** What is compared of the whole run. */
export const WHOLE_RUN: readonly TrendSubject[] = [
  { percentile: 'p50' },
  { percentile: 'p95' },
  { percentile: 'p99' },
];

/** What is compared of each operation. */
export function subjectsOf(operations: readonly string[]): TrendSubject[] {
  return operations.flatMap((operation): TrendSubject[] => [
    { operation, percentile: 'p50' },
    { operation, percentile: 'p95' },
  ]);
}

/** A percentile in milliseconds; undefined if too few answers, or none that took time, give one. */
function percentileOf(
  latency: LatencySummary | undefined,
  percentile: TrendPercentile,
): number | undefined {
  if (latency === undefined || latency.count < MIN_ANSWERS[percentile]) return undefined;
  const ms = latency[`${percentile}Ms` as const];
  return ms !== undefined && ms > 0 ? ms : undefined;
}

/** The target's latency over the whole night. */
export function absoluteOf(
  { whole, operations }: NightLoad,
  { operation, percentile }: TrendSubject,
): number | undefined {
  const row =
    operation === undefined ? whole : operations.find((other) => other.operation === operation);
  return percentileOf(row?.latency, percentile);
}

/** Milliseconds of the target and of the control, and the ratio of the two. */
export type Figure = 'absolute' | 'control' | 'ratio';

/** A round in which both the target and the control gave a figure. */
export type ComparedRound = Readonly<Record<Figure, number>>;

/** The rounds of a night that can be compared; none if they are too few. */
export function comparedRounds(
  { rounds = [] }: NightLoad,
  { operation, percentile }: TrendSubject,
): readonly ComparedRound[] {
  const compared = rounds.flatMap(({ target, operations = {}, ...round }) => {
    const own =
      operation === undefined
        ? target
        : Object.hasOwn(operations, operation)
          ? operations[operation]
          : undefined;
    const absolute = percentileOf(own, percentile);
    const control = percentileOf(round.control, percentile);
    if (absolute === undefined || control === undefined) return [];
    return [{ absolute, control, ratio: absolute / control }];
  });
  return compared.length < MIN_ROUNDS ? [] : compared;
}

/** The median of a figure over the rounds, so that one disturbed round does not count. */
export function middleOf(rounds: readonly ComparedRound[], figure: Figure): number | undefined {
  return rounds.length === 0 ? undefined : median(rounds.map((round) => round[figure]));
}
