import type { BlockSaid } from '../../../contracts/service/rules/simulated/attempt.ts';
import { MAX_BLOCK_AGE_SECONDS } from '../../../contracts/service/rules/simulated/attempt.ts';
import {
  BLOCK_ROLE,
  SIMULATED,
} from '../../../contracts/service/rules/simulated/simulated-rules.ts';
import { numberOf, quantityOf } from '../../../contracts/service/rules/simulated/words.ts';
import { member } from '../../../contracts/wire/json.ts';
import type { ChainNode } from '../../../target/rpc/nodes.ts';

/** The block at which a build is executed. */
export interface PinnedBlock {
  /** As JSON-RPC writes it. */
  readonly at: string;
  readonly said: BlockSaid;
  /** What the build is to take for the present, in Unix seconds. */
  readonly atSeconds: bigint;
}

/**
 * Asks for the last block of a chain: of a node that is behind it, none. It is to be asked for after a build came, which
 * may need what the chain took in just before. Who sends the build does so now, and no block of then is of earlier.
 *
 * @param nowMs of the world, in ms since 1970
 */
export async function latestBlockOf(
  node: ChainNode,
  nowMs: () => number,
): Promise<PinnedBlock | { readonly why: string }> {
  const block = await ask(node);
  if ('why' in block) return block;
  const { number, said } = block;
  const nowSeconds = BigInt(Math.floor(nowMs() / 1_000));
  const ageSeconds = nowSeconds - said.madeAtSeconds;
  if (!node.mayRest && ageSeconds > MAX_BLOCK_AGE_SECONDS)
    return {
      why: `its last block is ${ageSeconds} s old: the node is behind its chain, or the clock of this machine is wrong`,
    };
  const next = said.madeAtSeconds + 1n;
  return { at: quantityOf(number), said, atSeconds: nowSeconds > next ? nowSeconds : next };
}

async function ask(
  node: ChainNode,
): Promise<{ readonly number: bigint; readonly said: BlockSaid } | { readonly why: string }> {
  const rpc = { method: 'eth_getBlockByNumber', params: ['latest', false] };
  const answer = await node.call(rpc, [{ kind: SIMULATED, group: BLOCK_ROLE, role: BLOCK_ROLE }]);
  if (answer.kind !== 'result') return { why: answer.why };
  const [number, madeAtSeconds, baseFee] = ['number', 'timestamp', 'baseFeePerGas'].map((name) =>
    numberOf(member(answer.result, name)),
  );
  if (number === undefined || madeAtSeconds === undefined)
    return { why: 'the node answered no number and time of a block' };
  return { number, said: { madeAtSeconds, baseFee } };
}
