import { expect, test } from 'vitest';
import { BUILD } from '../../../contracts/service/rules/simulated/simulation.testkit.ts';
import type { ChainNode } from '../../../target/rpc/nodes.ts';
import { SimulatedChain } from './chain.ts';

const NOW_MS = 1_700_000_000_000;

/** Why a build is not simulated at a node whose last block is so old. */
async function whyNot(ageSeconds: number, mayRest: boolean): Promise<unknown> {
  const node: ChainNode = {
    ...{ of: 'user', mayRest },
    call: ({ method }) => {
      if (method === 'eth_chainId') return Promise.resolve({ kind: 'result', result: '0x1' });
      if (method !== 'eth_getBlockByNumber')
        return Promise.resolve({ kind: 'failed', why: 'nothing more is answered' });
      const timestamp = `0x${(NOW_MS / 1_000 - ageSeconds).toString(16)}`;
      return Promise.resolve({ kind: 'result', result: { number: '0x7', timestamp } });
    },
  };
  const chain = await SimulatedChain.open(1, [node], () => NOW_MS);
  if ('why' in chain) return chain.why;
  const came = await chain.simulate(BUILD, 'group');
  return 'why' in came ? came.why : came;
}

test('a node whose last block is old is behind its chain, or the clock is wrong: nothing is simulated', async () => {
  expect(await whyNot(121, false)).toMatch(/^its last block is 121 s old: the node is behind/);
  expect(await whyNot(120, false)).toMatch(/keeps balances was not found$/);
  expect(await whyNot(-600, false)).toMatch(/keeps balances was not found$/);
});

test('a chain for trials may rest: it makes a block only if something happens', async () => {
  expect(await whyNot(86_400, true)).toMatch(/keeps balances was not found$/);
});
