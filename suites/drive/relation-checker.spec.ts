import { describe, expect, test } from 'vitest';
import { exchangeOf, type ExchangeSketch } from '../../contracts/judging/exchange.testkit.ts';
import { NO_CONTRACT } from '../../contracts/judging/no-contract.testkit.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import {
  type RelationRow,
  stateOf,
  type RelationAnswer,
} from '../../contracts/rules/relation-rule.ts';
import type { Client } from '../../target/transport/client.ts';
import type { Session } from '../driven-service.ts';
import { answered } from './answered.testkit.ts';
import { ALTERNATION, RelationChecker } from './relation-checker.ts';

const contract = await loadContract();

const RELATION: RelationRow<string> = {
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
  const answers: Record<'A' | 'B', RelationAnswer<string>[]> = { A: [], B: [] };
  const client: Pick<Client, 'send'> = {
    send: ({ relations = [] }) => {
      const role = relations[0]?.role === 'B' ? 'B' : 'A';
      const id = answer(order.length, role);
      order += role;
      answers[role].push({ digest: id });
      return Promise.resolve({ ...exchangeOf(), id });
    },
  };
  const session = { client, groupCount: 0, contract: NO_CONTRACT };
  const checker = new RelationChecker(session as unknown as Session);
  const relation = { name: 'test', rules: [RELATION] };
  await checker.run(request('/a'), [{ relation, request: request('/b') }]);
  return { order, kind: stateOf(RELATION, answers.A, answers.B).kind };
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

describe('relations of one session', () => {
  /** What is answered to the paths `/a`, `/b` and `/c`; of a path that is not named nothing. */
  type Answers = Readonly<Record<string, (time: number) => ExchangeSketch>>;
  const saying = (data: string): ExchangeSketch => ({ answered: { data } });
  const BY_DATA: RelationRow<string> = {
    ...RELATION,
    digest: ({ json }) => (json as { data: string }).data,
  };

  /** What each run of a relation sends, as letters. */
  async function sentIn(
    runs: number,
    answers: Answers,
    row: RelationRow<string> = BY_DATA,
    hasControl = false,
  ): Promise<string[]> {
    const times = new Map<string, number>();
    const { session, sent } = answered(contract, ({ path }) => {
      const time = (times.get(path) ?? 0) + 1;
      times.set(path, time);
      return answers[path]?.(time) ?? {};
    });
    const checker = new RelationChecker(session);
    const relation = { name: 'test', rules: [row as RelationRow] };
    const letters: string[] = [];
    for (let run = 0; run < runs; run += 1) {
      const before = sent.length;
      await checker.run(request('/a'), [
        ...(hasControl ? [{ relation, request: request('/c'), isControl: true } as const] : []),
        { relation, request: request('/b') },
      ]);
      const own = sent.slice(before).map(({ path }) => path.slice(1).toUpperCase());
      letters.push(own.join(''));
    }
    return letters;
  }

  test('repeat what moves three times, and no more', async () => {
    const moving: Answers = {
      '/a': (time) => saying(`a${time}`),
      '/b': (time) => saying(`b${time}`),
    };
    expect(await sentIn(5, moving)).toEqual(['ABBA', 'ABBA', 'ABBA', 'AB', 'AB']);
  });

  test('do not repeat what is known to be broken', async () => {
    const broken: Answers = { '/a': () => saying('a'), '/b': () => saying('b') };
    const [first, ...others] = await sentIn(3, broken);
    expect(first).toBe(ALTERNATION.slice(0, 14).join(''));
    expect(others).toEqual(['AB', 'AB']);
  });

  test('do not take a throttled answer for a refusal', async () => {
    const refusing = { ...BY_DATA, refused: 'a success' };
    const throttled = (): ExchangeSketch => ({ status: 429, answered: { code: 'RATE_LIMITED' } });
    expect(await sentIn(1, { '/a': () => saying('a'), '/b': throttled }, refusing)).toEqual(['AB']);
    const [refused] = await sentIn(
      1,
      { '/a': () => saying('a'), '/b': () => ({ status: 400 }) },
      refusing,
    );
    expect(refused).toHaveLength(14);
  });

  test('keep their order beside a control, which is asked once', async () => {
    const broken: Answers = { '/a': () => saying('a'), '/b': () => saying('b') };
    const [sent = ''] = await sentIn(1, broken, BY_DATA, true);
    expect(sent.slice(0, 3)).toBe('ACB');
    expect(sent.replace('C', '')).toBe(ALTERNATION.slice(0, 14).join(''));
  });

  test('ask for nothing else if the first request is refused', async () => {
    expect(await sentIn(1, { '/a': () => ({ status: 404 }) })).toEqual(['A']);
  });
});

test('what is broken is repeated in no order that a period keeps step with', async () => {
  const { order } = await tried((_, role) => role);
  expect(order).toBe('ABBABAABBAABAB');
});

test('each request says in which relation it stands, and as what; a control is not repeated', async () => {
  const sent: string[] = [];
  const client: Pick<Client, 'send'> = {
    send: ({ path, relations = [] }) => {
      const marks = relations.map(({ kind, group, role }) => `${kind} ${group} ${role}`);
      sent.push(`${path}: ${marks.join(', ')}`);
      return Promise.resolve({ ...exchangeOf(), id: path });
    },
  };
  const session = { client, groupCount: 4, contract: NO_CONTRACT };
  const same = { name: 'same', rules: [] };
  const other = { name: 'other', rules: [] };
  await new RelationChecker(session as unknown as Session).run(request('/a'), [
    { relation: same, request: request('/control'), isControl: true },
    { relation: same, request: request('/b') },
    { relation: other, request: request('/c') },
  ]);
  expect(sent).toEqual([
    '/a: same trial-5 A, other trial-5 A',
    '/control: same trial-5 C',
    '/b: same trial-5 B',
    '/c: other trial-5 B',
  ]);
});
