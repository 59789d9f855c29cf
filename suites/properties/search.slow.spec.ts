import { describe, expect, test } from 'vitest';
import { clean, run } from './search.testkit.ts';

describe('of the reference service without fault', () => {
  // What throttles is not looked for; a new rule of which a run shows one piece at most is `once`.
  test.each([
    ['gate', 1_000],
    ['nightly', 2_000],
    ['release', 2_500],
  ] as const)('%s leaves only rules on throttled answers not reached', async (profile, most) => {
    const { results } = await run(clean, {
      profile,
      maxRequests: most,
      executes: true,
    });
    const rest = results.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed');
    const lacking = rest.filter(
      ({ rule }) => rule.answer !== 'throttled' && !rule.id.endsWith('.limit-is-kept'),
    );
    expect(lacking.map(({ rule, verdict }) => `${rule.id} ${verdict}`)).toEqual([]);
  });
});
