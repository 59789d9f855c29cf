/** What Assay hands to its k6 script, as JSON files that lie beside it, and the metrics that it gets back. */

import type { ApiName, Purpose } from '../../contracts/wire/exchange.ts';
import type { Scenario } from '../scenarios/scenario.ts';

/** A header field to be sent. */
export interface PlannedHeader {
  readonly name: string;
  /** Secrets stand in it as `$NAME`. */
  readonly value: string;
  /** The variable of the environment that holds the secret of that name. */
  readonly secret?: string;
}

/** One prepared request; `requests.json` is a list of them. */
export interface PlannedRequest {
  readonly operation: string;
  readonly api: ApiName;
  readonly method: string;
  readonly url: string;
  /** Below the API's base URL. */
  readonly path: string;
  readonly headers: readonly PlannedHeader[];
  readonly body: string | null;
  readonly purpose: Purpose;
}

/** What `plan.json` holds. */
export interface K6Plan {
  /** What was laid out, for whoever reads the samples later. */
  readonly scenario: Scenario;
  /** Options of k6, as its documentation states them. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Number of the first slot of each step, by the place of the step; k6's scenarios are `step<n>`. */
  readonly firstSlots: readonly number[];
  /** From 0 to 1: the share of responses that all exchange rules judge, at most. */
  readonly judgeShare: number;
  /** Of the machine, by which that share goes down; absent if nobody knows. */
  readonly cores?: number;
  /** VUs that are made before the first request, the rules with them: it takes each some time. */
  readonly readyVus: number;
  /** Ids of the rules that judge; null for all. */
  readonly rules: readonly string[] | null;
  /** Exchanges that each VU hands out of those that break one rule in one step. */
  readonly keptPerRule: number;
  /** Longer ones are counted and not handed out. */
  readonly mostExchangeCharacters: number;
  readonly timeoutMs: number;
  /** Distinguishes this run from others, so that its Idempotency-Keys are its own. */
  readonly run: string;
  /** Whether a threshold needs the rate of errors. */
  readonly countsErrors: boolean;
}

/** The files of a plan, in the order in which their digests make that of the plan. */
export const PLAN_FILES = ['plan.json', 'requests.json', 'choices.json'] as const;

/**
 * What the digest of a plan is made of.
 *
 * @param digests SHA-256 of each of {@link PLAN_FILES}, in hex
 */
export function planText(digests: readonly string[]): string {
  return digests.join('\n');
}

/** The name that k6 knows a step by. */
export function scenarioName(step: number): string {
  return `step${step}`;
}

/** The place of the step that a scenario of k6 is. */
export function stepOfScenario(name: string): number {
  return Number(name.slice('step'.length));
}

/** Slots whose requests stand in one text of `choices.json`. */
const CHUNK = 256;
const DIGITS = 3;
/** As many requests can be distinguished: 36 to the power of 3. */
export const MAX_REQUESTS = 46_656;

/** Which request each slot sends, packed: k6 keeps one copy of it for all VUs, and parses a text of it. */
export function packedChoices(slots: number, choose: (slot: number) => number): string[] {
  const chunks: string[] = [];
  for (let first = 0; first < slots; first += CHUNK) {
    let chunk = '';
    for (let slot = first; slot < Math.min(first + CHUNK, slots); slot += 1) {
      chunk += choose(slot).toString(36).padStart(DIGITS, '0');
    }
    chunks.push(chunk);
  }
  return chunks;
}

/** The place of the request that a slot sends; NaN for a slot beyond the last. */
export function choiceOf(chunks: readonly string[], slot: number): number {
  const at = (slot % CHUNK) * DIGITS;
  return Number.parseInt(chunks[Math.floor(slot / CHUNK)]?.slice(at, at + DIGITS) ?? '', 36);
}

/**
 * Whether the answer of a slot is in the share that all exchange rules judge: the same for every part
 * of a run, and spread evenly.
 */
export function isInShare(slot: number, share: number): boolean {
  // Knuth's multiplicative hash: the high bits of slot * 2^32 / golden ratio.
  return (Math.imul(slot, 2_654_435_761) >>> 0) / 4_294_967_296 < share;
}

/** Of the cores, which the service and k6 need as well. */
const MOST_OF_CORES = 0.25;

/**
 * The share of answers that all rules may judge without more CPU than the machine can spare.
 *
 * @param most wanted
 * @param costMs of judging one answer
 * @param cores of the machine; the share is the wanted one if nobody knows
 */
export function affordableShare(
  most: number,
  perSecond: number,
  costMs: number,
  cores: number | undefined,
): number {
  if (cores === undefined) return most;
  return Math.min(most, (MOST_OF_CORES * cores * 1000) / Math.max(1e-3, perSecond * costMs));
}

/** The metrics of the script, beside k6's own; k6 allows letters, digits and underscores. */
export const METRICS = {
  /** Counts broken rules; tag `rule`, and as metadata `exchange` the exchange as JSON, of the first. */
  violations: 'violations',
  /** Counts answers of status 400 and above but 429; tag `kind`: `throttled` or `error`. */
  errorAnswers: 'error_answers',
  /** Counts what Assay itself failed at; tag `why`. */
  crashes: 'assay_crashes',
  /** Adds up the milliseconds that judging took. */
  judging: 'assay_judging_ms',
  /** Once by each VU; tag `plan`: the digest of what it was handed, by which samples are distinguished from others. */
  plans: 'assay_plan',
  /** The rate of errors, kept only if a threshold names it. */
  errors: 'errors',
} as const;
