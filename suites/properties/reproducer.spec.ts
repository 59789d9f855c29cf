import { expect, test } from 'vitest';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { RULES } from '../../contracts/service/registry.ts';
import type { Rule } from '../../contracts/judging/rule.ts';
import { SIMULTANEOUS } from '../../contracts/rules/simultaneous.ts';
import type { Exchange, Relation } from '../../contracts/wire/exchange.ts';
import type { ClientRequest } from '../../target/transport/client.ts';
import { createRandom } from '../drive/random.ts';
import type { Session } from '../driven-service.ts';
import { DRIVEN } from '../service/driving.ts';
import { type Reproducer, isShown, send } from './reproducer.ts';

/** Notes what is sent with which marks, and how many requests were on their way at once. */
function sending(): { session: Session; sent: Relation[][]; most: () => number } {
  const sent: Relation[][] = [];
  let [under, most] = [0, 0];
  const client = {
    send: async ({ relations = [] }: ClientRequest): Promise<Exchange> => {
      sent.push([...relations]);
      under += 1;
      most = Math.max(most, under);
      await new Promise((resolve) => setImmediate(resolve));
      under -= 1;
      return {} as Exchange;
    },
  };
  return {
    session: { client, random: createRandom(1), service: DRIVEN } as unknown as Session,
    sent,
    most: () => most,
  };
}

function ruleOf(id: string): Rule {
  const rule = RULES.find((one) => one.id === id);
  if (rule === undefined) throw new Error(`there is no rule ${id}`);
  return rule;
}

const request = {
  api: 'zap',
  method: 'GET',
  path: '/v1/pools',
  purpose: { kind: 'valid' },
} as const;

test('what was sent at one moment is sent so again, and nothing else', async () => {
  const together: Reproducer = ['one', 'other'].map((role) => {
    return { request, kind: SIMULTANEOUS, group: 'together-7', role };
  });
  const first = sending();
  await send(first.session, ruleOf('zap.requests.answered-apart'), together, 'again-1');
  expect(first.most()).toBe(2);
  const second = sending();
  await send(
    second.session,
    ruleOf('zap.pools.chain-filter'),
    [{ request }, { request }],
    'again-1',
  );
  expect(second.most()).toBe(1);
});

test('groups are distinguished from each other, and from those of the run', async () => {
  const { session, sent } = sending();
  const kind = 'excluded-input';
  const lists: Reproducer = [
    { request, kind, group: 'quote', role: 'plain' },
    { request, kind, group: 'quote', role: 'defect' },
    { request, kind, group: 'build', role: 'plain' },
  ];
  await send(session, ruleOf('zap.pools.chain-filter'), lists, 'again-1');
  expect(sent.map(([place]) => place)).toEqual([
    { kind, group: 'again-1-quote', role: 'plain' },
    { kind, group: 'again-1-quote', role: 'defect' },
    { kind, group: 'again-1-build', role: 'plain' },
  ]);
});

test('requests that had one key have one that is new, and others another', async () => {
  const keys: (string | undefined)[] = [];
  const client = {
    send: ({ headers = [] }: ClientRequest): Promise<Exchange> => {
      keys.push(headers.find(([name]) => name === 'Idempotency-Key')?.[1]);
      return Promise.resolve({} as Exchange);
    },
  };
  const session = { client, random: createRandom(1), service: DRIVEN } as unknown as Session;
  const reproducer = ['one', 'one', 'two'].map((key) => ({
    request: { ...request, headers: [['Idempotency-Key', key] as const] },
  }));
  await send(session, ruleOf('zap.pools.chain-filter'), reproducer, 'again-1');
  expect(keys[0]).toBe(keys[1]);
  expect(new Set([...keys, 'one', 'two']).size).toBe(4);
});

test('requests of two moments are sent one moment after the other', async () => {
  const moments: Reproducer = ['7', '7', '8', '8'].map((moment, at) => {
    return { request, kind: SIMULTANEOUS, group: `together-${moment}`, role: String(at) };
  });
  const { session, most, sent } = sending();
  await send(session, ruleOf('zap.requests.answered-apart'), moments, 'again-1');
  expect([most(), sent.length]).toEqual([2, 4]);
});

test('a pair of answers shows a broken relation, a throttled one does not', async () => {
  const session = { contract: await loadContract(), service: DRIVEN };
  const rule = ruleOf('trade.build-tx.idempotency-key-accepted');
  const answer = (role: string, status: number): Exchange => ({
    ...exchangeOf({ api: 'trade', method: 'POST', path: '/v1/buildTx', status, answered: PAIR }),
    relations: [{ kind: 'trade-idempotency-key', group: 'g', role }],
  });
  expect(isShown(session, rule, [answer('A', 200), answer('B', 400)])).toBe(true);
  expect(isShown(session, rule, [answer('A', 200), answer('B', 429)])).toBe(false);
  expect(isShown(session, rule, [answer('A', 200), answer('B', 200)])).toBe(false);
});

const PAIR = { status: 'success', quotes: {} };
