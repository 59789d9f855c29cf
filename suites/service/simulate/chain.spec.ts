import { expect, test } from 'vitest';
import { BUILD } from '../../../contracts/service/rules/simulated/simulation.testkit.ts';
import type { ChainNode } from '../../../target/rpc/nodes.ts';
import { SimulatedChain } from './chain.ts';

const NOW_MS = 1_700_000_000_000;

/** Why a build is not simulated at a node whose last block is so old. */
async function whyNot(ageSeconds: number, mayRest: boolean): Promise<unknown> {
  const node: ChainNode = {
    ...{ of: 'user', mayRest, whyLost: () => undefined },
    call: ({ method }) => {
      if (method === 'eth_chainId') return Promise.resolve({ kind: 'result', result: '0x1' });
      if (method !== 'eth_getBlockByNumber')
        return Promise.resolve({ kind: 'failed', why: 'nothing more is answered' });
      const timestamp = `0x${(NOW_MS / 1_000 - ageSeconds).toString(16)}`;
      return Promise.resolve({ kind: 'result', result: { number: '0x7', timestamp } });
    },
  };
  const chain = await SimulatedChain.open(1, [node], { nowMs: () => NOW_MS, spareCoins: 1n });
  if ('why' in chain) return chain.why;
  const came = await chain.simulate(BUILD, 'group');
  return 'why' in came ? came.why : came;
}

test('a node whose last block is old is behind its chain, or the clock is wrong: nothing is simulated', async () => {
  expect(await whyNot(121, false)).toMatch(/^its last block is 121 s old: the node is behind/);
  expect(await whyNot(120, false)).toMatch(
    /keeps balances is not known: nothing more is answered$/,
  );
  expect(await whyNot(-600, false)).toMatch(
    /keeps balances is not known: nothing more is answered$/,
  );
});

test('a chain for trials may rest: it makes a block only if something happens', async () => {
  expect(await whyNot(86_400, true)).toMatch(
    /keeps balances is not known: nothing more is answered$/,
  );
});

test('what a node fails to say of a token is asked again for the next build', async () => {
  const node: ChainNode = {
    ...{ of: 'user', mayRest: false, whyLost: () => undefined },
    call: ({ method }) => {
      if (method === 'eth_chainId') return Promise.resolve({ kind: 'result', result: '0x1' });
      if (method === 'eth_getBlockByNumber') {
        const result = { number: '0x7', timestamp: `0x${(NOW_MS / 1_000).toString(16)}` };
        return Promise.resolve({ kind: 'result', result });
      }
      answers += 1;
      const [code, message] =
        answers === 1 ? [-32_005, 'limit exceeded'] : [3, 'execution reverted'];
      return Promise.resolve({ kind: 'error', code, message, why: `${code} ${message}` });
    },
  };
  let answers = 0;
  const chain = await SimulatedChain.open(1, [node], { nowMs: () => NOW_MS, spareCoins: 1n });
  if ('why' in chain) throw new Error(chain.why);
  const why = async (): Promise<string | undefined> => (await chain.simulate(BUILD, 'group')).why;
  expect(await why()).toMatch(/ is not known: -32005 limit exceeded$/);
  expect(await why()).toMatch(/keeps balances was not found$/);
  const before = answers;
  expect(await why()).toMatch(/keeps balances was not found$/);
  expect(answers).toBe(before);
});

/** Block by block, each made a second after the one before: what is sent of which block, as of when. */
async function sentOf(mayRest: boolean, madeAgoSeconds: number): Promise<[string, unknown][]> {
  let blocks = 0;
  const sent: [string, unknown][] = [];
  const node: ChainNode = {
    ...{ of: 'user', mayRest, whyLost: () => undefined },
    call: ({ method, params }) => {
      if (method === 'eth_chainId') return Promise.resolve({ kind: 'result', result: '0x1' });
      if (method === 'eth_getBlockByNumber') {
        blocks += 1;
        const timestamp = `0x${(NOW_MS / 1_000 - madeAgoSeconds).toString(16)}`;
        return Promise.resolve({ kind: 'result', result: { number: `0x${blocks}`, timestamp } });
      }
      if (method === 'eth_simulateV1') {
        const [{ blockStateCalls }, at] = params as [
          { blockStateCalls: [{ blockOverrides: { time?: string } }] },
          string,
        ];
        sent.push([at, blockStateCalls[0].blockOverrides.time]);
      }
      return Promise.resolve({ kind: 'failed', why: 'nothing more is answered' });
    },
  };
  const chain = await SimulatedChain.open(1, [node], { nowMs: () => NOW_MS, spareCoins: 1n });
  if ('why' in chain) throw new Error(chain.why);
  const ofCoins = { ...BUILD, spendings: [] };
  for (const group of ['one', 'other']) await chain.simulate(ofCoins, group);
  return sent;
}

const hex = (seconds: number): string => `0x${seconds.toString(16)}`;

test('each build is executed at a block that was asked for after it came', async () => {
  const sent = await sentOf(true, 3);
  expect(sent.map(([at]) => at)).toStrictEqual(['0x1', '0x2']);
});

test.each([true, false])(
  'no build is executed earlier than it is sent, wherever its node is: a chain may rest: %s',
  async (mayRest) => {
    const now = hex(NOW_MS / 1_000);
    expect((await sentOf(mayRest, 12)).map(([, time]) => time)).toStrictEqual([now, now]);
    const next = hex(NOW_MS / 1_000 + 6);
    expect((await sentOf(mayRest, -5)).map(([, time]) => time)).toStrictEqual([next, next]);
  },
);
