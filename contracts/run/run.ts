/** `run.json`: what a run came to, for machines and for reports. Its schema is reports/run.schema.json. */

import type { Verdict, Waiver } from '../judging/judge.ts';
import type { LatencyRow } from '../judging/latencies.ts';
import type {
  EnvelopeRow,
  FailuresCount,
  FanOutKind,
  LimitEstimate,
  LimitMeasurement,
  LimitVerdict,
  LimitedApi,
  StackedLimit,
  WaitSource,
  WaitVerdict,
} from './load/limit-measurement.ts';
import type { RunLoad } from './load/load-run.ts';
import type { ProfileName } from '../judging/profile.ts';
import type { RuleChoice } from '../judging/rule-choice.ts';
import type { RunComparison } from './run-comparison.ts';
import type { RunSearch } from './run-search.ts';
import type { Level } from '../judging/rule.ts';
import type { ApiName } from '../wire/exchange.ts';

export type { SearchReach, RunSearch } from './run-search.ts';
export type { LatencyRow, LimitVerdict, Verdict, WaitVerdict };

/** All verdicts, the ones that want attention first. */
export const VERDICTS: readonly Verdict[] = [
  'fail',
  'warn',
  'inconclusive',
  'waived',
  'not-reached',
  'observed',
  'pass',
];

/** `undecided`: the target could not be reached, or the budget ended before a verdict. */
export type Outcome = 'conforms' | 'does-not-conform' | 'undecided';

/** What was tested. Never holds a secret. */
export interface RunTarget {
  /** `reference`: the embedded reference service · `remote`: a service at the URLs. */
  readonly kind: 'reference' | 'remote';
  /** Base URLs; an API that is not configured is absent. */
  readonly urls: Readonly<Record<ApiName, string>>;
  /** All APIs of the service, in the order of reports; absent from records of earlier versions. */
  readonly apis?: readonly ApiName[];
  /** Names of the variables that held credentials for the run. */
  readonly credentials: readonly string[];
  /** Requests per second at the most, over all APIs; unlimited when absent. */
  readonly maxRate?: number;
}

/** How much the run did. */
export interface RunCounts {
  readonly exchanges: number;
  /** Requests sent to the target, also those that were no part of an exchange of the record. */
  readonly requests: number;
  /** Exchanges with an answer that is no throttling. */
  readonly answered: number;
  readonly throttled: number;
  /** Exchanges without a complete response. */
  readonly failed: number;
}

/** One broken rule at one place. */
export interface RunFinding {
  /** Id of the contract's operation that the first request to show it addressed; absent of others. */
  readonly operation?: string;
  /** JSON pointer into the response body, or `""` for the response as a whole. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** Ids of the first exchanges that show it. */
  readonly exchanges: readonly string[];
  /** A shell line that sends the first request that shows it. */
  readonly curl: string;
  /** How often it was seen in the run. */
  readonly count: number;
}

/** What a finding said when it was found. */
export type FindingThen = Pick<RunFinding, 'pointer' | 'expected' | 'actual'>;

/** What became of a finding that a run was to show again. */
export interface RunReplayed {
  /** What it said then; absent where the replay does not tell. */
  readonly then?: FindingThen;
  /** `unclear`: the requests were not sent, or nothing came back. */
  readonly verdict: 'shown' | 'not-shown' | 'unclear';
}

/** What became of a counterexample of an earlier run. */
export interface RegressionRow {
  /** Its file without `.json`. */
  readonly name: string;
  readonly rule: string;
  /** `unclear`: it shows only if the requests are as valid as they were then. */
  readonly verdict: 'shown' | 'not-shown' | 'unclear' | 'not-sent';
  /** Why it is unclear, or was not sent. */
  readonly reason?: string;
}

/** The smallest requests found that show a broken rule. */
export interface Counterexample {
  readonly rule: string;
  /** Ids of the exchanges of the record that show it. */
  readonly exchanges: readonly string[];
  /** Shell lines that send the requests, in their order. */
  readonly curl: readonly string[];
  /** The answer to the last of them; status 0 when there was none. Absent when it was not seen again. */
  readonly response?: { readonly status: number; readonly body: string };
  /** Fields in which the requests differ from a plain valid one, and from each other. */
  readonly differsIn: readonly string[];
  /** How often it showed when it was sent again, out of so many times. */
  readonly reproduced: { readonly times: number; readonly of: number };
  /**
   * What `--replay` takes to show it again: its requests, or where the run met it, which takes the seed
   * of the run as well.
   */
  readonly replay: string;
  /** The whole line for a POSIX shell that shows it again; secrets stand as their names. */
  readonly command?: string;
  /** Why it may not be the smallest; absent when everything was tried. */
  readonly stopped?: string;
}

