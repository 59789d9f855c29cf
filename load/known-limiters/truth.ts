/** What a limiter truly is, whoever made it: one drawn by chance, one of the reference service, one in real use. */

/** The names under which reports know the classes, and those of limiters that are more than one. */
export type TrueClass =
  | 'fixed-window'
  | 'clock-window'
  | 'sliding-log'
  | 'sliding-log-counting-rejects'
  | 'sliding-counter'
  | 'sliding-counter-counting-rejects'
  | 'token-bucket'
  | 'interval-refill'
  | 'penalty-block'
  | 'restart-on-reject'
  | 'concurrency'
  | 'shaping-with-reject'
  | 'stacked'
  /** No single class, and no stack of them. */
  | 'none';

/** The parameters of one. What its class does not have is absent. */
export interface LimiterTruth {
  readonly class: TrueClass;
  /** Requests in a window, in a full bucket, or in flight at once; of those that hold back: until a rejection. */
  readonly limit: number;
  /** The window; the block of a penalty; the time in which a bucket fills. */
  readonly seconds?: number;
  /** The window in which a penalty counts. */
  readonly countedSeconds?: number;
  /** Tokens that an interval brings, and the interval. */
  readonly refill?: number;
  readonly intervalSeconds?: number;
  /** Of buckets and of those that hold requests back. */
  readonly perSecond?: number;
  /** Of those that hold requests back: how many pass at once before the first is held. */
  readonly atOnce?: number;
  /** The limits that are stacked, the inner one first. */
  readonly parts?: readonly [LimiterTruth, LimiterTruth];
}

/** The truth in a few words. */
export function truthText(truth: LimiterTruth): string {
  const { class: name, limit, seconds, countedSeconds, refill, intervalSeconds, perSecond } = truth;
  if (truth.parts !== undefined) return truth.parts.map(truthText).join(' and ');
  const words = [
    name,
    `N=${limit}`,
    ...(refill === undefined ? [] : [`refill=${refill}`]),
    ...(intervalSeconds === undefined ? [] : [`each ${short(intervalSeconds)}s`]),
    ...(perSecond === undefined || refill !== undefined ? [] : [`r=${short(perSecond)}/s`]),
    ...(seconds === undefined ? [] : [`W=${short(seconds)}s`]),
    ...(countedSeconds === undefined ? [] : [`counted in ${short(countedSeconds)}s`]),
  ];
  return words.join(' ');
}

/** Four digits. */
export function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}
