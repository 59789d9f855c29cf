import { isObject, member } from '../../../wire/json.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { exchangeRule, runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { isEvmAddress } from '../../../wire/addresses.ts';
import { poolChainRules } from './pool-chains.ts';
import { eachPoolDetailRule, poolDetailKindRule } from './pool-kinds.ts';
import { poolIdentityRules } from './pool-identity.ts';
import type { PoolFact } from './pool-facts.ts';
import { LISTS_AND_DETAILS, POOLS_OF_CHAIN, poolFactOf, sorted, weightOf } from './pool-facts.ts';
import { chainNumber } from '../readings/pool-list.ts';

const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

// §2.5: both list and detail hold the pool's tokens. A pool of shares may state its tokens in one
// place and what lies behind them in the other, the native token wrapped or bare. Compared are as
// many tokens as there are in both. Details of another pool, if they say so, are reported by that.
function judgeTokens(facts: readonly Collected<PoolFact>[]): GroupJudgement[] {
  const { lists, details } = sorted(facts);
  return details.flatMap((detail): GroupJudgement[] => {
    const { chain, address, tokens, answer, isOfOther } = detail.fact;
    if (answer !== 'served' || isOfOther) return [];
    const list = lists.find(({ fact }) => fact.chain === chain && fact.pools.has(address));
    const listed = list?.fact.pools.get(address);
    if (!list || listed?.size !== tokens.size) return [];
    if (tokens.size === 0 || tokens.has(NATIVE) || listed.has(NATIVE)) return [];
    const missing = [...listed].filter((token) => !tokens.has(token));
    const broken = missing.map((token): Broken => {
      const expected = `the tokens of the list, ${token} too`;
      return { pointer: '/data/tokens', expected, actual: [...tokens].join() };
    });
    // If all pools have these tokens, details of any other would hold them, too.
    const isEvidence = [...list.fact.pools.values()].some((other) => differ(other, listed));
    if (broken.length === 0 && !isEvidence) return [];
    return [{ witnesses: [detail.witness, list.witness], judgement: broken.slice(0, 1) }];
  });
}

function differ(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size !== other.size || [...one].some((token) => !other.has(token));
}

// §4.1: the details are those of the pool and chain that the request names, if they state them.
function otherPool(view: View): readonly Broken[] | null {
  const data = member(view.json, 'data');
  const { chainId, poolAddress } = isObject(view.requestJson) ? view.requestJson : {};
  if (!isObject(data)) return null;
  const broken: Broken[] = [];
  let judged = false;
  const reported = chainNumber(data.chainId);
  if (typeof chainId === 'number' && reported !== undefined) {
    judged = true;
    if (reported !== chainId) {
      const expected = `the chain asked for, ${chainId}`;
      broken.push({ pointer: '/data/chainId', expected, actual: view.raw('/data/chainId') });
    }
  }
  if (isEvmAddress(data.address) && isEvmAddress(poolAddress)) {
    judged = true;
    if (data.address.toLowerCase() !== poolAddress.toLowerCase()) {
      const expected = `the pool asked for, ${poolAddress}`;
      broken.push({ pointer: '/data/address', expected, actual: data.address });
    }
  }
  return judged ? broken : null;
}

export const poolDetailRules: readonly Rule[] = [
  ...poolChainRules,
  exchangeRule({
    id: 'zap.pool-details.pool-as-asked',
    level: 'must',
    // A deposit that is made by the details of another pool goes where it was not meant to.
    source: 'implied by §2.5, §4.1 (loses money)',
    protects: 'The details are those of the pool and chain that were asked for.',
    rulesOut:
      'A service that gives the same details whatever it is asked: at least two answers state the address or the chain that was asked for.',
    api: 'zap',
    operations: ['zap.pool-details'],
    answer: 'success',
    leastEvidence: 2,
    judge: otherPool,
  }),
  runRule<PoolFact>({
    id: 'zap.pool-details.tokens-as-listed',
    level: 'must',
    // A deposit takes the tokens of the details.
    source: 'implied by §2.5 (loses money)',
    protects: 'The details of a pool hold the tokens that its list entry holds.',
    rulesOut:
      'A service that states the tokens of another pool: its chain has pools of other tokens.',
    api: 'zap',
    operations: LISTS_AND_DETAILS,
    answer: 'answered',
    // Only what the driver marked, so that a long run does not pile up lists.
    relation: POOLS_OF_CHAIN,
    leastEvidence: 1,
    collect: poolFactOf,
    weigh: weightOf,
    conclude: judgeTokens,
  }),
  ...poolIdentityRules,
  poolDetailKindRule,
  eachPoolDetailRule,
];
