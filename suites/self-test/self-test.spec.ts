import { describe, expect, test } from 'vitest';
import { loadContract } from '../../contracts/load-contract.ts';
import { FAULTS } from '../../fixtures/faults/catalogue.ts';
import { runTask } from './self-test.ts';

const contract = await loadContract();

describe('the drive alone', () => {
  test('ends with the exchange that shows a fault, and tells how many it took', async () => {
    const id = 'zap-min-return-added';
    const breaks = FAULTS.find((fault) => fault.id === id)?.breaks;
    const task = { profile: undefined, kind: 'fault', id, seed: 1 } as const;
    const { broken, exchanges } = await runTask(task, contract);
    const own = broken.find(({ rule }) => rule === breaks);
    expect(own?.requests).toBe(exchanges);
    const clean = await runTask({ ...task, kind: 'clean', id: '' }, contract);
    expect(clean).toMatchObject({ broken: [], notices: [] });
    expect(clean.exchanges).toBeGreaterThan(exchanges);
  });
});
