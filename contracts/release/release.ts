/**
 * What is said of a release: the predicate of its certificate. Its schema is
 * reports/certificate.schema.json; a change that a reader would notice takes a new version of its type.
 */

import type { Level } from '../judging/rule.ts';
import type { LoadCounts } from '../run/load/load-run.ts';
import type {
  ContractFileRow,
  LimitFigures,
  Outcome,
  RuleChoiceRow,
  RunJson,
  RunKind,
  RunTarget,
  Verdict,
} from '../run/run.ts';
import type { Waiver } from '../judging/verdict.ts';
import type { ApiName } from '../wire/exchange.ts';

/** One of the runs that a release rests on. */
export interface ReleaseRun {
  /** Of its record, which the names of its files begin with. */
  readonly id: string;
  readonly kind: RunKind;
  /** By judging its record again when the release was made. */
  readonly outcome: Outcome;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly seed: number;
  readonly profile: RunJson['profile'];
  /** What judged it when it was recorded. */
  readonly tool: RunJson['tool'];
  readonly requests: number;
  readonly exchanges: number;
  /** The digest that the chain of its exchanges ends with. */
  readonly head: string;
  /** Base URLs that the run was given. */
  readonly urls: RunTarget['urls'];
  /** Names of the variables that held credentials. */
  readonly credentials: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  /** What was left out, and levels that were changed; absent if nothing was. */
  readonly choice?: RuleChoiceRow;
  /** Of a load run. */
  readonly load?: {
    readonly scenario: string;
    /** Thresholds that did not hold. */
    readonly broken: readonly string[];
    /** Why its figures do not count; empty if they do. */
    readonly invalid: readonly string[];
    /** What was measured over the whole run; absent from certificates of version 1. */
    readonly figures?: ReleaseFigures;
  };
  /** Limits that it measured; absent of other runs, and from certificates of version 1. */
  readonly limits?: readonly LimitFigures[];
}

/** Figures of a load run. */
export interface ReleaseFigures extends Pick<
  LoadCounts,
  'sent' | 'served' | 'errors' | 'throttled'
> {
  readonly seconds: number;
  /** Latencies are absent if nothing was served; certificates of earlier versions have 0 there. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly p99Ms?: number;
  /** As they were written, those that held. */
  readonly held: readonly string[];
}

/** Another run of the same build that is no evidence of the release, as its record says. */
export interface OtherRun extends Pick<ReleaseRun, 'id' | 'kind' | 'outcome' | 'startedAt'> {
  /** Name of the folder of its record. */
  readonly folder: string;
  /** APIs that it drove out of the scope of the release. */
  readonly outOfScope: readonly ApiName[];
}

/** One rule over all runs. */
export interface ReleaseRule {
  readonly id: string;
  readonly level: Level;
  readonly source: string;
  /** The worst that a run found; what one run reached counts as reached. `null`: no run judged it. */
  readonly verdict: Verdict | null;
  /** Exchanges or groups that all runs together judged. */
  readonly evidence: number;
  /** Its verdict in each of the runs, in their order; `null` where the run did not judge it. */
  readonly verdicts: readonly (Verdict | null)[];
}

/** A must rule of which the runs do not say that it holds, though none is known to break it now. */
export interface ReleaseGap {
  readonly rule: string;
  /** `expired`: it is broken, and the waiver that accepted it had expired when the release was made. */
  readonly kind: 'not-reached' | 'inconclusive' | 'expired';
  readonly reason: string;
  /** The waiver that accepts the gap, if one does. */
  readonly waiver?: Waiver;
}

/** What is said of a release. */
export interface Release {
  /** What was released, in its maker's words. */
  readonly release: string;
  /** Date and time of RFC 3339. */
  readonly issuedAt: string;
  readonly outcome: Outcome;
  /** What judged all records when the release was made. */
  readonly tool: RunJson['tool'];
  readonly contract: { readonly sha256: string; readonly files?: readonly ContractFileRow[] };
  readonly target: Pick<RunTarget, 'kind' | 'urls' | 'apis'>;
  /** The APIs that it speaks of; absent of version 1, which speaks of all. */
  readonly scope?: readonly ApiName[];
  /** Labels that no two runs give another value. */
  readonly labels: Readonly<Record<string, string>>;
  readonly runs: readonly ReleaseRun[];
  readonly rules: readonly ReleaseRule[];
  readonly gaps: readonly ReleaseGap[];
  /** Those that the outcome rests on. */
  readonly waivers: readonly Waiver[];
  /** Runs of the build that lay beside its own when it was made; absent if none was found. */
  readonly others?: readonly OtherRun[];
  /**
   * Folders beside its own runs with a record of its build, or of one that is not known, whose outcome is not known, each
   * with why; absent if none was found.
   */
  readonly unread?: readonly string[];
}

/** A rule as it is known, whether or not a run judged it. */
export interface KnownRule {
  readonly id: string;
  readonly level: Level;
  readonly source: string;
  /** What it takes to judge it. */
  readonly kind: RunKind;
  readonly api: ApiName;
}
