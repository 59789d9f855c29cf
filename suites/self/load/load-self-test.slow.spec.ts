import { describe, expect, test } from 'vitest';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { REGISTRY } from '../../../contracts/service/registry.ts';
import {
  isGoodUnderLoad,
  loadReportOf,
  loadTasksOf,
  runLoadTask,
  type LoadTaskResult,
} from '../../service/self-test/load-self-test.ts';

const contract = await loadContract();

/** The herd's, which take little; `assay self-test --load` takes all of them. */
const SAMPLE = ['clean-herd', 'trade-load-herd-restarts-the-wait', 'load-herd-on-gcra'];

test('a sample of faults is caught under load, and what is correct is let be', async () => {
  const tasks = loadTasksOf([1]).filter(({ id }) => SAMPLE.includes(id));
  expect(tasks).toHaveLength(SAMPLE.length);
  const results: LoadTaskResult[] = [];
  for (const task of tasks) results.push(await runLoadTask(task, contract));
  const report = loadReportOf(results);
  expect(report).toMatchObject({
    faults: [{ fate: 'killed', unexplained: [], began: ['coming back'] }],
    ...{ falseAlarms: [], disagreeing: [], notReached: [] },
  });
  expect(isGoodUnderLoad(report)).toBe(true);
}, 120_000);

test('every rule on load has a fault that the self-test puts under load', () => {
  const report = loadReportOf(loadTasksOf([1]).map((task) => ({ ...task, ...NOTHING_FOUND })));
  const broken = new Set(report.faults.map(({ breaks }) => breaks));
  expect(REGISTRY.onlyLoad.filter(({ id }) => !broken.has(id))).toEqual([]);
});

const NOTHING_FOUND = { broken: [], live: [], notReached: [], requests: 0 };

describe('what a report says', () => {
  const fault = {
    kind: 'fault',
    id: 'zap-load-untyped-overload',
    seed: 1,
    notReached: [],
    requests: 9,
  } as const;
  const own = { rule: 'zap.errors.typed-body', level: 'must', finding: '' };
  const seen = { rule: own.rule, began: 'crowd' };
  const variant: LoadTaskResult = {
    ...NOTHING_FOUND,
    kind: 'variant',
    id: 'load-queueing',
    seed: 1,
  };
  const graded = (
    ...results: readonly LoadTaskResult[]
  ): readonly [string | undefined, boolean] => {
    const report = loadReportOf(results);
    return [report.faults[0]?.fate, isGoodUnderLoad(report)];
  };

  test('of a fault: whether its own rule caught it, in the run and in the record', () => {
    expect(graded({ ...fault, broken: [own], live: [seen] })).toEqual(['killed', true]);
    expect(graded({ ...fault, broken: [], live: [] })).toEqual(['survived', false]);
    expect(graded({ ...fault, broken: [own], live: [] })).toEqual(['killed-otherwise', false]);
    const other = { rule: 'zap.values.status', level: 'should', finding: '' };
    expect(graded({ ...fault, broken: [other], live: [] })).toEqual(['killed-otherwise', false]);
  });

  test('of a fault that is seen before there is load: that load does not show it', () => {
    const early = { rule: own.rule, began: 'calm' };
    expect(graded({ ...fault, broken: [own], live: [early] })).toEqual(['killed-otherwise', false]);
  });

  test('of a must-rule that is broken besides, without a reason: that it is', () => {
    const other = { rule: 'zap.values.status', level: 'must', finding: '' };
    const live = [seen, { rule: other.rule, began: 'crowd' }];
    expect(graded({ ...fault, broken: [own, other], live })).toEqual(['killed', false]);
  });

  test('of a correct service: each alarm, and what the record says otherwise than the run', () => {
    expect(graded(variant)).toEqual([undefined, true]);
    expect(graded({ ...variant, broken: [own], live: [seen] })).toEqual([undefined, false]);
    expect(graded({ ...variant, live: [seen] })).toEqual([undefined, false]);
  });

  test('of a rule on load that the clean service does not reach: its name', () => {
    const clean = { ...variant, kind: 'clean', id: 'clean-herd', notReached: ['r'] } as const;
    expect(loadReportOf([clean]).notReached).toEqual(['r']);
  });
});
