import { member } from '../../../wire/json.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import type { PoolFact } from './pool-facts.ts';
import { LISTS_AND_DETAILS, POOLS_OF_CHAIN, poolFactOf, sorted, weightOf } from './pool-facts.ts';
import { chainNumber, poolsOf } from '../readings/pool-list.ts';
import { judgeUnreported } from './unreported-chains.ts';

/** A list of one chain whose pools state their chain: then nothing else need be asked. */
interface Reported {
  readonly kind: 'stated';
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
    return { kind: 'stated', chain: wanted, broken };
  }
  return isReported ? { kind: 'stated', chain: wanted, broken: [] } : null;
}

function judgeChains(facts: readonly Collected<ChainFact>[]): GroupJudgement[] {
  const reported: Collected<Reported>[] = [];
  const others: Collected<PoolFact>[] = [];
  for (const { fact, witness } of facts) {
    if (fact.kind === 'stated') reported.push({ fact, witness });
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

export const poolChainRules: readonly Rule[] = [
  runRule<ChainFact>({
    id: 'zap.pools.chain-filter',
    level: 'must',
    source: '§4.1',
    protects: 'A list that is filtered by chain holds pools of that chain only.',
    rulesOut:
      'A service that ignores the chain: lists of two chains hold pools of their own, and it would give the same ones.',
    api: 'zap',
    operations: LISTS_AND_DETAILS,
    answer: 'answered',
    leastEvidence: 1,
    collect: chainFactOf,
    weigh: (fact) => (fact.kind === 'stated' ? 1 : weightOf(fact)),
    conclude: judgeChains,
  }),
];
