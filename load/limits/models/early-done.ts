/** How much a limit on requests at once may be below what was let in: some are done before others come. */

/** How likely it must at least be that one was done early in each burst, against that none need have been. */
const NOTED = 0.03;

/**
 * How much lower than the fewest the limit may be, since one or more of each burst may have been done
 * before its last came. By how many more passed from burst to burst: where they vary, none may have been
 * without one; where the same number passed each time, that would be a coincidence. The number in a burst
 * is taken for that of rare events (Poisson).
 *
 * @param excesses how many more than the fewest each burst let in
 */
export function earlyAtMost(excesses: readonly number[]): number {
  if (excesses.every((excess) => excess === 0)) return 0;
  const none = logLikelihood(excesses);
  let lower = 0;
  const isNoted = (more: number): boolean =>
    logLikelihood(excesses.map((excess) => excess + more)) - none >= Math.log(NOTED);
  while (lower < MAX_LOWER && isNoted(lower + 1)) lower += 1;
  return lower;
}

/** With hardly any burst it could be anything. */
const MAX_LOWER = 10;

/** Of counts of rare events with the mean that suits them best. */
function logLikelihood(counts: readonly number[]): number {
  const sum = counts.reduce((total, count) => total + count, 0);
  if (sum === 0) return 0;
  const mean = sum / counts.length;
  return counts.reduce((total, count) => total - logFactorial(count), sum * (Math.log(mean) - 1));
}

function logFactorial(count: number): number {
  let sum = 0;
  for (let factor = 2; factor <= count; factor += 1) sum += Math.log(factor);
  return sum;
}
