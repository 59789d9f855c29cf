import { describe, expect, test } from 'vitest';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { rateLimitRules } from '../../../contracts/service/rules/limits/rate-limits.ts';
import {
  isGoodOnLimits,
  limitsReportOf,
  limitsTasksOf,
  runLimitsTask,
  type LimitsTaskResult,
} from '../../service/self-test/limits-self-test.ts';

const contract = await loadContract();

/** One of each kind, and of each kind of rule; `assay self-test --limits` takes all of them. */
const SAMPLE = [
  'clean',
  'zap-limits-wait-floored',
  'zap-limits-by-subnet',
  'trade-limits-key-slower',
  'limits-times-replicas',
  'limits-wait-with-jitter',
  'limits-by-sliding-log',
];

test('a sample of faults is caught by the probe, and what is correct is let be', async () => {
  const tasks = limitsTasksOf([1]).filter(({ id }) => SAMPLE.includes(id));
  expect(tasks).toHaveLength(SAMPLE.length);
  const results: LimitsTaskResult[] = [];
  for (const task of tasks) results.push(await runLimitsTask(task, contract));
  const report = limitsReportOf(results);
  expect(report).toMatchObject({
    faults: [{ fate: 'killed' }, { fate: 'killed' }, { fate: 'killed' }],
    oddities: 1,
    unreported: [],
    falseAlarms: [],
    notReached: [],
    // Whose limit no single class explains, which is reported as not known.
    cutShort: [expect.stringMatching(/^limits-times-replicas .*its limit is not known/)],
  });
  expect(isGoodOnLimits(report)).toBe(true);
}, 120_000);

test('every rule on limits has a fault that the self-test probes', () => {
  const report = limitsReportOf(limitsTasksOf([1]).map((task) => ({ ...task, ...NOTHING_FOUND })));
  const broken = new Set(report.faults.map(({ breaks }) => breaks));
  const judged = rateLimitRules([]).filter(({ level }) => level !== 'observe');
  expect(judged.filter(({ id }) => !broken.has(id))).toEqual([]);
});

const NOTHING_FOUND = { broken: [], notReached: [], reported: true, notices: [], exchanges: 0 };

describe('what a report says', () => {
  const fault = { kind: 'fault', id: 'zap-limits-wait-floored', seed: 1 } as const;
  const own = { rule: 'zap.limits.wait-suffices', level: 'must', finding: '' };
  const other = { rule: 'zap.limits.per-address', level: 'must', finding: '' };
  const variant = { kind: 'variant', id: 'limits-of-one', seed: 1 } as const;
  const oddity = { kind: 'oddity', id: 'limits-times-replicas', seed: 1 } as const;

  test.each<[string, LimitsTaskResult[], boolean]>([
    ['caught', [{ ...fault, ...NOTHING_FOUND, broken: [own] }], true],
    ['missed', [{ ...fault, ...NOTHING_FOUND }], false],
    ['caught by another', [{ ...fault, ...NOTHING_FOUND, broken: [other] }], false],
    ['another must broken as well', [{ ...fault, ...NOTHING_FOUND, broken: [own, other] }], false],
    [
      'missed with one of two seeds',
      [
        { ...fault, ...NOTHING_FOUND, broken: [own] },
        { ...fault, ...NOTHING_FOUND, seed: 2 },
      ],
      false,
    ],
    ['an alarm about a variant', [{ ...variant, ...NOTHING_FOUND, broken: [own] }], false],
    ['an oddity that is not reported', [{ ...oddity, ...NOTHING_FOUND, reported: false }], false],
    [
      'a rule that the clean service does not reach',
      [{ kind: 'clean', id: 'clean', seed: 1, ...NOTHING_FOUND, notReached: [own.rule] }],
      false,
    ],
  ])('%s', (_, results, good) => {
    expect(isGoodOnLimits(limitsReportOf(results))).toBe(good);
  });
});
