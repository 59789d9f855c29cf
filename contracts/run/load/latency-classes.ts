/** Classes of latency, by which moments count answers for a plot. */

/** Each class ends at so many times as long as the one before. */
const FACTOR = Math.SQRT2;
/** The end of the first class. */
const FIRST_MS = 0.5;
/** The last one takes all that is slower: beyond 90 minutes. */
export const LATENCY_CLASSES = 48;

/** The place of the class of a latency. */
export function classOf(ms: number): number {
  if (!(ms > FIRST_MS)) return 0;
  const at = Math.ceil(Math.log(ms / FIRST_MS) / Math.log(FACTOR) - 1e-9);
  return Math.min(at, LATENCY_CLASSES - 1);
}

/** The longest latency of a class. */
export function endOfClass(place: number): number {
  return FIRST_MS * FACTOR ** place;
}
