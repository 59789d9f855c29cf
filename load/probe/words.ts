import type { Facts } from './facts.ts';

/** What was found, in a few words: `identified, fixed-window, 20 requests in 3 s`. */
export function words({ estimate }: Facts): string {
  const { verdict, algorithms, limit, windowSeconds, burst, refillPerSecond } = estimate;
  const parts = [
    verdict,
    algorithms.join(' or '),
    burst === undefined
      ? limit === undefined
        ? ''
        : `${limit} requests${windowSeconds === undefined ? '' : ` in ${windowSeconds} s`}`
      : `burst ${burst}`,
    refillPerSecond === undefined ? '' : `${refillPerSecond} a second`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
