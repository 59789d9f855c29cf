import type { StackedLimit } from '../../../contracts/run/load/limit-measurement.ts';
import type { Facts } from './facts.ts';

/** What was found, in a few words: `identified, fixed-window, 20 requests in 3 s, as far as 90 in 31 s show`. */
export function words({ estimate }: Facts): string {
  if (estimate.stacked !== undefined) return `stacked, ${twoWords(estimate.stacked)}`;
  const { verdict, algorithms, limit, windowSeconds, burst, refillPerSecond, envelope } = estimate;
  const whole = verdict === 'identified' ? envelope?.at(-1) : undefined;
  const parts = [
    verdict,
    algorithms.join(' or '),
    burst === undefined
      ? limit === undefined
        ? ''
        : `${limit} requests${windowSeconds === undefined ? '' : ` in ${windowSeconds} s`}`
      : `burst ${burst}`,
    refillPerSecond === undefined ? '' : `${refillPerSecond} a second`,
    whole === undefined ? '' : `as far as ${whole.requests} in ${whole.seconds} s show`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** `fixed-window or sliding-log`. */
function algorithmsOf({ algorithm, alternatives = [] }: StackedLimit): string {
  return [algorithm, ...alternatives].join(' or ');
}

/** Both limits: `fixed-window, 5 requests in 2 s, and sliding-log, 20 requests in 30 s`. */
function twoWords(limits: readonly StackedLimit[]): string {
  return limits
    .map((one) => `${algorithmsOf(one)}, ${one.limit} requests in ${one.windowSeconds} s`)
    .join(', and ');
}
