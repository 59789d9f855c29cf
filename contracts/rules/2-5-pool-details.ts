import { isObject, member } from '../json.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../rule.ts';
import { exchangeRule, runRule } from '../rule.ts';
import type { View } from '../view.ts';
import { memoOf } from '../view.ts';
import { evmKey, isEvmAddress } from '../wire/addresses.ts';
import { evmAddressesIn, poolsOf } from './pool-list.ts';

/** The kind of relation of the lists and details of one chain's pools; roles are list and detail. */
const RELATION = 'pools-of-chain';
const OPERATIONS: readonly string[] = ['zap.pools', 'zap.pool-details'];

/** What a list of one chain tells. */
interface Listed {
  readonly kind: 'list';
  readonly chain: string;
  /** By address key, the EVM addresses among the tokens. */
  readonly pools: ReadonlyMap<string, ReadonlySet<string>>;
}

/** What became of a request for the details of a pool. */
interface Detailed {
  readonly kind: 'detail';
  readonly chain: string;
  readonly address: string;
  readonly answer: 'served' | 'refused';
  readonly tokens: ReadonlySet<string>;
}

type Fact = Listed | Detailed;

const FACT = memoOf((view): Fact | null =>
  view.operation?.id === 'zap.pools' ? listOf(view) : detailOf(view),
);

function factOf(view: View): Fact | null {
  return view.get(FACT);
}

function listOf(view: View): Fact | null {
  const chain = view.query.get('chainId');
  const listed = poolsOf(view.json);
  if (chain === null || listed === undefined || !view.succeeded) return null;
  const pools = new Map<string, ReadonlySet<string>>();
  for (const pool of listed) {
    const address = member(pool, 'address');
    if (typeof address !== 'string') continue;
    pools.set(evmKey(address) || address.toLowerCase(), evmAddressesIn(member(pool, 'tokens')));
  }
  return { kind: 'list', chain, pools };
}

function detailOf(view: View): Fact | null {
  const { chainId, poolAddress } = isObject(view.requestJson) ? view.requestJson : {};
  if (typeof chainId !== 'number' || typeof poolAddress !== 'string') return null;
  // An outage says nothing of the pool.
  if (view.status >= 500) return null;
  const tokens = evmAddressesIn(member(member(view.json, 'data'), 'tokens'));
  const answer = view.succeeded ? 'served' : 'refused';
  const [chain, address] = [String(chainId), poolAddress.toLowerCase()];
  return { kind: 'detail', chain, address, answer, tokens };
}

interface Facts {
  readonly lists: readonly Collected<Listed>[];
  readonly details: readonly Collected<Detailed>[];
}

function sorted(facts: readonly Collected<Fact>[]): Facts {
  const lists: Collected<Listed>[] = [];
  const details: Collected<Detailed>[] = [];
  for (const { fact, witness } of facts) {
    if (fact.kind === 'list') lists.push({ fact, witness });
    else details.push({ fact, witness });
  }
  return { lists, details };
}