/** One rule and what became of it. */
export interface RunRuleRow {
  readonly id: string;
  readonly level: Level;
  /** The level of the rule itself, where the user's configuration gives it another. */
  readonly statedLevel?: Level;
  /** `§n.n`, `card`, `implied by §n.n`, or an RFC section. */
  readonly source: string;
  readonly verdict: Verdict;
  /** Exchanges or groups judged. */
  readonly evidence: number;
  /** What a user of the service can rely on while the rule holds. */
  readonly protects: string;
  /** Of a broken rule: the clauses of the document that it holds, paraphrased, with their sections. */
  readonly clauses?: readonly string[];
  readonly api: ApiName;
  /**
   * Of a rule that the configuration of the run brought; `not-at-hand` where it was judged again without
   * that configuration, so that nothing is known of it.
   */
  readonly own?: 'judged' | 'not-at-hand';
  readonly findings: readonly RunFinding[];
  /** Of a rule that is broken, unless the run ended before it was looked for. */
  readonly counterexample?: Omit<Counterexample, 'rule'>;
  /** Why there is no pass or fail, whose waiver it is, or what was not compared. */
  readonly reason?: string;
  /** Of a rule that was not reached: what its user would have to give for that, where it is known. */
  readonly needs?: string;
}

/** What the service was seen to do where the document is silent. */
export interface LedgerRow {
  readonly id: string;
  /** The clause that is silent, e.g. `§7 retryAfter unit`. */
  readonly clause: string;
  readonly observed: readonly string[];
}

/** Whether the announced wait is what it takes, by the source that clients read first. */
export interface RetryAfterRow {
  readonly verdict: WaitVerdict;
  /** One sentence with the announced and the measured wait. */
  readonly detail: string;
  readonly medianErrorMs?: number;
  readonly worstErrorMs?: number;
}

/** The least and the greatest value that explain what was seen. */
export type LimitIntervals = Readonly<
  Partial<
    Record<
      'limit' | 'windowSeconds' | 'burst' | 'refillPerSecond' | 'penaltySeconds',
      readonly [least: number, greatest: number]
    >
  >
>;

/** What became of a client that paces itself by the measured limit. */
export interface LimitScenario {
  /** Whether it got through at 95 % of the measured rate, rejected once in a window at most. */
  readonly held: boolean;
  readonly admitted: number;
  readonly rejected: number;
  readonly seconds: number;
  /** Of the measured rate, from 0 to 1. */
  readonly shareOfRate: number;
  readonly detail: string;
}

/** What a variation of the request met while the bucket was exhausted. */
export interface LimitBucketRow {
  readonly kind: FanOutKind;
  /** `separate`: admitted, from another bucket or a larger one · `shared`: refused along. */
  readonly met: 'shared' | 'separate' | 'undecided';
}

/** One rate limit, seen from outside. What was not found is absent. */
export interface LimitRow {
  readonly api: LimitedApi;
  /** Whom and what the limit covers, e.g. `per client address`. */
  readonly scope: string;
  readonly verdict: LimitVerdict;
  /** The classes of limiter that explain what was seen. */
  readonly algorithms: readonly string[];
  /** Requests in a window. */
  readonly limit?: number;
  readonly windowSeconds?: number;
  /** Requests at once. */
  readonly burst?: number;
  readonly refillPerSecond?: number;
  /** Of `shaped`: the requests that wait beyond the burst. */
  readonly queue?: NonNullable<LimitEstimate['queue']>;
  /** How sure the values are. */
  readonly intervals?: LimitIntervals;
  /** Posterior in the first of the classes, from 0 to 1. */
  readonly confidence?: number;
  /** Where no limit was found: the most requests that were admitted in a row. */
  readonly admitted?: NonNullable<LimitEstimate['admitted']>;
  /** Of two limits that hold at once: both, the one with the shorter window first. */
  readonly stacked?: readonly StackedLimit[];
  /** The most that were admitted within any so many seconds; of an identified limit as far as it was tried. */
  readonly envelope?: readonly EnvelopeRow[];
  /** Of the body's `retryAfter`. */
  readonly retryAfter?: RetryAfterRow;
  /** Of the `Retry-After` field and of the reset of the rate-limit headers. */
  readonly headers?: Readonly<Partial<Record<Exclude<WaitSource, 'body'>, RetryAfterRow>>>;
  /** Statuses of its rejections other than 429; absent where there was none. */
  readonly throttledWith?: readonly number[];
  readonly buckets?: readonly LimitBucketRow[];
  /** Whether requests that fail otherwise count. */
  readonly failures?: FailuresCount;
  /** What the rate-limit headers claim, against what was measured. */
  readonly headerClaims?: readonly string[];
  readonly scenario?: LimitScenario;
  /** Why the target made the probe stop. */
  readonly stopped?: string;
  /** What finding it took. */
  readonly requests: number;
  readonly rejects?: number;
  readonly seconds: number;
}

