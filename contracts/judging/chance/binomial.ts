/** How sure a probability is that was estimated from a sample (Clopper and Pearson's exact interval). */

const STEPS = 60;

/**
 * The least and the greatest probability that explain so many events in so many trials, each with a
 * chance of `alpha / 2` to be missed.
 *
 * @param events from 0 to `trials`
 * @param trials at least 1
 */
export function probabilityInterval(
  events: number,
  trials: number,
  alpha = 0.05,
): readonly [least: number, greatest: number] {
  const least = events === 0 ? 0 : rootOf((p) => 1 - below(events, trials, p) - alpha / 2);
  const greatest = events === trials ? 1 : rootOf((p) => alpha / 2 - below(events + 1, trials, p));
  return [least, greatest];
}

/** The probability of fewer than so many events, summed in logarithms, which do not underflow. */
function below(events: number, trials: number, p: number): number {
  let sum = 0;
  let logChoose = 0;
  for (let k = 0; k < events; k += 1) {
    sum += Math.exp(logChoose + k * Math.log(p) + (trials - k) * Math.log1p(-p));
    logChoose += Math.log(trials - k) - Math.log(k + 1);
  }
  return Math.min(1, sum);
}

/** Where a function that grows from below zero to above it, between 0 and 1, is zero. */
function rootOf(grows: (p: number) => number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (grows(middle) > 0) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}
