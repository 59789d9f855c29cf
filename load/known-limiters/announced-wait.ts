/** What a rejection says of the wait. */
export type WaitHabit =
  'honest' | 'none' | 'constant' | 'milliseconds' | 'cut off' | 'too early' | 'too late';

/** What a constant wait is where the limiter has no window, s. */
const USUAL_SECONDS = 60;

/**
 * The wait as a service with this habit tells it, in whole seconds or what it takes for them; undefined where it
 * tells none.
 *
 * @param waitMs ms until a request would be admitted
 * @param windowSeconds the window, which a constant wait is
 */
export function announcedWait(
  habit: WaitHabit,
  waitMs: number,
  windowSeconds: number = USUAL_SECONDS,
): number | undefined {
  const seconds = waitMs / 1000;
  switch (habit) {
    case 'honest':
      return Math.max(1, Math.ceil(seconds));
    case 'none':
      return undefined;
    case 'constant':
      return Math.ceil(windowSeconds);
    case 'milliseconds':
      return Math.ceil(waitMs);
    case 'cut off':
      return Math.floor(seconds);
    case 'too early':
      return Math.ceil(seconds * 0.6);
    case 'too late':
      return Math.ceil(seconds * 3) + 2;
  }
}
