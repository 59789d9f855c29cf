import type { LimitedApi } from '../../run/load/limit-measurement.ts';
import { eachBucket, type LimitRule } from './limit-rule.ts';

/**
 * The rule that what remains by the rate-limit fields can be so. Of a limit that is not identified nobody
 * knows what may remain.
 *
 * @param promisedBy what promises such fields, e.g. `implied by §7`; their draft alone when absent
 */
export function remainingRule(api: LimitedApi, promisedBy?: string): LimitRule {
  const draft = 'draft-ietf-httpapi-ratelimit-headers';
  return {
    id: `${api}.limits.remaining-is-counted`,
    level: 'should',
    source: promisedBy === undefined ? draft : `${promisedBy}, ${draft}`,
    protects: 'A client that keeps to the announced number of remaining requests is not misled.',
    rulesOut:
      'A service whose replicas each state a count of their own, or that states a number without counting: what remains would rise within a window, stay, or be more or less than what is admitted then.',
    api,
    // draft-ietf-httpapi-ratelimit-headers-10 section 4.1: the quota units that remain.
    judge: eachBucket(api, ({ remaining, estimate: { verdict } }) => {
      if (remaining === undefined) return null;
      if (verdict !== 'identified') return 'inconclusive';
      const expected = 'a count of what remains of the measured limit';
      return remaining.wrong.map((actual) => ({ pointer: '', expected, actual }));
    }),
  };
}
