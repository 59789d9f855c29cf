import { expect, test } from 'vitest';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { Keeper, sampledShare } from './keeper.ts';

function answerOf(characters: number): Exchange {
  return {
    ...{ id: 'x00001', api: 'zap', purpose: { kind: 'valid' }, relations: [] },
    request: { method: 'GET', url: 'http://127.0.0.1/', path: '/', headers: [], body: null },
    outcome: {
      kind: 'response',
      response: {
        ...{ status: 200, headers: [] },
        body: { encoding: 'utf8', text: 'x'.repeat(characters) },
      },
    },
    ...{ sentAtMs: 0, latencyMs: 1 },
  };
}

test('of few answers all are in the sample, of many a share, of large ones fewer', () => {
  expect(sampledShare(300)(answerOf(2_000))).toBe(1);
  expect(sampledShare(15_000)(answerOf(2_000))).toBeCloseTo(0.1);
  // All of 32 MiB together.
  expect(300 * 4_194_304 * sampledShare(300)(answerOf(4_194_304))).toBeCloseTo(33_554_432);
});

test('large answers are not kept without end for what they show first, or for what they break', () => {
  const kept: Exchange[] = [];
  const keeper = new Keeper((exchange) => kept.push(exchange) > 0);
  const large = answerOf(4_194_304);
  for (let count = 0; count < 20; count += 1) {
    keeper.take(large, 0, { broken: [], isFresh: true }, false);
  }
  expect(kept).toHaveLength(4);
  for (let rule = 0; rule < 20; rule += 1) {
    for (let count = 0; count < 3; count += 1) {
      keeper.take(large, 0, { broken: [`rule-${rule}`], isFresh: false }, false);
    }
  }
  // Three of each of the first rules, then one of each.
  expect(kept.length - 4).toBeLessThan(30);
  expect(kept.length - 4).toBeGreaterThanOrEqual(20);
});
