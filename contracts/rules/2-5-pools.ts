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
import { fieldDefectRule } from './field-defects.ts';
import { evmAddressesIn, poolsOf, protocolIn } from './pool-list.ts';
import { viewTrialRule } from './trial.ts';

// §4.1: filter by protocol identifier. The pool says its own, itself or as the id of an object.
function otherProtocols(view: View): readonly Broken[] | null {
  const wanted = view.query.get('protocol');
  if (wanted === null || wanted === '' || wanted.includes(',')) return null;
  let judged = false;
  const broken: Broken[] = [];
  for (const [index, pool] of (poolsOf(view.json) ?? []).entries()) {
    const protocol = protocolIn(pool);
    if (protocol === undefined) continue;
    judged = true;
    if (protocol.toLowerCase() === wanted.toLowerCase()) continue;
    const pointer = `/data/pools/${index}/protocol`;
    broken.push({ pointer, expected: `the protocol asked for, ${wanted}`, actual: protocol });
  }
  return judged ? broken : null;
}

// §4.1: pools that contain all listed tokens. How a pool tells its tokens is open, so whatever EVM
// address stands anywhere in `tokens` counts; a pool that shows none there is not judged.
function poolsWithout(view: View): readonly Broken[] | null {
  const text = view.query.get('tokens');
  if (text === null) return null;
  const wanted = text.split(',').map((token) => token.trim());
  if (!wanted.every(isEvmAddress)) return null;
  let judged = false;
  const broken: Broken[] = [];
  for (const [index, pool] of (poolsOf(view.json) ?? []).entries()) {
    const held = evmAddressesIn(member(pool, 'tokens'));
    if (held.size === 0) continue;
    judged = true;
    const missing = wanted.find((token) => !holds(held, token));
    if (missing === undefined) continue;
    const pointer = `/data/pools/${index}/tokens`;
    broken.push({
      pointer,
      expected: `all tokens asked for, ${missing} too`,
      actual: [...held].join(),
    });
  }
  return judged ? broken : null;
}

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
  const first = new Map<unknown, unknown>();
  const broken: Broken[] = [];
  for (const [index, pool] of pools.entries()) {
    const address = member(pool, 'address');
    const known = first.get(address);
    if (known === undefined) first.set(address, pool);
    else if (isObject(pool) && isObject(known) && sameness(pool) === sameness(known)) {
      const pointer = `/data/pools/${index}`;
      broken.push({ pointer, expected: 'each pool once', actual: `${String(address)} once more` });
    }
  }
  return broken;
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
];
