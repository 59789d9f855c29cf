import { describe, expect, test } from 'vitest';
import { addressKey, NATIVE_TOKEN } from '../../../wire/addresses.ts';
import type { Delivery, SimulatedBuild } from './build.ts';
import type { Logs } from './logs.ts';
import type { Did, Runs } from './simulation.testkit.ts';
import {
  ACCOUNT,
  brokenBy,
  BUILD,
  DEST,
  FAILS,
  judged,
  OTHER,
  RECIPIENT,
  ROUTER,
  SOURCE,
  withGrown,
} from './simulation.testkit.ts';

const arrives = (amount: bigint, rest: Did = {}): Did =>
  withGrown({ [`${DEST} ${RECIPIENT}`]: amount }, rest);

const MANY = 1_000_000n;
const NATIVE = addressKey(NATIVE_TOKEN);
const coming = (mayComeLater: Delivery['mayComeLater'], rest: Partial<Delivery> = {}) => ({
  ...BUILD,
  deliveries: BUILD.deliveries.map((one) => ({ ...one, ...rest, mayComeLater })),
});
/** As a trade says it, which states no duration. */
const LATER: SimulatedBuild = coming('if nobody got it');
const ZERO = `0x${'0'.repeat(40)}`;
const COIN = { token: NATIVE, isNative: true };
/** A log of 500 of a token that go from one to another. */
const logged = (token: string, from: string, to: string): Logs => ({
  ...{ count: 2, others: 0 },
  moves: [
    { token, from, to, amount: 500n },
    { token: SOURCE, from: ACCOUNT, to: ROUTER, amount: 1_000n },
  ],
});
const FEE_PAID: Did = arrives(0n, { logs: logged(SOURCE, ACCOUNT, ROUTER) });
const ELSEWHERE: SimulatedBuild = { ...BUILD, deliveries: [], mayPayFees: true };

test.each([
  [9n, ''],
  [10n, 'one that spends 1000010'],
])(
  'a token that rounds each of several transfers may take %s units, unlike a service',
  (units, said) => {
    const [spending] = BUILD.spendings;
    const many = { ...spending, token: SOURCE, isNative: false };
    const build = { ...BUILD, spendings: [{ ...many, amount: MANY, most: MANY, approved: MANY }] };
    const taken = withGrown({
      [`${SOURCE} ${ACCOUNT}`]: -(MANY + units),
      [`${SOURCE} ${ACCOUNT} ${ROUTER}`]: 0n,
    });
    const runs = { 'strict simulate': { ...taken, funds: 8n * MANY } };
    const all = judged({ ...runs, 'lenient simulate': { ...taken, funds: 8n * MANY } }, build);
    expect(all['spends-at-most-amount']).toBe(said);
  },
);

describe('a state of earlier prices', () => {
  const fails = { 'strict simulate': FAILS, 'lenient simulate': FAILS, 'lenient batch': FAILS };
  const short = { 'strict simulate': arrives(460n) };

  test.each<[string, bigint, string | null]>([
    ['of two minutes ago', 120n, 'one that fails: execution reverted'],
    ['of more than two minutes ago', 121n, 'inconclusive'],
  ])('%s: a build that fails', (_, atSeconds, said) => {
    expect(judged(fails, BUILD, { madeAtSeconds: 0n, atSeconds }).succeeds).toBe(said);
  });

  test('leaves open whether too little was quoted, but not whether the guarantee is kept', () => {
    const then = { madeAtSeconds: 0n, atSeconds: 121n };
    expect(judged(short, BUILD, then)['delivers-quoted']).toBe('inconclusive');
    expect(judged(short, BUILD, then)['delivers-min-return']).toBe('');
    const less = arrives(44n);
    const runs = { 'strict simulate': less, 'lenient simulate': less };
    expect(judged(runs, BUILD, then)['delivers-min-return']).toBe('450, and 44 arrived');
  });
});

