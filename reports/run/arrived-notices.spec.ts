import { expect, test } from 'vitest';
import type { RuleResult } from '../../contracts/judging/judge.ts';
import type { RunSimulation } from '../../contracts/run/run-simulation.ts';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { Judge } from '../../contracts/judging/judge.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { RULES } from '../../contracts/service/registry.ts';
import { arrivedNotices } from './arrived-notices.ts';
import { FACTS } from './run-facts.testkit.ts';
import { runJsonOf } from './run-json.ts';

const row = (changed?: string, rest: Partial<RunSimulation> = {}): RunSimulation => ({
  ...{ api: 'zap', chainId: 1, node: 'user', result: 'succeeded', exchanges: ['x1'] },
  changes:
    changed === undefined
      ? []
      : [{ who: 'recipient', holder: '0x1', token: '0x2', promised: 'at least +1', changed }],
  ...rest,
});
const FAILED = row(undefined, { result: 'not known', why: 'swap failed' });
const ELSEWHERE = row();
const resultOf = (verdict: string): RuleResult[] =>
  [{ rule: { api: 'zap', level: 'must' }, verdict }] as unknown as RuleResult[];
const noticesOf = (rows: readonly RunSimulation[], verdict = 'inconclusive'): string[] =>
  arrivedNotices(rows, resultOf(verdict));

test.each<[string, RunSimulation[], string | undefined]>([
  ['nothing of two', [row('0'), row('0')], 'in 2 of 2 zap builds that nodes executed:'],
  ['nothing, and one fails', [row('0'), FAILED], 'in 2 of 2 zap builds .*, and 1 of them failed:'],
  ['all fail', [FAILED, FAILED], 'in 2 of 2 zap builds .*, and 2 of them failed:'],
  ['one delivers', [row('0'), row('+5'), FAILED], undefined],
  ['to another chain alone, and one fails', [ELSEWHERE, FAILED], undefined],
  ['to another chain alone', [ELSEWHERE], undefined],
  ['no build', [], undefined],
])('what arrived of executed builds: %s', (_, rows, said) => {
  const notices = noticesOf(rows);
  expect(notices).toHaveLength(said === undefined ? 0 : 1);
  expect(notices.join()).toMatch(
    new RegExp(said === undefined ? '^$' : `^Nothing arrived ${said}`),
  );
});

test('where no must rule is left open, as those that are not asked for, nothing is said', () => {
  expect(noticesOf([row('0')], 'pass')).toStrictEqual([]);
  expect(arrivedNotices([row('0')], [])).toStrictEqual([]);
});

test('a run in which nothing arrived is undecided, and says so first', async () => {
  const contract = await loadContract();
  const [shape] = RULES.filter(({ id }) => id === 'zap.providers.response-shape');
  const [least] = RULES.filter(({ id }) => id === 'zap.simulated.delivers-min-return');
  if (shape === undefined || least?.scope !== 'run') throw new Error('the rules have other names');
  const { relation, ...rest } = least;
  expect(relation).toBeDefined();
  const open: typeof least = {
    ...rest,
    operations: shape.operations,
    collect: () => 'an answer',
    conclude: (facts) =>
      facts.map(({ witness }) => ({ witnesses: [witness], judgement: 'inconclusive' as const })),
  };
  const judge = new Judge([shape, open], contract);
  judge.add(
    exchangeOf({ path: '/v1/config/providers', answered: { status: 'success', data: {} } }),
  );
  const runOf = (simulations: RunSimulation[]): unknown[] => {
    const { outcome, notices } = runJsonOf(judge, { ...FACTS, simulations });
    return [outcome, notices[0]];
  };
  expect(runOf([row('0')])).toStrictEqual(['undecided', expect.stringMatching(/^Nothing arrived/)]);
  expect(runOf([row('+5')])).toStrictEqual(['conforms', undefined]);
});
