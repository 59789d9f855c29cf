/** `run.json`: what a run came to, for machines and for reports. Its schema is reports/run.schema.json. */

import type { Verdict } from './judge.ts';
import type { Level } from './rule.ts';
import type { ApiName } from './wire/exchange.ts';

export type { Verdict };

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
  readonly urls: Readonly<Partial<Record<ApiName, string>>>;
  /** Names of the variables that held credentials for the run. */
  readonly credentials: readonly string[];
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

/** One rule and what became of it. */
export interface RunRuleRow {
  readonly id: string;
  readonly level: Level;
  /** `§n.n`, `card`, `implied by §n.n`, or an RFC section. */
  readonly source: string;
  readonly verdict: Verdict;
  /** Exchanges or groups judged. */
  readonly evidence: number;
  /** What a user of the service can rely on while the rule holds. */
  readonly protects: string;
  readonly api: ApiName;
  readonly findings: readonly RunFinding[];
  /** Why there is no pass or fail, or whose waiver it is. */
  readonly reason?: string;
}

/** What the service was seen to do where the document is silent. */
export interface LedgerRow {
  readonly id: string;
  /** The clause that is silent, e.g. `§7 retryAfter unit`. */
  readonly clause: string;
  readonly observed: readonly string[];
}

/**
 * `identified`: one class of limiter explains all that was seen · `ambiguous`: several do ·
 * `unexplained`: none does · `above-budget`: no limit up to the requests that were allowed ·
 * `inconclusive`: the probe had to stop.
 */
export type LimitVerdict =
  'identified' | 'ambiguous' | 'unexplained' | 'above-budget' | 'inconclusive';

/** Whether the announced wait is what it takes. */
export interface RetryAfterRow {
  readonly verdict:
    'true' | 'too-early' | 'too-late' | 'constant' | 'wrong-unit' | 'absent' | 'not-judged';
  /** One sentence with the announced and the measured wait. */
  readonly detail: string;
}

/** One rate limit, seen from outside. What was not found is absent. */
export interface LimitRow {
  readonly api: ApiName;
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
  readonly retryAfter?: RetryAfterRow;
  /** What finding it took. */
  readonly requests: number;
  readonly seconds: number;
}

/** The whole of `run.json`. */
export interface RunJson {
  readonly schemaVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  /** Date and time of RFC 3339. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly seed: number;
  readonly target: RunTarget;
  /** Of the contract that the run was judged by. */
  readonly contract: { readonly sha256: string };
  readonly outcome: Outcome;
  /** Whether the run came to its end; false when it was cut short. */
  readonly complete: boolean;
  readonly counts: RunCounts;
  readonly rules: readonly RunRuleRow[];
  readonly ledger: readonly LedgerRow[];
  readonly limits: readonly LimitRow[];
  /** Sentences on the run as a whole: an unreachable API, an interruption, a budget that ended. */
  readonly notices: readonly string[];
}

/** How many rules have each verdict. */
export function countVerdicts(rules: readonly RunRuleRow[]): Readonly<Record<Verdict, number>> {
  return Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, rules.filter((rule) => rule.verdict === verdict).length]),
  ) as Record<Verdict, number>;
}
