import { expect, test } from 'vitest';
import { FAULTS } from '../../fixtures/service/faults/catalogue.ts';
import { run } from './search.testkit.ts';

test('a smaller probe no longer claims what the first was about, and accuses nobody of that', async () => {
  // Its finding is about an unknown pool; with the plain request's pool none is unknown any more.
  const fault = FAULTS.find(({ id }) => id === 'zap-repeated-request-id');
  const { results } = await run(fault?.apply ?? ((service) => service), {
    ...{ profile: 'gate', maxRequests: 800, seed: 1 },
  });
  const broken = results.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  expect(broken.map(({ rule }) => rule.id)).toEqual(['zap.errors.request-ids-differ']);
});
