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
  /** What the build is to take for the present, in Unix seconds; the node chooses if it is undefined. */
  readonly atSeconds: bigint | undefined;
}

/** What a node said, and when it was asked, on the clock of the run. */
interface Known {
  readonly number: bigint;
  readonly said: BlockSaid;
  readonly askedMs: number;
}

/** So long a block is taken for the last one; chains make one each second or so. */
const FRESH_MS = 1_000;

/**
 * Asks for the last block of a chain: of a node that is behind it, none. A chain that may rest is brought to the
 * present, for the deadlines of builds.
 *
 * @param nowMs of the world, in ms since 1970
 */
export function latestBlockOf(
  node: ChainNode,
  nowMs: () => number,
): () => Promise<PinnedBlock | { readonly why: string }> {
  let known: Known | undefined;
  return async () => {
    const isFresh = known !== undefined && node.nowMs() - known.askedMs < FRESH_MS;
    const block = isFresh && known !== undefined ? known : await ask(node);
    if ('why' in block) return block;
    known = block;
    const { number, said } = block;
    const nowSeconds = BigInt(Math.floor(nowMs() / 1_000));
    const ageSeconds = nowSeconds - said.madeAtSeconds;
    if (!node.mayRest && ageSeconds > MAX_BLOCK_AGE_SECONDS)
      return {
        why: `its last block is ${ageSeconds} s old: the node is behind its chain, or the clock of this machine is wrong`,
      };
    const next = said.madeAtSeconds + 1n;
    const present = nowSeconds > next ? nowSeconds : next;
    return { at: quantityOf(number), said, atSeconds: node.mayRest ? present : undefined };
  };
}

async function ask(node: ChainNode): Promise<Known | { readonly why: string }> {
  const askedMs = node.nowMs();
  const rpc = { method: 'eth_getBlockByNumber', params: ['latest', false] };
  const answer = await node.call(rpc, [{ kind: SIMULATED, group: BLOCK_ROLE, role: BLOCK_ROLE }]);
  if (answer.kind !== 'result') return { why: answer.why };
  const [number, madeAtSeconds, baseFee] = ['number', 'timestamp', 'baseFeePerGas'].map((name) =>
    numberOf(member(answer.result, name)),
  );
  if (number === undefined || madeAtSeconds === undefined)
    return { why: 'the node answered no number and time of a block' };
  return { number, said: { madeAtSeconds, baseFee }, askedMs };
}
