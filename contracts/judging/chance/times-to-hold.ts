import type { Rate } from '../findings/pieces.ts';

/** A fault that is still there is missed in so many, at most. */
const MISSED = 0.01;

/**
 * How often a rule must hold where it was broken at a rate, so that the fault is missed in 1 of 100 at most.
 *
 * What is asked about was chosen for having broken it, so that its first break says nothing of how often it does. What
 * the others say of it is the less certain the fewer they are: all rates are as likely before them.
 */
export function timesToHold(rate: Rate | undefined): number {
  return rate === undefined || rate.broken >= rate.judged ? 1 : timesAmongOthers(rate);
}

/** The same among other requests, some of which may hold though all that were asked before broke the rule. */
export function timesAmongOthers(rate: Rate): number {
  const { broken, judged } = withFewEvents(rate);
  // What never showed cannot be missed.
  if (broken < 1) return Infinity;
  let [few, enough] = [0, 1];
  while (missedIn(enough, broken, judged) > MISSED) [few, enough] = [enough, 2 * enough];
  while (enough - few > 1) {
    const times = Math.floor((few + enough) / 2);
    if (missedIn(times, broken, judged) > MISSED) few = times;
    else enough = times;
  }
  return enough;
}

/** Of what fewer show, all may have an input in common that a run with another seed does not choose. */
const NEARLY_ALL = 0.9;

/**
 * Whether nearly all comparable requests show something, so that those of any other seed would. A seed chooses few
 * chains and tokens, and most requests have one of these: what some of them show is not drawn anew by each request.
 */
export function isOfNearlyAll({ broken, judged }: Rate): boolean {
  return broken >= NEARLY_ALL * judged;
}

/** More are counted in proportion, so that what a file says takes no longer to be reckoned with. */
const MOST_EVENTS = 1_000;

/** A rate of no more events than are reckoned with, and of as much that was judged in proportion. */
export function withFewEvents({ broken, judged }: Rate): Rate {
  const all = Math.max(broken, judged);
  if (broken <= MOST_EVENTS) return { broken, judged: all };
  return { broken: MOST_EVENTS, judged: Math.round((all * MOST_EVENTS) / broken) };
}

/** How likely what broke a rule so often holds so many times, and is there all the same. */
function missedIn(times: number, broken: number, judged: number): number {
  const kept = judged - broken;
  let missed = 1;
  for (let at = 1; at <= broken; at += 1) missed *= (kept + at) / (kept + times + at);
  return missed;
}
