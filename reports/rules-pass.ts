import { plural } from './text.ts';

/**
 * How many rules pass, in words. Where limits were measured of which no rule speaks, as of a service
 * that delays or admits all, it is that, since "0 rules pass" would be no reason to conform.
 *
 * @param asked rules on the APIs that are configured
 * @param limits limits that were measured
 */
export function rulesPass(passed: number, asked: number, limits: number): string {
  if (passed === 0 && limits > 0) {
    return `${plural(limits, 'limit')} measured, and no rule speaks of what was found`;
  }
  return `${passed} of ${plural(asked, 'rule')} ${passed === 1 ? 'passes' : 'pass'}`;
}
