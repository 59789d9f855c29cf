import type { LatencySummary, RunLoad } from '../../contracts/run/load/load-run.ts';
import type { TrendPercentile, TrendSubject } from '../../contracts/run/load/load-trend.ts';
import type { RunTarget } from '../../contracts/run/run.ts';
import { median } from './order-statistics.ts';

/** What a comparison reads of `load`. */
export type NightLoad = Pick<
  RunLoad,
  | 'scenario'
  | 'engine'
  | 'whole'
  | 'steps'
  | 'operations'
  | 'moments'
  | 'invalid'
  | 'machine'
  | 'part'
  | 'rounds'
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

/** A percentile in milliseconds; undefined where too few answers, or none that took time, give one. */
export function percentileOf(
  latency: LatencySummary | undefined,
  percentile: TrendPercentile,
): number | undefined {
  if (latency === undefined || latency.count < MIN_ANSWERS[percentile]) return undefined;
  const ms = { p50: latency.p50Ms, p95: latency.p95Ms, p99: latency.p99Ms }[percentile];
  return ms > 0 ? ms : undefined;
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

/** A round in which both the target and the control gave a figure. */
export interface ComparedRound {
  readonly targetMs: number;
  readonly controlMs: number;
}

/** The rounds of a night that can be compared; none where they are too few. */
export function comparedRounds(
  { rounds = [] }: NightLoad,
  { operation, percentile }: TrendSubject,
): readonly ComparedRound[] {
  const compared = rounds.flatMap(({ target, control, operations }) => {
    const own =
      operation === undefined
        ? target
        : Object.hasOwn(operations ?? {}, operation)
          ? operations?.[operation]
          : undefined;
    const targetMs = percentileOf(own, percentile);
    const controlMs = percentileOf(control, percentile);
    return targetMs === undefined || controlMs === undefined ? [] : [{ targetMs, controlMs }];
  });
  return compared.length < MIN_ROUNDS ? [] : compared;
}

/** Target by control: the median over the rounds, so that one disturbed round does not count. */
export function ratioOf(rounds: readonly ComparedRound[]): number | undefined {
  if (rounds.length === 0) return undefined;
  return median(rounds.map(({ targetMs, controlMs }) => targetMs / controlMs));
}
