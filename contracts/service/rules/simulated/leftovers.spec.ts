import { expect, test } from 'vitest';
import type { SimulatedBuild } from './build.ts';
import type { Did } from './simulation.testkit.ts';
import {
  ACCOUNT,
  BUILD,
  DEST,
  judged,
  OTHER,
  RECIPIENT,
  ROUTER,
  SOURCE,
  withGrown,
} from './simulation.testkit.ts';

const NO_LOGS = { count: 2, others: 0, moves: [] };
const dustOf = (token: string, least: bigint): SimulatedBuild => ({
  ...BUILD,
  leftovers: [{ token, isNative: false, least, leastAt: '/dust' }],
});
const saidOf = (build: SimulatedBuild, did: Did): string | null => {
  const done = { logs: NO_LOGS, ...did };
  return judged({ 'strict simulate': done, 'lenient simulate': done }, build)['delivers-quoted'];
};
/** Of the source token 100 are left over, as of any other. */
const [OF_SOURCE, OF_OTHER, OF_OUTPUT] = [SOURCE, OTHER, DEST].map((token) =>
  dustOf(token, 100n),
) as [SimulatedBuild, SimulatedBuild, SimulatedBuild];

test.each<[string, SimulatedBuild, Record<string, bigint>]>([
  ['was never taken', OF_SOURCE, { [`${SOURCE} ${ACCOUNT}`]: -900n }],
  ['goes to the recipient', OF_SOURCE, { [`${SOURCE} ${RECIPIENT}`]: 100n }],
  ['of another token goes to the account', OF_OTHER, { [`${OTHER} ${ACCOUNT}`]: 100n }],
  ['of the output comes beside it', OF_OUTPUT, { [`${DEST} ${RECIPIENT}`]: 550n }],
  ['comes back by half, less a unit', OF_OTHER, { [`${OTHER} ${ACCOUNT}`]: 49n }],
])('dust that %s is given back', (_, build, grew) => {
  expect(saidOf(build, withGrown(grew))).toBe('');
});

test.each<[string, SimulatedBuild, Record<string, bigint>, string]>([
  ['of the source is taken', OF_SOURCE, {}, '100, and 0 came back'],
  ['of another token goes to nobody', OF_OTHER, {}, '100, and 0 came back'],
  ['comes by less than half', OF_OTHER, { [`${OTHER} ${ACCOUNT}`]: 48n }, '100, and 48 came back'],
  [
    'of the output is in it',
    OF_OUTPUT,
    { [`${DEST} ${RECIPIENT}`]: 490n },
    '100, and 40 came back',
  ],
])('dust that %s is kept by the service', (_, build, grew, said) => {
  expect(saidOf(build, withGrown(grew))).toBe(said);
});

test('nothing is said of dust beside an output that is short', () => {
  const short = withGrown({ [`${DEST} ${RECIPIENT}`]: 400n });
  expect(saidOf(OF_OTHER, short)).toBeNull();
});

test.each<[string, SimulatedBuild, Did]>([
  ['more of the output came', OF_OTHER, withGrown({ [`${DEST} ${RECIPIENT}`]: 502n })],
  ['no node says what else came', OF_OTHER, withGrown({}, { logs: undefined as never })],
  [
    'another token came',
    OF_OTHER,
    withGrown(
      {},
      { logs: { ...NO_LOGS, moves: [{ token: ROUTER, from: OTHER, to: ACCOUNT, amount: 1n }] } },
    ),
  ],
  [
    'the steps take minutes',
    { ...OF_OTHER, deliveries: BUILD.deliveries.map((one) => ({ ...one, mayComeLater: true })) },
    withGrown({}),
  ],
  [
    'a position may hold it',
    {
      ...OF_OTHER,
      deliveries: BUILD.deliveries.map((one) => ({
        ...one,
        ...{ isPosition: true, quoted: 1n, least: 1n },
      })),
    },
    withGrown({}),
  ],
])('dust that is missing breaks nothing if %s', (_, build, did) => {
  expect([null, '']).toContain(saidOf(build, did));
});

test('native coins that go beyond the value may be gas, and dust of them is not judged', () => {
  const coin = `0x${'e'.repeat(40)}`;
  const build: SimulatedBuild = {
    ...dustOf(coin, 100n),
    spendings: [{ token: coin, isNative: true, amount: 1_000n, most: 1_000n, approved: 0n }],
    spender: undefined,
    call: { ...BUILD.call, value: 1_000n },
    deliveries: BUILD.deliveries.map((one) => ({ ...one, token: OTHER })),
  };
  const taking = (spent: bigint): Did => ({
    grew: { [`${coin} ${ACCOUNT}`]: -spent, [`${OTHER} ${RECIPIENT}`]: 500n },
  });
  expect(saidOf(build, taking(1_001n))).toBe('');
  expect(saidOf(build, taking(1_000n))).toBe('100, and 0 came back');
});