// §4.1: chainId filters by chain. A list says no chain of its pools, and one address may be a pool on
// two chains. But no two chains have all the same pools, and a pool that a chain's details do not
// know, while those of another chain do that lists it too, is the other chain's.
function judgeChains(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  const { lists, details } = sorted(facts);
  const refused = details.filter(({ fact }) => fact.answer === 'refused');
  const others = lists.filter(({ fact }) => fact.pools.size >= SEVERAL);
  return lists
    .filter(({ fact }) => fact.pools.size > 0)
    .flatMap((list): GroupJudgement[] => {
      const { chain, pools } = list.fact;
      const expected = `pools of chain ${chain} only`;
      const twin = others.find(({ fact }) => fact.chain !== chain && sameKeys(fact.pools, pools));
      if (twin !== undefined) {
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
      // A single list shows nothing, unless the details of its pools do.
      const isTold = details.some(({ fact }) => fact.chain === chain && fact.answer === 'served');
      const isCompared = others.some(({ fact }) => fact.chain !== chain);
      return isTold || isCompared ? [{ witnesses: [list.witness], judgement: [] }] : [];
    });
}

/** Two chains may share a pool or two that was put under one address; not this many, and no others. */
const SEVERAL = 3;

function sameKeys(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): boolean {
  if (one.size !== other.size) return false;
  for (const key of one.keys()) if (!other.has(key)) return false;
  return true;
}

function isOfOther(
  { chain: of, address: at, answer }: Detailed,
  chain: string,
  address: string,
  lists: readonly Collected<Listed>[],
): boolean {
  if (answer !== 'served' || at !== address || of === chain) return false;
  return lists.some(({ fact }) => fact.chain === of && fact.pools.has(address));
}

const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

// §2.5: both list and detail hold the pool's tokens. A pool of shares may tell its tokens in one
// place and what lies behind them in the other, the native token wrapped or bare: compared are as
// many tokens as there are in both.
function judgeTokens(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  const { lists, details } = sorted(facts);
  return details.flatMap((detail): GroupJudgement[] => {
    const { chain, address, tokens, answer } = detail.fact;
    if (answer !== 'served') return [];
    const list = lists.find(({ fact }) => fact.chain === chain && fact.pools.has(address));
    const listed = list?.fact.pools.get(address);
    if (!list || listed?.size !== tokens.size) return [];
    if (tokens.size === 0 || tokens.has(NATIVE) || listed.has(NATIVE)) return [];
    const missing = [...listed].filter((token) => !tokens.has(token));
    const broken = missing.map((token): Broken => {
      const expected = `the tokens of the list, ${token} too`;
      return { pointer: '/data/tokens', expected, actual: [...tokens].join() };
    });
    return [{ witnesses: [detail.witness, list.witness], judgement: broken.slice(0, 1) }];
  });
}

// §4.1: the details are those of the pool and chain that the request names, where they tell them.
function otherPool(view: View): readonly Broken[] | null {
  const data = member(view.json, 'data');
  const { chainId, poolAddress } = isObject(view.requestJson) ? view.requestJson : {};
  if (!isObject(data)) return null;
  const broken: Broken[] = [];
  let judged = false;
  const told = chainNumber(data.chainId);
  if (typeof chainId === 'number' && told !== undefined) {
    judged = true;
    if (told !== chainId) {
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

/** A chain id, as a number or in decimal digits; undefined for anything else. */
export function chainNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  return typeof value === 'string' && /^[1-9][0-9]{0,15}$/.test(value) ? Number(value) : undefined;
}

export const poolDetailRules: readonly Rule[] = [
  runRule<Fact>({
    id: 'zap.pools.chain-filter',
    level: 'must',
    source: '§4.1',
    protects: 'A list that is filtered by chain holds pools of that chain only.',
    api: 'zap',
    operations: OPERATIONS,
    answer: 'answered',
    // Only what the driver marked, so that a long run does not pile up lists.
    relation: RELATION,
    leastEvidence: 1,
    collect: factOf,
    conclude: judgeChains,
  }),
  runRule<Fact>({
    id: 'zap.pool-details.tokens-as-listed',
    level: 'should',
    source: 'implied by §2.5',
    protects: 'The details of a pool hold the tokens that its list entry holds.',
    api: 'zap',
    operations: OPERATIONS,
    answer: 'answered',
    // Only what the driver marked, so that a long run does not pile up lists.
    relation: RELATION,
    leastEvidence: 1,
    collect: factOf,
    conclude: judgeTokens,
  }),
  exchangeRule({
    id: 'zap.pool-details.pool-as-asked',
    level: 'should',
    source: 'implied by §4.1',
    protects: 'The details are those of the pool and chain that were asked for.',
    api: 'zap',
    operations: ['zap.pool-details'],
    answer: 'success',
    leastEvidence: 1,
    judge: otherPool,
  }),
];
