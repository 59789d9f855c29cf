/** What became of a run since another one, or of one deployment beside another: `baseline` of `run.json`. */

import type { ProfileName } from '../judging/profile.ts';
import type { Level } from '../judging/rule.ts';
import type { Verdict } from '../judging/verdict.ts';
import type { ApiName } from '../wire/exchange.ts';

/** The run that another is compared with. */
export interface ComparedRun {
  /** Name of the record's folder; never a path. */
  readonly name: string;
  /** Of its record. */
  readonly id: string;
  /** Date and time of RFC 3339. */
  readonly startedAt: string;
  readonly seed: number;
  readonly profile: ProfileName;
  readonly tool: string;
  readonly outcome: 'conforms' | 'does-not-conform' | 'undecided';
  /** The base URLs of a second target that was asked at the same time; absent of an earlier run. */
  readonly beside?: Readonly<Record<ApiName, string>>;
}

/** A finding of a broken rule, in one of the two runs or in both. */
export interface ComparedFinding {
  readonly rule: string;
  readonly level: Level;
  /** By which it is recognised: see `fingerprintOf`. */
  readonly fingerprint: string;
  readonly operation?: string;
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
  /** Whether it is accepted in the run that shows it last. */
  readonly isWaived: boolean;
  /** Why nothing can be said of the run that does not show it; absent if something can. */
  readonly why?: string;
}

/** A rule that the baseline reached and the run did not. */
export interface UnreachedRule {
  readonly rule: string;
  readonly then: Verdict;
  /** Why it was not reached now. */
  readonly reason: string;
}

/** What a difference of answers is about. */
export type AnswerAspect = 'status' | 'field' | 'header';

/** A difference between answers to the same requests. */
export interface AnswerChange {
  /** Id of the contract's operation, or method and path. */
  readonly operation: string;
  readonly aspect: AnswerAspect;
  /** Of the answers that differ in a field or a header: their status and code; the same in both runs. */
  readonly answer?: string;
  /** A status with its code, a JSON pointer, or the name of a header field. */
  readonly what: string;
  /** The statuses, types or values seen there; null if it was absent. */
  readonly then: string | null;
  readonly now: string | null;
  /** Requests that both runs sent and that show it. */
  readonly requests: number;
  /** Requests that both runs sent and that could have shown it. */
  readonly of: number;
  /**
   * `certain`: no answer of the one run is as those of the other are · `uncertain`: only some answers
   * differ, which a service's data may cause as well.
   */
  readonly grade: 'certain' | 'uncertain';
}

/** Answers to the requests that both runs sent. */
export interface AnswerComparison {
  /** Different requests that both runs sent, and that were answered in both. */
  readonly pairs: number;
  /** Different requests of each. */
  readonly then: number;
  readonly now: number;
  readonly changes: readonly AnswerChange[];
  /** Changes beyond those listed. */
  readonly more: number;
  /** Whether one beyond those listed is certain. */
  readonly moreIsCertain: boolean;
  /** Requests beyond those that are held, in either run. */
  readonly unread: number;
}

/** What was seen in one run alone if the document is silent. */
export interface LedgerChange {
  readonly id: string;
  readonly clause: string;
  readonly came: readonly string[];
  readonly went: readonly string[];
  /**
   * `certain`: nothing that one run saw was seen by the other, which asked the same · `uncertain`: some
   * of it was, so the rest may be chance.
   */
  readonly grade: 'certain' | 'uncertain';
}

/** How long an operation took in both runs. */
export interface LatencyChange {
  readonly operation: string;
  readonly then: { readonly count: number; readonly p50Ms: number; readonly p95Ms: number };
  readonly now: { readonly count: number; readonly p50Ms: number; readonly p95Ms: number };
}

/** Lists hold so many rows at most; `more` counts the rest. */
export interface Bounded<T> {
  readonly rows: readonly T[];
  readonly more: number;
}

/** Two runs, compared with each other. */
export interface RunComparison {
  readonly base: ComparedRun;
  /**
   * Why what one run does not show may be there all the same, as sentences; none if it is surely
   * absent.
   */
  readonly reservations: readonly string[];
  readonly findings: {
    /** Broken now; the baseline judged the rule and did not find it. */
    readonly fresh: Bounded<ComparedFinding>;
    /** Broken in the baseline; the run asked the same and did not find it. */
    readonly fixed: Bounded<ComparedFinding>;
    readonly still: Bounded<ComparedFinding>;
    /** In one of both alone, and nothing can be said of the other: `why` says why. */
    readonly open: Bounded<ComparedFinding>;
  };
  readonly notReached: Bounded<UnreachedRule>;
  /** Absent if the exchanges of one of both are not at hand. */
  readonly answers?: AnswerComparison;
  readonly ledger: Bounded<LedgerChange>;
  readonly latencies: readonly LatencyChange[];
  /** Ids of operations that the baseline did not have; absent if there are none. */
  readonly added?: Bounded<string>;
  /**
   * `changed`: something that a client would notice differs for certain · `same`: nothing does, and the
   * same was asked · `unclear`: nothing does for certain, and `reservations` say why that means little.
   */
  readonly verdict: 'same' | 'changed' | 'unclear';
}
