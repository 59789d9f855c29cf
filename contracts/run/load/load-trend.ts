/** What a load run says of earlier ones: the trend over nights, and the difference from a baseline. */

export type TrendPercentile = 'p50' | 'p95' | 'p99';

/** What a series is about: the whole run, or one operation of it. */
export interface TrendSubject {
  /** Absent if it is the whole run. */
  readonly operation?: string;
  readonly percentile: TrendPercentile;
}

/** A difference in percent, after against before: 10 is slower by a tenth; 95 % interval. */
export interface TrendDifference {
  readonly percent: number;
  readonly least: number;
  readonly greatest: number;
}

/** One lasting change of a series. */
export interface TrendShift {
  readonly direction: 'slower' | 'faster';
  /** When the first night after the change began, RFC 3339. */
  readonly since: string;
  /** When the night began that made it certain enough to report. */
  readonly toldBy: string;
  /** Whether the newest night reported it; an older one has been reported before. */
  readonly isNew: boolean;
  /** Whether its level has not come back, and nobody has accepted it; absent from records of earlier versions. */
  readonly stands?: boolean;
  /** Of the figure that is judged. The intervals take the night of the change as it was found. */
  readonly size: TrendDifference;
  /** Of the control over the same nights; absent if it was not measured. */
  readonly control?: TrendDifference;
  /**
   * `target`: the ratio moved · `machine`: the absolute figure moved and the control likewise, the ratio
   * did not · `control`: the ratio moved because the control did · `unknown`: target or machine.
   */
  readonly cause: 'target' | 'machine' | 'control' | 'unknown';
}

/** A night that stands above all that a series ever spread. */
export interface TrendJump {
  /** When its first night began, RFC 3339. */
  readonly since: string;
  /** Of the figure that is judged, above the median of the nights before. */
  readonly percent: number;
  /** Whether the rounds of its night, or a second night, confirm it; else it may be the machine's. */
  readonly isKnown: boolean;
}

/** One percentile, night by night. */
export interface TrendSeries extends TrendSubject {
  /**
   * What is judged: `ratio` of the target to the control measured beside it, which no slower machine
   * changes · `absolute` where too few nights have a control: a change may be the machine's.
   */
  readonly figure: 'ratio' | 'absolute';
  /**
   * Of the latest change of the target (or of the machine, if the two cannot be distinguished);
   * `unwatched`: too few nights so far.
   */
  readonly verdict: 'slower' | 'faster' | 'steady' | 'unwatched';
  readonly shifts: readonly TrendShift[];
  /** At the newest night; absent if it is none, or was accepted. */
  readonly jump?: TrendJump;
  /** Where the ratio is judged: changes of the absolute figure that it does not show. */
  readonly asides: readonly TrendShift[];
  /** Nights with a value. */
  readonly nights: number;
  /** Nights since the latest change; a further one can be found from {@link LoadTrend.firstLook} on. */
  readonly nightsWatched: number;
  /** Robust standard deviation of the nights since the latest change. */
  readonly spreadPercent?: number;
  /** The smallest slow-down that 19 of 20 times is reported within ten nights; absent if none up to 100 % is. */
  readonly smallestPercent?: number;
  /** Correlation of a night with the night before it, if it is too large to be chance. */
  readonly autocorrelation?: number;
  /** One for each night of the trend, oldest first; null if a night has none. */
  readonly valuesMs: readonly (number | null)[];
  readonly controlMs?: readonly (number | null)[];
  /** Target by control. */
  readonly ratios?: readonly (number | null)[];
  /** Least and greatest of a night's rounds, of the judged figure; null if it has no rounds. */
  readonly ranges: readonly (readonly [least: number, greatest: number] | null)[];
}

/** A run that was not compared, and why. */
export interface TrendLeftOut {
  /** Name of its folder. */
  readonly run: string;
  readonly reason: string;
}

/** The nights, and what changed. */
export interface LoadTrend {
  /** When each night that was compared began, RFC 3339, oldest first; the last is this run. */
  readonly nights: readonly string[];
  /** Why this run cannot be compared at all, as sentences; there are no series then. */
  readonly refused: readonly string[];
  readonly leftOut: readonly TrendLeftOut[];
  /** Runs left out beyond those that `leftOut` names. */
  readonly leftOutMore: number;
  /** What differs between runs that were compared all the same, and the like, as sentences. */
  readonly notes: readonly string[];
  /** Share of histories of sixty nights without any change in which some series is said to have moved. */
  readonly falseAlarms: number;
  /** The night of a series, from 1, at which it is looked at first. */
  readonly firstLook: number;
  readonly leastEffectPercent: number;
  readonly series: readonly TrendSeries[];
}

/** One percentile of this run against that of a baseline. */
export interface BaselineRow extends TrendSubject {
  /** `absolute` of rounds: their control did not move, and scatters by more than it shows. */
  readonly figure: 'ratio' | 'absolute';
  /** `no-difference`: none that could be reported. `unknown`: too little to give an interval. */
  readonly verdict: 'slower' | 'faster' | 'no-difference' | 'unknown';
  /** Where the ratio differs because the control changed, not the target; absent otherwise. */
  readonly cause?: 'control';
  /** Absent if nothing was measured. */
  readonly baselineMs?: number;
  /** Absent if nothing was measured. */
  readonly runMs?: number;
  /** This run compared with the baseline, and its interval: 10 is slower by a tenth. */
  readonly percent?: number;
  readonly intervalPercent?: readonly [least: number, greatest: number];
  /** About the smallest difference that 19 of 20 such pairs of runs would find. */
  readonly smallestPercent?: number;
  /** `rounds`: from the spread of the rounds · `batches`: from the spread of parts of the run. */
  readonly method: 'rounds' | 'batches';
}

/** Two runs compared. */
export interface LoadBaseline {
  /** Name of the baseline's folder. */
  readonly run: string;
  readonly startedAt: string;
  /** Why the two are not compared, as sentences; there are no rows then. */
  readonly refused: readonly string[];
  readonly notes: readonly string[];
  /** Of all rows together: the chance that each interval holds the true difference. */
  readonly confidence: number;
  readonly rows: readonly BaselineRow[];
}
