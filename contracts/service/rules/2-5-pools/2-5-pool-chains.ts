import { member } from '../../../wire/json.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import type { Detailed, Listed, PoolFact, PoolFacts } from './pool-facts.ts';
import { LISTS_AND_DETAILS, POOLS_OF_CHAIN, poolFactOf, sorted, weightOf } from './pool-facts.ts';
import { chainNumber, poolsOf } from '../readings/pool-list.ts';

/** A list of one chain whose pools tell their chain: then nothing else need be asked. */
interface Reported {
  readonly kind: 'told';
  readonly chain: number;
  readonly broken: readonly Broken[];
}

type ChainFact = Reported | PoolFact;

function chainFactOf(view: View): ChainFact | null {
  const reported = reportedOf(view);
  if (reported !== null) return reported;
  // Only what the driver marked, so that a long run does not pile up lists.
  const isMarked = view.exchange.relations.some(({ kind }) => kind === POOLS_OF_CHAIN);
  return isMarked ? poolFactOf(view) : null;
}

// A pool's further members are not shown; `chainId` means the same wherever the document has it.
function reportedOf(view: View): Reported | null {
  const [asked, ...more] = view.query.getAll('chainId');
  const wanted = chainNumber(asked);
  if (wanted === undefined || more.length > 0 || !view.succeeded) return null;
  let isReported = false;
  for (const [index, pool] of (poolsOf(view.json) ?? []).entries()) {
    const chain = chainNumber(member(pool, 'chainId'));
    if (chain === undefined) continue;
    isReported = true;
    if (chain === wanted) continue;
    const pointer = `/data/pools/${index}/chainId`;
    const expected = `the chain asked for, ${wanted}`;
    const broken = [{ pointer, expected, actual: view.raw(pointer) }];
    return { kind: 'told', chain: wanted, broken };
  }
  return isReported ? { kind: 'told', chain: wanted, broken: [] } : null;
}

function judgeChains(facts: readonly Collected<ChainFact>[]): GroupJudgement[] {
  const reported: Collected<Reported>[] = [];
  const others: Collected<PoolFact>[] = [];
  for (const { fact, witness } of facts) {
    if (fact.kind === 'told') reported.push({ fact, witness });
    else others.push({ fact, witness });
  }
  return [...judgeReported(reported), ...judgeUnreported(sorted(others))];
}

// A service whose pools are all on one chain need not look at the filter.
function judgeReported(reported: readonly Collected<Reported>[]): GroupJudgement[] {
  const areSeveral = new Set(reported.map(({ fact }) => fact.chain)).size > 1;
  return reported
    .filter(({ fact }) => areSeveral || fact.broken.length > 0)
    .map(({ fact, witness }) => ({ witnesses: [witness], judgement: fact.broken }));
}

// §4.1: chainId filters by chain. Where pools tell no chain, one address may be a pool on two chains,
// of other tokens there. But no two chains have all the same pools of the same tokens, unless one is a
// fork of the other, whose details then say so; and a pool that a chain's details do not know, while
// those of another chain do that lists it too, is the other chain's.
function judgeUnreported({ lists, details }: PoolFacts): GroupJudgement[] {
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

export const poolChainRules: readonly Rule[] = [
  runRule<ChainFact>({
    id: 'zap.pools.chain-filter',
    level: 'must',
    source: '§4.1',
    protects: 'A list that is filtered by chain holds pools of that chain only.',
    rulesOut:
      'A service that ignores the chain: lists of two chains hold pools of their own, where it would give the same ones.',
    api: 'zap',
    operations: LISTS_AND_DETAILS,
    answer: 'answered',
    leastEvidence: 1,
    collect: chainFactOf,
    weigh: (fact) => (fact.kind === 'told' ? 1 : weightOf(fact)),
    conclude: judgeChains,
  }),
];