describe('what may be delivered by a later transaction', () => {
  test.each<[string, Runs, Record<string, string>, SimulatedBuild]>([
    [
      'pays somebody else',
      { 'strict simulate': arrives(0n, { logs: logged(DEST, ROUTER, OTHER) }) },
      { 'delivers-min-return': `450, and 0 arrived; ${OTHER} got 500` },
      LATER,
    ],
    [
      'pays somebody else, and says to take less than a minute',
      { 'strict simulate': arrives(0n, { logs: { ...logged(DEST, ROUTER, OTHER), others: 1 } }) },
      { 'delivers-min-return': `450, and 0 arrived; ${OTHER} got 500` },
      coming('if ordered'),
    ],
    [
      'pays somebody else coins',
      {
        'strict simulate': FEE_PAID,
        'lenient simulate': { ...FEE_PAID, logs: logged(NATIVE, ROUTER, OTHER) },
      },
      { 'delivers-min-return': `450, and 0 arrived; ${OTHER} got 500` },
      coming('if nobody got it', COIN),
    ],
    [
      'pays coins to the zero address, where they are lost',
      {
        'strict simulate': FEE_PAID,
        'lenient simulate': { ...FEE_PAID, logs: logged(NATIVE, ROUTER, ZERO) },
      },
      { 'delivers-min-return': `450, and 0 arrived; ${ZERO} got 500` },
      coming('if nobody got it', COIN),
    ],
    [
      'does nothing',
      { 'strict simulate': { gas: 30_000n, logs: { count: 0, others: 0, moves: [] } } },
      { 'delivers-min-return': '450, and 0 arrived' },
      LATER,
    ],
    [
      'pays the account',
      {
        'strict simulate': withGrown({
          [`${DEST} ${RECIPIENT}`]: 0n,
          [`${DEST} ${ACCOUNT}`]: 500n,
        }),
      },
      { 'delivers-min-return': `450, and 0 arrived; ${ACCOUNT} got 500` },
      LATER,
    ],
  ])('is missing all the same if the transaction %s', (_, runs, broken, build) => {
    expect(brokenBy(runs, build)).toStrictEqual(broken);
  });

  test.each<[Delivery['mayComeLater'], number, string | null]>([
    [true, 0, 'inconclusive'],
    ['if ordered', 0, '450, and 0 arrived'],
    ['if ordered', 1, 'inconclusive'],
    [false, 1, '450, and 0 arrived'],
  ])('it takes the tokens: may it come later? %s, with %s logs of orders', (may, others, said) => {
    const { moves } = logged(SOURCE, ACCOUNT, ROUTER);
    const did = arrives(0n, { logs: { count: 2 + others, others, moves } });
    const runs = { 'strict simulate': did, 'lenient simulate': did };
    expect(judged(runs, coming(may))['delivers-min-return']).toBe(said);
    if (may === 'if ordered')
      expect(judged({ 'strict batch': arrives(0n) }, coming(may))['delivers-min-return']).toBe(
        'inconclusive',
      );
  });

  test.each<[string, Runs, SimulatedBuild]>([
    ['takes the tokens, and logs no other', { 'strict simulate': FEE_PAID }, LATER],
    [
      'burns a token in place of what is to come',
      { 'strict simulate': arrives(0n, { logs: logged(DEST, ROUTER, ZERO) }) },
      LATER,
    ],
    ['by a way that shows no logs', { 'strict batch': arrives(0n) }, LATER],
    [
      'signs an order, and takes nothing yet',
      { 'strict simulate': { gas: 30_000n, logs: { count: 1, others: 1, moves: [] } } },
      LATER,
    ],
    [
      'pays others coins that the account gave, and no more',
      {
        'strict simulate': FEE_PAID,
        'lenient simulate': { ...FEE_PAID, logs: logged(NATIVE, ACCOUNT, OTHER) },
      },
      coming('if nobody got it', COIN),
    ],
    [
      'pays others, as locks and queues that pay out later, and says to take minutes',
      { 'strict simulate': arrives(0n, { logs: logged(DEST, ROUTER, OTHER) }) },
      coming(true),
    ],
  ])('nothing arrives, and may come later: it %s', (_, runs, build) => {
    expect(judged(runs, build)['delivers-min-return']).toBe('inconclusive');
    expect(brokenBy(runs, build)).toStrictEqual({});
  });

  test('who got it names those who got most first, up to three', () => {
    const holders = ['1', '2', '3', '4', '5'].map((digit) => `0x${digit.repeat(40)}`);
    const moves = holders.map((to, at) => ({
      ...{ token: DEST, from: ROUTER, to },
      amount: 10n * BigInt(at + 1),
    }));
    const did = arrives(3n, { logs: { count: 5, others: 0, moves } });
    const said = judged({ 'strict simulate': did, 'lenient simulate': did })['delivers-min-return'];
    const [, , third = '', fourth = '', fifth = ''] = holders;
    expect(said).toBe(
      `450, and 3 arrived; ${fifth} got 50; ${fourth} got 40; ${third} got 30; 2 others got less`,
    );
  });

  test('it takes nothing of what is to go to another chain, and logs an order', () => {
    const signs = { gas: 30_000n, logs: { count: 1, others: 1, moves: [] } };
    expect(judged({ 'strict simulate': signs }, ELSEWHERE).succeeds).toBe('inconclusive');
    expect(judged({ 'strict batch': {} }, ELSEWHERE).succeeds).toBe('inconclusive');
  });
});
