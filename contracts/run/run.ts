/** `run.json`: what a run came to, for machines and for reports. Its schema is reports/run.schema.json. */

import type { RunSimulation } from './run-simulation.ts';
import type { Waiver } from '../judging/judge.ts';
import type { LatencyRow } from '../judging/latencies.ts';
import type { ProfileName } from '../judging/profile.ts';
import type { RuleChoice } from '../judging/rule-choice.ts';
import type { Level } from '../judging/rule.ts';
import type { ApiName } from '../wire/exchange.ts';
import type { AtTimesRow } from './at-times.ts';
import type { RunLoad } from './load/load-run.ts';
import type { RunComparison } from './run-comparison.ts';
import type { RunKnown } from './run-known.ts';
import type { LimitRow } from './run-limits.ts';
import type { LedgerRow, RegressionRow, RunReplayed, RunRuleRow } from './run-rules.ts';
import type { RunSearch } from './run-search.ts';
import type { RunUnjudged } from './unjudged.ts';

export type { LatencyRow };
export * from './run-limits.ts';
export * from './run-rules.ts';
export type { SearchReach, RunSearch } from './run-search.ts';
export type { AtTimesRow } from './at-times.ts';

/**
 * `undecided`: the target could not be reached, the budget ended before a verdict, this machine failed,
 * the figures of a load do not count, or nodes executed builds of which nothing arrived.
 */
export type Outcome = 'conforms' | 'does-not-conform' | 'undecided';

/** By what a run does not conform. */
export type BrokenBy = 'rule' | 'threshold' | 'slower';

/** What a run was made with. */
export type RunKind = 'check' | 'limits' | 'load';

/** What was tested. Never holds a secret. */
export interface RunTarget {
  /** `reference`: the embedded reference service · `remote`: a service at the URLs. */
  readonly kind: 'reference' | 'remote';
  /** Base URLs; an API that is not configured is absent. */
  readonly urls: Readonly<Record<ApiName, string>>;
  /** All APIs of the service, in the order of reports; absent from records of earlier versions. */
  readonly apis?: readonly ApiName[];
  /** What the configuration calls a service of its own; absent of the one that Assay brings along. */
  readonly service?: string;
  /** Names of the variables that held credentials for the run. */
  readonly credentials: readonly string[];
  /** Requests per second at the most, over all APIs; unlimited when absent. */
  readonly maxRate?: number;
}

/** How much the run did. Of a record that was not judged, only answers with status 429 are throttled. */
export interface RunCounts {
  readonly exchanges: number;
  /** Requests sent to the target, also those that were no part of an exchange of the record. */
  readonly requests: number;
  /** Exchanges with an answer that is no throttling. */
  readonly answered: number;
  readonly throttled: number;
  /** Exchanges without a complete response. */
  readonly failed: number;
  /** Requests that this machine could not send, which no rule is shown; absent if there were none. */
  readonly unsent?: number;
  /** Exchanges with JSON-RPC nodes, which are none of the target's; absent if there were none. */
  readonly nodes?: number;
}

/** What makes the files of a record those of its run. */
export interface RecordSeal {
  /** What the chain of the exchanges begins with; a new one for each run. */
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

/** What a run may spend, and what it takes of one exchange. */
export interface RunBudget {
  readonly maxRequests: number;
  readonly maxSeconds: number;
  /** Throttled answers; absent of a load, which has no such bound. */
  readonly maxRejects?: number;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly maxRecordBytes: number;
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
  /** Which command made it, whatever came of it; absent from records of earlier versions, and of no run of Assay. */
  readonly kind?: RunKind;
  readonly seed: number;
  readonly profile: ProfileName;
  /** The one finding that the run was to show again; only its rule was judged. */
  readonly replay?: string;
  /** What became of it; absent of other runs. */
  readonly replayed?: RunReplayed;
  /** The command line that checks the same target, without what a replay adds to it. */
  readonly command?: string;
  /** What the user chose of the rules; absent if nothing was. */
  readonly choice?: RuleChoiceRow;
  /** Rules that the configuration brought: its file, and a digest of them; absent if there were none. */
  readonly ownRules?: { readonly file: string; readonly sha256: string };
  /** What the user said of the run: a build, a commit; absent if nothing was said. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Known failures that the run accepted, also those that met no broken rule; absent if there were none. */
  readonly waivers?: readonly Waiver[];
  readonly target: RunTarget;
  /** Absent of merged runs, which send nothing, and from records of earlier versions. */
  readonly budget?: RunBudget;
  /** Of the contract that the run was judged by. */
  readonly contract: {
    readonly sha256: string;
    /** The files of contracts that the user named; absent if none was. */
    readonly files?: readonly ContractFileRow[];
  };
  readonly record: RecordSeal;
  readonly outcome: Outcome;
  /** Of a run that does not conform: it would be undecided without what is broken; absent if it would not. */
  readonly isOpen?: true;
  /** How Assay itself failed, which says nothing of the target; absent if it did not. */
  readonly failure?: string;
  /** Whether the run came to its end; false when it was cut short. */
  readonly complete: boolean;
  /** What kept the run from judging its record to the end; `assay judge` judges it, and takes this off. */
  readonly unjudged?: RunUnjudged;
  readonly counts: RunCounts;
  readonly rules: readonly RunRuleRow[];
  readonly ledger: readonly LedgerRow[];
  readonly limits: readonly LimitRow[];
  /** What load came to; absent of other runs. */
  readonly load?: RunLoad;
  /** Absent of a gate, of a replay, and of a run that did not come as far. */
  readonly search?: RunSearch;
  /** Builds that nodes have executed; absent if there were none. */
  readonly simulations?: readonly RunSimulation[];
  /** What became of earlier counterexamples; absent of a run that was given none. */
  readonly regressions?: readonly RegressionRow[];
  /** How long each operation took to answer; absent of a run that judged nothing. */
  readonly latencies?: readonly LatencyRow[];
  /** What became of it since an earlier run; absent if none was given. It changes no verdict. */
  readonly baseline?: RunComparison;
  /** APIs that were out for a while, or in the whole run, and operations by their ids; absent if none was. */
  readonly outages?: readonly string[];
  /** What operations that serve did not serve at times, which changes no verdict; absent if there is none. */
  readonly atTimes?: readonly AtTimesRow[];
  /** By what the run does not conform: a rule, a threshold of its load, or what is slower than before; absent of others. */
  readonly brokenBy?: readonly BrokenBy[];
  /** What became of findings that are known; absent if no file of them was given. It changes no verdict. */
  readonly known?: RunKnown;
  /** Sentences on the run as a whole: an unreachable API, an interruption, a budget that ended. */
  readonly notices: readonly string[];
}
