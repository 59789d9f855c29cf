/** The part of `run.json` that a load run adds: `load`. */

import type { LoadBaseline, LoadTrend } from './load-trend.ts';
import type {
  LatencySummary,
  LoadCell,
  LoadConnections,
  LoadCounts,
  LoadErrorRow,
  LoadMoment,
  LoadOperationRow,
  LoadRow,
  LoadStepRow,
} from './load-row.ts';

export type * from './load-row.ts';

/** A rule that answers broke under load. */
export interface LoadViolation {
  readonly rule: string;
  readonly count: number;
  /** Place of the step in which it was first broken, and the exchange that shows it. */
  readonly firstStep: number;
  readonly firstExchange: string;
  /** Judged and broken, by step. */
  readonly bySteps: readonly { readonly judged: number; readonly broken: number }[];
  /** Whether it was broken only where nothing was served: then no verdict and no threshold counts it. */
  readonly isSetAside?: true;
}

/** A threshold of the user, and what came of it. */
export interface LoadThreshold {
  /** As it was written, e.g. `p99<300ms` or `zap.quote:errors<0.1%`. */
  readonly expression: string;
  /** In the unit of the expression; absent where nothing was measured that it speaks of, or it is beyond. */
  readonly measured?: number;
  readonly held: boolean;
  /** True where it is broken, and may hold without the requests that the generator sent or read late. */
  readonly onlyLate?: true;
  /** True where it is held since what was measured is within chance, or too little to notice. */
  readonly withinChance?: true;
  /** True of a latency where more requests failed than may be slower: they lie beyond any bound. */
  readonly beyond?: true;
  /** How much was throttled of the part that it speaks of, where nothing is known of it for that reason. */
  readonly limiter?: ThrottledPart;
}

/** How well the generator kept its schedule. */
export interface LoadGenerator {
  /**
   * Of the times from when requests were due to when they were called; absent where there is no schedule, and where
   * nothing was sent.
   */
  readonly fireLagP99Ms?: number;
  /**
   * Requests that left, or whose ends were read, some ms late; absent where there is no schedule, and from records
   * of earlier versions.
   */
  readonly lateRequests?: number;
  /** In how many hiccups they did: those late one after another are one, or one for each second. */
  readonly hiccups?: number;
  /** From 0 to 1, of the sending thread; absent where it is another program's. */
  readonly eventLoopUtilization?: number;
  /** Requests that waited for a connection while all of the pool's were in use. */
  readonly waitedAtCeiling: number;
  /** Requests that the schedule holds and that were never sent, other than by Ctrl-C or a ceiling. */
  readonly dropped: number;
  /** Of it, what judging took; of an engine that judges by itself. */
  readonly judgingSeconds?: number;
  /** Of the engine, all its threads or processes; absent where nobody knows, as of a run in a cluster. */
  readonly cpuSeconds?: number;
}

/** What latencies depend on besides the service. */
export interface LoadMachine {
  readonly platform: string;
  readonly arch: string;
  readonly cpuModel: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly node: string;
  /** One-minute load average when the run began; absent if the system has none. */
  readonly loadAverage?: number;
}

