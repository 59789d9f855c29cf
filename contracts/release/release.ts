/**
 * What is said of a release: the predicate of its certificate. Its schema is
 * reports/release.schema.json; a change that a reader would notice takes a new version of its type.
 */

import type { Level } from '../judging/rule.ts';
import type {
  ContractFileRow,
  Outcome,
  RuleChoiceRow,
  RunJson,
  RunKind,
  RunTarget,
  Verdict,
} from '../run/run.ts';
import type { Waiver } from '../judging/verdict.ts';

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
  /** What was left out, and levels that were changed; absent where nothing was. */
  readonly choice?: RuleChoiceRow;
  /** Of a load run. */
  readonly load?: {
    readonly scenario: string;
    /** Thresholds that did not hold. */
    readonly broken: readonly string[];
    /** Why its figures do not count; empty where they do. */
    readonly invalid: readonly string[];
  };
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
  /** Labels that no two runs give another value. */
  readonly labels: Readonly<Record<string, string>>;
  readonly runs: readonly ReleaseRun[];
  readonly rules: readonly ReleaseRule[];
  readonly gaps: readonly ReleaseGap[];
  /** Those that the outcome rests on. */
  readonly waivers: readonly Waiver[];
}

/** A rule as it is known, whether or not a run judged it. */
export interface KnownRule {
  readonly id: string;
  readonly level: Level;
  readonly source: string;
  /** What it takes to judge it. */
  readonly kind: RunKind;
}
