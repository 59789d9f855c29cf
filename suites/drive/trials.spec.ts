import { expect, test } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { NO_CONTRACT } from '../../contracts/judging/no-contract.testkit.ts';
import { type RelationRow, stateOf, type TrialAnswer } from '../../contracts/rules/trial.ts';
import type { Client } from '../../fixtures/target/transport/client.ts';
import type { Session } from '../driven-service.ts';
import { Trials } from './trials.ts';

const TRIAL: RelationRow<string> = {
  id: 'zap.test',
  level: 'should',
  source: 'implied by §2.2',
  protects: 'B answers as A.',
  relation: 'test',
  api: 'zap',
  operations: [],
  digest: (view) => view.exchange.id,
  compare: (a, b) => (a === b ? [] : [{ pointer: '', expected: a, actual: b }]),
};

const request = (path: string): Parameters<Client['send']>[0] => ({
  api: 'zap',
  method: 'GET',
  path,
  purpose: { kind: 'valid' },
});

/** Who was asked in which order, and what a service that answers so comes to. */
async function tried(
  answer: (count: number, role: string) => string,
): Promise<{ readonly order: string; readonly kind: string }> {
  let order = '';
  const answers: Record<'A' | 'B', TrialAnswer<string>[]> = { A: [], B: [] };
  const client: Pick<Client, 'send'> = {
    send: ({ relations = [] }) => {
      const role = relations[0]?.role === 'B' ? 'B' : 'A';
      const id = answer(order.length, role);
      order += role;
      answers[role].push({ digest: id });
      return Promise.resolve({ ...exchangeOf(), id });
    },
  };
  const session = { client, trials: 0, contract: NO_CONTRACT };
  const trials = new Trials(session as unknown as Session);
  const relation = { name: 'test', rules: [TRIAL] };
  await trials.run(request('/a'), [{ relation, request: request('/b') }]);
  return { order, kind: stateOf(TRIAL, answers.A, answers.B).kind };
}

test('what one pair of answers shows to hold is not asked again', async () => {
  expect(await tried(() => 'same')).toEqual({ order: 'AB', kind: 'holds' });
});

test('what is broken each time is asked until that is certain', async () => {
  const { order, kind } = await tried((_, role) => role);
  expect(kind).toBe('broken');
  expect(Array.from(order).sort().join('')).toBe('AAAAAAABBBBBBB');
});

test('a service that takes turns at answers breaks nothing, whatever its turns are', async () => {
  const patterns = ['xy', 'xxy', 'xyy', 'xxyy', 'xyyx', 'xyxy', 'xxxy', 'xxyyy', 'xxxyyy'];
  for (const pattern of patterns) {
    for (let phase = 0; phase < pattern.length; phase += 1) {
      const { kind, order } = await tried(
        (count) => pattern[(count + phase) % pattern.length] ?? '',
      );
      expect(kind, `${pattern} from ${phase}: ${order}`).not.toBe('broken');
    }
  }
});
