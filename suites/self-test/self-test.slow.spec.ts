import { describe, expect, test } from 'vitest';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { FAULTS } from '../../fixtures/service/faults/catalogue.ts';
import { TESTED } from '../service/self-test/tested.ts';
import { runTask } from './self-test.ts';

const contract = await loadContract();

// Across chains these seeds led to tokens of few base units, or a generated request had two options. A page in place
// of all documents is caught by the first exchange, when nothing was served yet.
describe('whatever the seed leads to, a fault is caught by its own rule', () => {
  test.each([
    ['trade-slippage-in-tenths-across', undefined, 6],
    ['trade-slippage-in-tenths-across', undefined, 9],
    ['zap-slippage-in-tenths-across-chains', undefined, 5],
    ['trade-slippage-in-tenths-across', 'nightly', 1],
    ['zap-allowed-dexes-want-bridges', 'nightly', 1],
    ['docs-openapi-page', undefined, 1],
  ] as const)('%s, profile %s, seed %i', async (id, profile, seed) => {
    const breaks = FAULTS.find((fault) => fault.id === id)?.breaks;
    const { broken } = await runTask(TESTED, { profile, kind: 'fault', id, seed }, contract);
    expect(broken.map(({ rule }) => rule)).toContain(breaks);
  });
});
