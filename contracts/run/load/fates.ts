/** What became of each request of a load run; all counts, figures and thresholds are made of this. */

const WORDS = {
  clientError: 'client errors',
  serverError: 'server errors',
  brokenOff: 'broken off',
  timeout: 'timed out',
  reset: 'closed before an answer',
  refused: 'connections refused',
  tls: 'TLS failures',
  unanswered: 'unanswered for other reasons',
} as const;

/**
 * Why a request counts as an error: an answer of 4xx, or another that is neither 2xx nor throttling · one of
 * 5xx · an answer that was begun and broke off, or is too large to be read · no whole answer within the
 * time limit · the connection ended before an answer · none was made · TLS failed · no answer for another reason.
 * What this machine or the way did not carry is none of these: the target never had it.
 */
export type ErrorFate = keyof typeof WORDS;

/** All of them. */
export const ERROR_FATES: readonly ErrorFate[] = Object.keys(WORDS) as ErrorFate[];

/** What became of a request that the target had: a 2xx answer, throttling, or an error. */
export type Fate = 'served' | 'throttled' | ErrorFate;

/** Whether a request came to an error. */
export function isError(fate: Fate): fate is ErrorFate {
  return fate !== 'served' && fate !== 'throttled';
}

/** Whether a whole answer came. */
export function isAnswered(fate: Fate): boolean {
  return !isError(fate) || fate === 'clientError' || fate === 'serverError';
}

/** The fate of an answer by its status, unless it throttles. */
export function fateOfStatus(status: number): Fate {
  if (status >= 200 && status <= 299) return 'served';
  return status >= 500 ? 'serverError' : 'clientError';
}

/**
 * Why a request counts as an error, in one word: the status of an answer, or what became of the request without
 * one. Never that it was served or throttled.
 */
export function reasonOf({ fate, status = 0 }: Reasoned): string {
  return isAnswered(fate) && status > 0 ? String(status) : fate;
}

interface Reasoned {
  readonly fate: ErrorFate;
  readonly status?: number;
}

/** Such a reason for readers, e.g. `answered 503`, `timed out`. */
export function reasonWords(reason: string): string {
  const fate = ERROR_FATES.find((one) => one === reason);
  if (fate !== undefined) return WORDS[fate];
  return /^\d+$/.test(reason) ? `answered ${reason}` : reason;
}

/** How many of each kind, of those that happened. */
export type ErrorsByFate = Readonly<Partial<Record<ErrorFate, number>>>;

interface Failing {
  readonly errors: number;
  readonly failed: number;
}

/** Errors of all kinds: answered ones, and those without a whole answer. */
export function errorsOf({ errors, failed }: Failing): number {
  return errors + failed;
}

/** What an error rate is taken of: all that was not throttled. */
export function notThrottledOf(counts: Failing & { readonly served: number }): number {
  return counts.served + errorsOf(counts);
}

/** Whether such a share of requests, from 0 to 1, takes in errors, which come after all that was served. */
export function isAmongErrors(
  counts: Failing & { readonly served: number },
  share: number,
): boolean {
  return errorsOf(counts) / notThrottledOf(counts) > 1 - share;
}

/** The errors by their kinds, e.g. `30 server errors, 2 timed out`; undefined if nobody counted kinds. */
export function errorWords({ byFate }: { readonly byFate?: ErrorsByFate }): string | undefined {
  if (byFate === undefined) return undefined;
  const parts = ERROR_FATES.flatMap((fate) => {
    const count = byFate[fate] ?? 0;
    return count === 0 ? [] : [`${count} ${WORDS[fate]}`];
  });
  return parts.length === 0 ? undefined : parts.join(', ');
}
