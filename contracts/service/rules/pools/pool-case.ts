import type { Broken } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import type { PoolPage } from './pool-page.ts';
import { isWhole, poolPageOf, sameAddresses } from './pool-page.ts';
import { givenOnce } from '../readings/pool-list.ts';
import type { RelationRow } from '../../../rules/relation-rule.ts';

/** A list of pools with tokens, as lists spell them (A), and in other letter case (B). */
const POOL_CASE = 'pool-case';

// Pools that come besides lack a token, which is the business of the rules on what pools state.
function lost(listed: PoolPage, respelt: PoolPage): Broken[] {
  const there = new Set(respelt.addresses);
  const missing = listed.addresses.find((address) => !there.has(address));
  if (missing === undefined) return [];
  const expected = `the ${listed.addresses.length} pools of the same tokens in other letter case`;
  const actual = `${respelt.addresses.length} pools, without ${missing}`;
  return [{ pointer: '/data/pools', expected, actual }];
}

// §4.1: token addresses. Hex digits mean the same in either letter case; that of an address is a
// checksum, which may be left out (EIP-55).
export const poolCase: RelationRow<PoolPage> = {
  id: 'zap.pools.tokens-in-any-case',
  level: 'must',
  // Wallets spell addresses in both ways, and a pool that is there is not found.
  source: 'implied by §4.1, EIP-55 (no service)',
  protects: 'A filter by tokens finds the same pools in whatever letter case the tokens are.',
  rulesOut:
    'A service that compares addresses as text: the tokens are in another letter case than the one in which its lists spell them, and pools hold them.',
  relation: POOL_CASE,
  api: 'zap',
  operations: ['zap.pools'],
  digest: (view: View) => {
    const page = poolPageOf(givenOnce(view.query, 'limit'), view.json);
    if (page === null) return null;
    const isListed = view.exchange.relations.some(
      ({ kind, role }) => kind === POOL_CASE && role === 'A',
    );
    return isWhole(page) || (!isListed && page.addresses.length === 0) ? page : null;
  },
  weigh: ({ addresses }) => 1 + addresses.length,
  agree: sameAddresses,
  compare: lost,
};