/** One bucket: as rules judge it, and as reports show it. A run of `assay limits` records it. */
export interface MeasuredLimit {
  readonly measurement: LimitMeasurement;
  readonly row: LimitRow;
}

/** What makes the files of a record those of its run. */
export interface RecordSeal {
  /** What the chain of the exchanges begins with; made anew for each run. */
  readonly id: string;
  /** Lines of the exchanges; absent while the run goes on, and of a run that was killed. */
  readonly exchanges?: number;
  /** The digest that the chain ends with; absent likewise. */
  readonly head?: string;
  /** SHA-256, in hex, of the other files of the record that verdicts or reports rest on, by name. */
  readonly files?: Readonly<Record<string, string>>;
}

/** A choice of rules, and the rules that it leaves out, by their stated level. */
export interface RuleChoiceRow extends RuleChoice {
  readonly leftOut: Readonly<Record<Level, number>>;
}

/** A file of a contract that the user named. */
export interface ContractFileRow {
  readonly api: ApiName;
  readonly url: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** The whole of `run.json`. */
export interface RunJson {
  readonly schemaVersion: 1;
  readonly tool: {
    readonly name: string;
    readonly version: string;
    /** Digest of the code that judges: the same code gives the same verdicts. */
    readonly sha256: string;
  };
  /** Date and time of RFC 3339. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly seed: number;
  readonly profile: ProfileName;
  /** The one finding that the run was to show again; only its rule was judged. */
  readonly replay?: string;
  /** What became of it; absent of other runs. */
  readonly replayed?: RunReplayed;
  /** The command line that checks the same target, without what a replay adds to it. */
  readonly command?: string;
  /** What the user chose of the rules; absent where nothing was. */
  readonly choice?: RuleChoiceRow;
  /** Rules that the configuration brought: its file, and a digest of them; absent where there were none. */
  readonly ownRules?: { readonly file: string; readonly sha256: string };
  /** What the user said of the run: a build, a commit; absent where nothing was said. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Known failures that the run accepted, also those that met no broken rule; absent where there were none. */
  readonly waivers?: readonly Waiver[];
  readonly target: RunTarget;
  /** Of the contract that the run was judged by. */
  readonly contract: {
    readonly sha256: string;
    /** The files of contracts that the user named; absent where none was. */
    readonly files?: readonly ContractFileRow[];
  };
  readonly record: RecordSeal;
  readonly outcome: Outcome;
  /** How Assay itself failed, which says nothing of the target; absent where it did not. */
  readonly failure?: string;
  /** Whether the run came to its end; false when it was cut short. */
  readonly complete: boolean;
  readonly counts: RunCounts;
  readonly rules: readonly RunRuleRow[];
  readonly ledger: readonly LedgerRow[];
  readonly limits: readonly LimitRow[];
  /** What load came to; absent of other runs. */
  readonly load?: RunLoad;
  /** Absent of a gate, of a replay, and of a run that did not come as far. */
  readonly search?: RunSearch;
  /** What became of earlier counterexamples; absent of a run that was given none. */
  readonly regressions?: readonly RegressionRow[];
  /** How long each operation took to answer; absent of a run that judged nothing. */
  readonly latencies?: readonly LatencyRow[];
  /** What became of it since an earlier run; absent where none was given. It changes no verdict. */
  readonly baseline?: RunComparison;
  /** Sentences on the run as a whole: an unreachable API, an interruption, a budget that ended. */
  readonly notices: readonly string[];
}

/** How many rules have each verdict. */
export function countVerdicts(rules: readonly RunRuleRow[]): Readonly<Record<Verdict, number>> {
  return Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, rules.filter((rule) => rule.verdict === verdict).length]),
  ) as Record<Verdict, number>;
}