/** The whole of `load`. */
export interface RunLoad {
  readonly scenario: string;
  readonly engine: { readonly name: 'open-loop' | 'autocannon' | 'k6'; readonly version: string };
  /** At the beginning, in no latency figure; errors and violations count. Absent if there was none. */
  readonly warmUpSeconds?: number;
  readonly whole: LoadRow;
  readonly steps: readonly LoadStepRow[];
  readonly operations: readonly LoadOperationRow[];
  /** Absent where no threshold names an operation in a step. */
  readonly cells?: readonly LoadCell[];
  readonly moments: readonly LoadMoment[];
  /** What errors were, the most frequent first; absent from records of earlier versions. */
  readonly errors?: readonly LoadErrorRow[];
  /** How many of the answers were judged; `kept` stand in the record as exchanges. */
  readonly judged: {
    readonly answers: number;
    readonly of: number;
    readonly kept: number;
    /** Of those judged, the ones by all rules on single answers, others by the card's; absent where all were. */
    readonly byAll?: number;
    /**
     * Of those not judged: `asked` were left out as `--judge-share` wants, `late` as the machine did not keep up with
     * more. What is in neither could not be judged. Absent of k6, and from records of earlier versions.
     */
    readonly leftOut?: { readonly asked: number; readonly late: number };
    /** By rule on names that are to be of one thing: how many names were compared, of all answers. */
    readonly names?: Readonly<Record<string, number>>;
  };
  readonly violations: readonly LoadViolation[];
  readonly thresholds: readonly LoadThreshold[];
  /** What ended the run early: a threshold that was broken for as long as its scenario allows. */
  readonly aborted?: { readonly threshold: string; readonly atSeconds: number };
  /** Where a person or a system ended the load: when, and how long its schedule is, if it has one. */
  readonly interrupted?: { readonly atSeconds: number; readonly ofSeconds?: number };
  /**
   * Requests that Assay gave up as the run was ended early: in no latency and no error. Absent where there were none,
   * of k6, and from records of earlier versions.
   */
  readonly unanswered?: number;
  /**
   * Of a search for the breakpoint: the highest rate offered at which as much was served, and no more slowly than at
   * lower ones; absent where there was none.
   */
  readonly keptUpPerSecond?: number;
  /** Of a search for the breakpoint that found it: the place of the step, and what it broke there. */
  readonly breakpoint?: { readonly step: number; readonly thresholds: readonly string[] };
  readonly generator: LoadGenerator;
  /** Absent of engines that do not measure them, and from records of earlier versions. */
  readonly connections?: LoadConnections;
  /** Why figures do not count, as sentences; empty when all do. */
  readonly invalid: readonly string[];
  /**
   * `timing`: the reasons touch latencies and rates alone, and answers count as they are; absent where
   * nothing counts, or all does.
   */
  readonly invalidOnly?: 'timing';
  /** Operations that were left out, since no request to them was served before; absent where none was. */
  readonly unprepared?: readonly string[];
  /** What a run met that measured the limiter, though throttling is not what it is about. */
  readonly limiter?: LoadLimiter;
  /** Where throttling was expected: by the scenario, or by a threshold on it. */
  readonly mayThrottle?: true;
  /** Where throttled clients come back after the announced wait, which the scenario is about. */
  readonly comesBack?: true;
  /** Absent where nobody knows, as of a run in a cluster, whose samples say nothing of machines. */
  readonly machine?: LoadMachine;
  /** Of a run that was merged: the machines of its parts, in their order; `machine` is the first. */
  readonly machines?: readonly LoadMachine[];
  /** Of a part of a run on several machines: which, of how many, by which schedule. */
  readonly part?: {
    readonly index: number;
    readonly of: number;
    readonly plan: string;
    /** When its schedule began, in milliseconds since the epoch by its machine's clock. */
    readonly beganAtMs?: number;
  };
  /** Rounds that were interleaved with a fixed control, those that can be compared. */
  readonly rounds?: readonly LoadRound[];
  /** Of how many rounds the figures are; absent without rounds, and from records of earlier versions. */
  readonly countedRounds?: number;
  /** Rounds whose figures are none of this run's, as the generator was late; absent where none is. */
  readonly leftOutRounds?: readonly LeftOutRound[];
  /** This run among earlier ones; absent where no history was given. */
  readonly trend?: LoadTrend;
  /** This run against one other; absent where none was given. */
  readonly baseline?: LoadBaseline;
}

/** How much of a load, or of a part of it, was throttled that was not to be. */
export type ThrottledPart = Pick<LoadCounts, 'throttled' | 'sent'>;

/** The same of a whole load. */
export interface LoadLimiter extends ThrottledPart {
  /** Requests a second that were offered in the first moment with throttled ones. */
  readonly fromPerSecond: number;
}

/** A round that was left out. */
export interface LeftOutRound {
  /** From 1. */
  readonly round: number;
  /** Why its figures do not count, as sentences. */
  readonly invalid: readonly string[];
}

/** One round of the service and the round of the control beside it. */
export interface LoadRound {
  readonly target: LatencySummary;
  readonly control: LatencySummary;
  /** Of single operations of the target. */
  readonly operations?: Readonly<Record<string, LatencySummary>>;
}
