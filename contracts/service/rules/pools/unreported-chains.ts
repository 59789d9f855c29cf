import type { Collected, GroupJudgement } from '../../../judging/rule.ts';
import type { Detailed, Listed, PoolFacts } from './pool-facts.ts';

// §4.1: chainId filters by chain. If pools state no chain, one address may be a pool on two chains,
// of other tokens there. But no two chains have all the same pools of the same tokens, unless one is a
// fork of the other, whose details then say so. Some chain's details may not know a pool, while those of
// another chain that lists it too do: then it is the other chain's.
export function judgeUnreported({ lists, details }: PoolFacts): GroupJudgement[] {
  const refused = details.filter(({ fact }) => fact.answer === 'refused');
  const others = lists.filter(({ fact }) => fact.pools.size >= SEVERAL);
  return lists
    .filter(({ fact }) => fact.pools.size > 0)
    .flatMap((list): GroupJudgement[] => {
      const { chain, pools } = list.fact;
      const expected = `pools of chain ${chain} only`;
      const twin = others.find(({ fact }) => fact.chain !== chain && isSame(fact.pools, pools));
      if (twin !== undefined && !isOfItself(list.fact, details)) {
        const actual = `the same ${pools.size} pools as on chain ${twin.fact.chain}`;
        const witnesses = [list.witness, twin.witness];
        return [{ witnesses, judgement: [{ pointer: '/data/pools', expected, actual }] }];
      }
      for (const unknown of refused) {
        const { address } = unknown.fact;
        if (unknown.fact.chain !== chain || !pools.has(address)) continue;
        const known = details.find(({ fact }) => isOfOther(fact, chain, address, lists));
        if (known === undefined) continue;
        const actual = `${address}, whose details are those of chain ${known.fact.chain}`;
        const witnesses = [list.witness, unknown.witness, known.witness];
        return [{ witnesses, judgement: [{ pointer: '/data/pools', expected, actual }] }];
      }
      // A single list shows nothing: all pools may be on its chain.
      const isCompared = others.some(({ fact }) => fact.chain !== chain);
      return isCompared ? [{ witnesses: [list.witness], judgement: [] }] : [];
    });
}

/** Two chains may share a pool or two that was put under one address; not this many, and no others. */
const SEVERAL = 3;

/** Whether two lists have the same pools, of the same tokens; of unknown ones nothing is known. */
function isSame(one: Listed['pools'], other: Listed['pools']): boolean {
  if (one.size !== other.size) return false;
  for (const [address, tokens] of one) {
    const there = other.get(address);
    if (tokens.size === 0 || there?.size !== tokens.size) return false;
    for (const token of tokens) if (!there.has(token)) return false;
  }
  return true;
}

/** Whether the details of all listed pools that were asked for on the chain say that they are there. */
function isOfItself({ chain, pools }: Listed, details: readonly Collected<Detailed>[]): boolean {
  const own = details.filter(({ fact }) => fact.chain === chain && pools.has(fact.address));
  return own.length > 0 && own.every(({ fact }) => String(fact.reported) === chain);
}

function isOfOther(
  { chain: ownChain, address: at, answer }: Detailed,
  chain: string,
  address: string,
  lists: readonly Collected<Listed>[],
): boolean {
  if (answer !== 'served' || at !== address || ownChain === chain) return false;
  return lists.some(({ fact }) => fact.chain === ownChain && fact.pools.has(address));
}
