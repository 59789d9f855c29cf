import { describe, expect, test } from 'vitest';
import type { ExchangeSketch } from '../../../judging/exchange.testkit.ts';
import { foundBy } from '../../../judging/verdicts.testkit.ts';

const BUILD = { api: 'trade', method: 'POST', path: '/v1/buildTx' } as const;
const A = '0xAbCdEf0000000000000000000000000000000001';
const B = '0x2000000000000000000000000000000000000002';
const C = '0x3000000000000000000000000000000000000003';

function pairs(
  request: readonly [string, number, string][],
  keys: readonly string[],
  rule = 'trade.build-tx.pair-keys',
): string[] {
  const data = request.map(([srcToken, toChain, destToken]) => ({ srcToken, toChain, destToken }));
  return foundBy(rule, BUILD, {
    sent: { fromChain: 1, data },
    answered: { quotes: Object.fromEntries(keys.map((key) => [key, {}])) },
  });
}

describe('trade.build-tx.pair-keys', () => {
  test('the key of the one pair', () => {
    expect(pairs([[A, 10, B]], [`1_${A}-10_${B}`])).toEqual(['pass']);
  });

  test('letter case of addresses carries no meaning', () => {
    expect(pairs([[A, 10, B]], [`1_${A.toLowerCase()}-10_${B}`])).toEqual(['pass']);
    expect(pairs([[A.toLowerCase(), 10, B]], [`1_${A}-10_${B}`])).toEqual(['pass']);
  });

  test('entries that ask for the same pair share a key', () => {
    expect(
      pairs(
        [
          [A, 10, B],
          [A, 10, B],
        ],
        [`1_${A}-10_${B}`],
      ),
    ).toEqual(['pass']);
  });

  test('a key for each of several pairs', () => {
    const request: [string, number, string][] = [
      [A, 10, B],
      [A, 1, C],
    ];
    const keys = [`1_${A}-1_${C}`, `1_${A}-10_${B}`];
    const batch = 'trade.build-tx.one-quote-per-pair';
    expect(pairs(request, keys)).toEqual(['pass']);
    expect(pairs(request, keys, batch)).toEqual(['pass']);
    expect(pairs(request, keys.slice(1), batch)).toEqual(['fail', '/quotes']);
    expect(pairs(request, [], batch)).toEqual(['fail', '/quotes']);
    // Nobody asked for what is quoted.
    expect(pairs([], keys, batch)).toEqual(['fail', '/quotes']);
    expect(pairs([], [], batch)).toEqual(['pass']);
    // The same pair in two spellings.
    const twice = [...keys, `1_${A.toLowerCase()}-10_${B}`];
    expect(pairs(request, twice, batch)[0]).toBe('fail');
  });

  test('no key at all', () => {
    expect(pairs([[A, 10, B]], [])).toEqual(['fail', '/quotes']);
  });

  test('a key too many', () => {
    const extra = `1_${A}-1_${C}`;
    expect(pairs([[A, 10, B]], [`1_${A}-10_${B}`, extra])).toEqual(['fail', `/quotes/${extra}`]);
  });

  test.each([
    ['source and destination exchanged', `10_${B}-1_${A}`],
    ['the chains exchanged', `10_${A}-1_${B}`],
    ['another separator', `1_${A}_10_${B}`],
    ['a chain left out', `${A}-10_${B}`],
    ['a chain that is no number', `one_${A}-10_${B}`],
    ['nothing', ''],
  ])('%s', (_, key) => {
    expect(pairs([[A, 10, B]], [key])[0]).toBe('fail');
  });

  test('a slash in a key is escaped in the pointer to it', () => {
    expect(pairs([[A, 10, B]], ['a/b~c'])).toEqual(['fail', '/quotes/a~1b~0c']);
  });

  test('says nothing if the request names no pair, or the answer has no quotes', () => {
    const rule = 'trade.build-tx.pair-keys';
    const entry = { srcToken: A, toChain: 10, destToken: B };
    for (const sent of [
      {},
      { fromChain: 1, data: [] },
      { fromChain: 1, data: [{ srcToken: A }] },
    ]) {
      expect(foundBy(rule, BUILD, { sent, answered: { quotes: {} } })[0]).toBe('not-reached');
    }
    for (const quotes of [undefined, null, [], 'none']) {
      const sent = { fromChain: 1, data: [entry] };
      expect(foundBy(rule, BUILD, { sent, answered: { quotes } })[0]).toBe('not-reached');
    }
  });
});

describe('trade.build-tx.unique-tx-id', () => {
  const built = (txId: string, amount: string): ExchangeSketch => ({
    sent: { fromChain: 1, sender: C, data: [{ srcToken: A, toChain: 10, destToken: B, amount }] },
    answered: { txId, quotes: { [`1_${A}-10_${B}`]: {} } },
  });

  test.each<[string, readonly ExchangeSketch[], string]>([
    ['of two amounts', [built('0x1', '5'), built('0x2', '6')], 'pass'],
    ['of two amounts, the same', [built('0x1', '5'), built('0x1', '6')], 'fail'],
    ['of one request', [built('0x1', '5'), built('0x2', '5')], 'not-reached'],
    ['of one request, the same', [built('0x1', '5'), built('0x1', '5')], 'not-reached'],
  ])('%s', (_, sketches, verdict) => {
    expect(foundBy('trade.build-tx.unique-tx-id', BUILD, ...sketches)[0]).toBe(verdict);
  });
});

test('a batch without any quote is reported by the rule on batches alone', () => {
  const request: [string, number, string][] = [
    [A, 10, B],
    [A, 1, C],
  ];
  expect(pairs(request, [])).toEqual(['not-reached']);
});
