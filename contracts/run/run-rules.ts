/** What became of the rules of a run, as `run.json` has it. */

import type { Verdict } from '../judging/judge.ts';
import type { JudgedAt, Rate } from '../judging/findings/pieces.ts';
import type { Level } from '../judging/rule.ts';
import type { ApiName } from '../wire/exchange.ts';

export type { JudgedAt, Rate, Verdict };

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

/** One broken rule at one operation and place. */
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
  /** At how many places of answers it was seen in the run. */
  readonly count: number;
  /**
   * How often its requests, asked alike, were judged broken, of how often they were judged at all; absent under load,
   * of what an outage alone showed, and from records of earlier versions.
   */
  readonly rate?: Rate;
  /**
   * The same, of how often all comparable requests were judged: those of the same operations, as valid, and alike sent
   * alone or at once; absent likewise.
   */
  readonly share?: Rate;
  /** Of the last of an operation: how often its rule was broken there at places that are not listed; absent of none. */
  readonly further?: number;
  /** Whether it was seen during an outage alone. */
  readonly isOfOutage?: true;
  /** Why it is accepted, by whom and until when; absent if one waiver accepts all findings of its rule. */
  readonly waived?: string;
}

/** Whether the same requests were judged broken, and judged kept. */
export function isIntermittent({ rate }: Pick<RunFinding, 'rate'>): boolean {
  return rate !== undefined && rate.broken < rate.judged;
}

/** What a finding said when it was found. */
export interface FindingThen extends Pick<RunFinding, 'pointer' | 'expected' | 'actual' | 'rate'> {
  /** Whether an error of the service, or no answer, showed it. */
  readonly isFailed?: true;
}

/** What became of a finding that a run was to show again. */
export interface RunReplayed {
  /** What it said then; absent if the replay does not say. */
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
  /** Of what shows at times: how often its rule held in this run, before it was shown if it was; absent of others. */
  readonly held?: number;
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
  readonly reproduced: {
    readonly times: number;
    readonly of: number;
    /** In how many of these its rule judged it at all; in all of them when absent. */
    readonly judged?: number;
  };
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
  /**
   * How often it was judged broken, of how often it was judged outside of outages; absent of what held in all of its
   * evidence, under load, and from records of earlier versions.
   */
  readonly rate?: Rate;
  /**
   * How often it was judged, by operation, outside of outages; absent of what was not judged, under load, and from
   * records of earlier versions.
   */
  readonly judgedAt?: readonly JudgedAt[];
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
  /** The clause that leaves it unspecified, e.g. `§7 retryAfter unit`. */
  readonly clause: string;
  readonly observed: readonly string[];
}

/** How many rules have each verdict. */
export function countVerdicts(rules: readonly RunRuleRow[]): Readonly<Record<Verdict, number>> {
  return Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, rules.filter((rule) => rule.verdict === verdict).length]),
  ) as Record<Verdict, number>;
}
