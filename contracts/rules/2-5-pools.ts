import { acceptedInputRules } from './accepted-input-rules.ts';
import type { JsonObject } from '../json.ts';
import { isObject, member } from '../json.ts';
import type { Broken, Rule } from '../rule.ts';
import { exchangeRule } from '../rule.ts';
import type { View } from '../view.ts';
import { addressKey, isEvmAddress } from '../wire/addresses.ts';
import { poolDetailRules } from './2-5-pool-details.ts';
import { poolFilterRules } from './2-5-pool-filters.ts';
import { POOL_TRIALS } from './2-5-pool-limits.ts';
import { excludedListingInputs } from './excluded-input-rules.ts';
import { fieldDefectRule } from './field-defects.ts';
import { BrokenList } from './broken-list.ts';
import { evmAddressesIn, poolsOf, protocolIn } from './pool-list.ts';
import { viewTrialRule } from './trial.ts';

// §4.1: filter by protocol identifier. The pool says its own, itself or as the id of an object.
function otherProtocols(view: View): readonly Broken[] | null {
  const wanted = view.query.get('protocol');
  if (wanted === null || wanted === '' || wanted.includes(',')) return null;
  let judged = false;
  const broken = new BrokenList();
  for (const [index, pool] of (poolsOf(view.json) ?? []).entries()) {
    const protocol = protocolIn(pool);
    if (protocol === undefined) continue;
    judged = true;
    if (protocol.toLowerCase() === wanted.toLowerCase()) continue;
    broken.add(() => {
      const pointer = `/data/pools/${index}/protocol`;
      return { pointer, expected: `the protocol asked for, ${wanted}`, actual: protocol };
    });
  }
  return judged ? broken.all() : null;
}

// §4.1: pools that contain all listed tokens. How a pool tells its tokens is open, so whatever EVM
// address stands anywhere in `tokens` counts; a pool that shows none there is not judged.
function poolsWithout(view: View): readonly Broken[] | null {
  const text = view.query.get('tokens');
  if (text === null) return null;
  const wanted = text.split(',').map((token) => token.trim());
  if (wanted.length > MOST_WANTED || !wanted.every(isEvmAddress)) return null;
  let judged = false;
  const broken = new BrokenList();
  for (const [index, pool] of (poolsOf(view.json) ?? []).entries()) {
    const held = evmAddressesIn(member(pool, 'tokens'));
    if (held.size === 0) continue;
    judged = true;
    const missing = wanted.find((token) => !holds(held, token));
    if (missing === undefined) continue;
    broken.add(() => ({
      pointer: `/data/pools/${index}/tokens`,
      expected: `all tokens asked for, ${missing} too`,
      actual: [...held].join(),
    }));
  }
  return judged ? broken.all() : null;
}

/** Nobody asks for pools of more tokens at once. */
const MOST_WANTED = 100;

/** The native token in requests, which pools hold wrapped. */
const NATIVE = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';

function holds(held: ReadonlySet<string>, token: string): boolean {
  const key = addressKey(token);
  return held.has(key) || key === NATIVE;
}

// §2.5, §4.1: a list of pools, so each stands in it once. One address may be a pool on two chains, and
// the address of a contract that keeps many pools: only entries of one chain that agree in protocol,
// tokens and fee tier are one pool.
function repeatedPools(view: View): readonly Broken[] | null {
  const pools = poolsOf(view.json);
  if (pools === undefined || pools.length < 2 || !view.query.has('chainId')) return null;
  const first = new Map<string, unknown>();
  /** Of those that came again: each pool is put into words once. */
  const samenesses = new Map<string, string>();
  const broken = new BrokenList();
  for (const [index, pool] of pools.entries()) {
    const address = member(pool, 'address');
    // What is no text is told by the rule on such values, and names no pool.
    if (typeof address !== 'string') continue;
    const known = first.get(address);
    if (known === undefined) {
      first.set(address, pool);
      continue;
    }
    if (!isObject(pool) || !isObject(known)) continue;
    let same = samenesses.get(address);
    if (same === undefined) samenesses.set(address, (same = sameness(known)));
    if (sameness(pool) !== same) continue;
    broken.add(() => {
      const actual = `${address} once more`;
      return { pointer: `/data/pools/${index}`, expected: 'each pool once', actual };
    });
  }
  return broken.all();
}

function sameness({ protocol, tokens, feeTier }: JsonObject): string {
  return JSON.stringify([protocol, tokens, feeTier]);
}

const base = {
  api: 'zap',
  operations: ['zap.pools'],
  answer: 'success',
  leastEvidence: 1,
} as const;

export const poolRules: readonly Rule[] = [
  exchangeRule({
    ...base,
    id: 'zap.pools.protocol-filter',
    level: 'must',
    source: '§4.1',
    protects: 'A list that is filtered by protocol holds pools of that protocol only.',
    judge: otherProtocols,
  }),
  exchangeRule({
    ...base,
    id: 'zap.pools.tokens-filter',
    level: 'must',
    source: '§4.1',
    protects: 'A list that is filtered by tokens holds only pools that contain all of them.',
    leastEvidence: 2,
    judge: poolsWithout,
  }),
  exchangeRule({
    ...base,
    id: 'zap.pools.each-once',
    level: 'should',
    source: 'implied by §2.5, §4.1',
    protects: 'A list holds each pool once, so that none takes the place of another.',
    judge: repeatedPools,
  }),
  ...POOL_TRIALS.map(viewTrialRule),
  ...acceptedInputRules(['zap.pools']),
  ...poolFilterRules,
  ...poolDetailRules,
  fieldDefectRule({
    id: 'zap.listings.field-defects-are-client-errors',
    source: 'implied by §4.1, RFC 9110 section 15.5',
    api: 'zap',
    operations: ['zap.pools', 'zap.pool-details'],
  }),
  excludedListingInputs,
];
