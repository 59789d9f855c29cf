import { describe, expect, test } from 'vitest';
import { SIMULTANEOUS } from '../../../rules/simultaneous.ts';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';
import { answerOf, requestOf } from '../readings/zap-route.testkit.ts';

const inRole = (role: string): Pick<WireSketch, 'relations'> => ({
  relations: [{ kind: SIMULTANEOUS, group: 'g', role }],
});

describe('two zaps of the same moment', () => {
  const ID = 'zap.requests.answered-apart';
  const DLR = answerOf('50', ['swap one: 100 DLR -> 50 EUR']);
  const LESS = answerOf('20', ['swap one: 40 DLR -> 20 EUR']);
  const WETH = answerOf('9', ['swap one: 7 WETH -> 9 LP']);
  const zap = (role: string, sent: object, answered: object): WireSketch => ({
    ...{ method: 'POST', path: '/v1/quote', sent, answered },
    ...inRole(role),
  });
  const [A, LITTLE, B] = ['100 DLR to EUR', '40 DLR to EUR', '7 WETH to LP'].map((text) =>
    requestOf(text),
  ) as [object, object, object];

  test.each<[string, object, object, object, object, string]>([
    ['each its own', A, DLR, B, WETH, 'pass'],
    ['one that of the other', A, WETH, B, WETH, 'fail /data/path/0/input'],
    ['each that of the other', A, WETH, B, DLR, 'fail /data/path/0/input'],
    ['one the amount of the other', A, LESS, LITTLE, LESS, 'fail /data/path/0/input'],
    [
      'one what nobody asked for',
      A,
      answerOf('1', ['swap one: 3 ETH -> 1 LP']),
      A,
      DLR,
      'not-reached',
    ],
    // Fees may be taken before: an amount that nobody asked for is not that of another.
    ['one a little less', A, answerOf('49', ['swap one: 99 DLR -> 49 EUR']), LITTLE, LESS, 'pass'],
    // What both of them ask for stands in the answer as well.
    [
      'one its own and that of the other',
      A,
      answerOf('9', ['swap one: 100 DLR, 7 WETH -> 50 EUR']),
      B,
      WETH,
      'pass',
    ],
    // What is left over may be what the other one asks for.
    [
      'one that leaves over what the other one wants',
      requestOf('100 DLR to EUR'),
      answerOf('50', ['swap one: 100 DLR -> 50 WETH, 9 LP']),
      requestOf('100 DLR to LP'),
      answerOf('9', ['swap one: 100 DLR -> 9 LP']),
      'not-reached',
    ],
  ])('get %s', (_, one, toOne, other, toOther, verdict) => {
    expect(verdictOf(ID, zap('one', one, toOne), zap('other', other, toOther))).toBe(verdict);
  });

  test('say nothing if one of them was not served', () => {
    expect(verdictOf(ID, zap('one', A, DLR), { ...zap('other', B, {}), status: 404 })).toBe(
      'not-reached',
    );
  });
});

describe('two builds of the same moment', () => {
  const ID = 'trade.build-tx.answered-apart';
  const [X, Y, S, T] = ['a', 'b', 'c', 'd'].map((digit) => `0x${digit.repeat(40)}`);
  const asked = (sender: unknown, destToken: unknown, fromChain = 1): object => {
    const entry = { srcToken: X, destToken, toChain: 1 };
    return { fromChain, sender, data: [entry] };
  };
  const batch = (sender: unknown, destTokens: readonly unknown[]): object => ({
    ...{ fromChain: 1, sender },
    data: destTokens.map((destToken) => ({ srcToken: X, destToken, toChain: 1 })),
  });
  const answered = (from: unknown, destToken: unknown, chainId = 1): object => ({
    ...{ status: 'success', chainId, gasless: false, transaction: { from } },
    quotes: { [`${chainId}_${X}-1_${String(destToken)}`]: {} },
  });
  const build = (role: string, sent: object, json: object): WireSketch => ({
    ...{ api: 'trade', method: 'POST', path: '/v1/buildTx', sent, answered: json },
    ...inRole(role),
  });

  test.each<[string, object, object, object, object, string]>([
    ['its own', asked(S, Y), answered(S, Y), asked(T, T), answered(T, T), 'pass'],
    ['another pair', asked(S, Y), answered(S, T), asked(T, T), answered(T, T), 'fail /quotes'],
    [
      'another sender',
      asked(S, Y),
      answered(T, Y),
      asked(T, T),
      answered(T, T),
      'fail /transaction/from',
    ],
    ['a router', asked(S, Y), answered(X, Y), asked(T, T), answered(T, T), 'pass'],
    ['the same', asked(S, Y), answered(S, Y), asked(S, Y), answered(S, Y), 'not-reached'],
    [
      'one of a batch, of whose pairs any may be answered',
      batch(S, [Y, T]),
      answered(S, T),
      asked(S, T),
      answered(S, T),
      'not-reached',
    ],
  ])('get %s', (_, one, toOne, other, toOther, verdict) => {
    expect(verdictOf(ID, build('one', one, toOne), build('other', other, toOther))).toBe(verdict);
  });
});
