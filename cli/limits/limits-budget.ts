/** What a probe may spend when nothing else is said; requests and rejections for each bucket. */
export const LIMITS_BUDGET: Readonly<
  Record<
    | 'requestsEach'
    | 'rejectsEach'
    | 'seconds'
    | 'longSeconds'
    | 'ratePerSecond'
    | 'loopbackRatePerSecond',
    number
  >
> = {
  requestsEach: 1000,
  rejectsEach: 60,
  seconds: 1000,
  longSeconds: 6 * 3600,
  ratePerSecond: 20,
  loopbackRatePerSecond: 1000,
};
