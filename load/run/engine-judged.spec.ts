import { expect, test } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { EngineJudged } from './engine-judged.ts';

test('an exchange that breaks several rules is kept once', () => {
  const kept: string[] = [];
  const judged = new EngineJudged(1, ({ id }) => {
    kept.push(id);
    return true;
  });
  const answer: Exchange = exchangeOf();
  for (const [slot, rule] of [
    [3, 'one'],
    [3, 'other'],
    [4, 'third'],
  ] as const) {
    judged.violated({ rule, step: 0, slot, dueMs: 0, exchange: answer });
  }
  expect(kept).toEqual(['k00001', 'k00002']);
  const { violations, judged: counts } = judged.result(10, true);
  expect(counts.kept).toBe(2);
  expect(violations.map(({ rule, firstExchange }) => [rule, firstExchange])).toEqual([
    ['one', 'k00001'],
    ['other', 'k00001'],
    ['third', 'k00002'],
  ]);
});

test('what the record does not take is reported as not kept', () => {
  const judged = new EngineJudged(1, () => false);
  judged.violated({ rule: 'one', step: 0, slot: 0, dueMs: 0, exchange: exchangeOf() });
  expect(judged.result(1, true)).toMatchObject({ judged: { kept: 0 }, violations: [{ count: 1 }] });
});

test('an answer that breaks several rules is one broken answer, also where others are reported between', () => {
  const judged = new EngineJudged(1, () => false);
  for (const [slot, rule] of [
    [3, 'one'],
    [4, 'one'],
    [3, 'other'],
    [4, 'other'],
  ] as const) {
    judged.violated({ rule, step: 0, slot, dueMs: 0 });
  }
  expect(judged.counts().broken).toBe(2);
});
