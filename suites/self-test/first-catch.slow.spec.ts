import { describe, expect, test } from 'vitest';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { FAULTS } from '../../fixtures/service/faults/catalogue.ts';
import { TESTED } from '../service/self-test/tested.ts';
import { isGood, reportOf, runTask, type TaskResult } from './self-test.ts';

const contract = await loadContract();

describe('the drive alone', () => {
  test('ends with the exchange that shows a fault, and says how many it took', async () => {
    const id = 'zap-min-return-added';
    const breaks = FAULTS.find((fault) => fault.id === id)?.breaks;
    const task = { profile: undefined, kind: 'fault', id, seed: 1 } as const;
    const { broken, exchanges } = await runTask(TESTED, task, contract);
    const own = broken.find(({ rule }) => rule === breaks);
    expect(own?.requests).toBe(exchanges);
    const clean = await runTask(TESTED, { ...task, kind: 'clean', id: '' }, contract);
    expect(clean).toMatchObject({ broken: [], notices: [], judgedOtherwise: [] });
    expect(clean.exchanges).toBeGreaterThan(exchanges);
  });
});

describe('a self-test', () => {
  const clean: TaskResult = {
    ...{ profile: undefined, kind: 'clean' as const, id: '', seed: 3, exchanges: 9 },
    ...{ broken: [], notReached: [], notices: [], judgedOtherwise: [] },
  };

  test('is not good if a record says something else than its run', () => {
    // Of faults that nobody tried there is nothing to say here.
    const good = { ...reportOf(TESTED, undefined, [3], [clean]), faults: [] };
    expect(isGood(good)).toBe(true);
    const other = { ...clean, judgedOtherwise: ['zap.a', 'zap.b'] };
    const { judgedOtherwise } = reportOf(TESTED, undefined, [3], [clean, other]);
    expect(judgedOtherwise).toEqual(['clean (seed 3): zap.a, zap.b']);
    expect(isGood({ ...good, judgedOtherwise })).toBe(false);
  });
});
