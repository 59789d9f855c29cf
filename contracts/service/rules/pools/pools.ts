import { acceptedInputRules } from '../inputs/accepted-input-rules.ts';
import type { JsonObject } from '../../../wire/json.ts';
import { isObject, member } from '../../../wire/json.ts';
import type { Broken, Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { poolDetailRules } from './pool-details.ts';
import { poolFilterRules } from './pool-filters.ts';
import { reportedFilterRules } from './reported-filters.ts';
import { POOL_RELATIONS } from './pool-limits.ts';
import { excludedListingInputs, unnamedPoolRule } from '../inputs/excluded-input-rules.ts';
import { poolMaximumRule } from './pool-maximum.ts';
import { fieldDefectRule } from '../inputs/field-defects.ts';
import { BrokenList } from '../../../rules/broken-list.ts';
import { poolsOf } from '../readings/pool-list.ts';
import { relationRule } from '../../../rules/relation-rule.ts';

// §2.5, §4.1: a list of pools, so each stands in it once. One address may be a pool on two chains, and
// the address of a contract that keeps many pools. Only entries of one chain that agree in protocol,
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
    // What is no text is reported by the rule on such values, and names no pool.
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
  ...reportedFilterRules,
  exchangeRule({
    ...base,
    id: 'zap.pools.each-once',
    level: 'should',
    source: 'implied by §2.5, §4.1',
    protects: 'A list holds each pool once, so that none takes the place of another.',
    rulesOut:
      'A service that lists a pool of the chain again, such as on two pages that follow each other: the list has two pools at least.',
    judge: repeatedPools,
  }),
  poolMaximumRule,
  ...Object.values(POOL_RELATIONS).flat().map(relationRule),
  ...acceptedInputRules(['zap.pools']),
  ...poolFilterRules,
  ...poolDetailRules,
  fieldDefectRule({
    id: 'zap.listings.field-defects-are-client-errors',
    source: 'implied by §4.1, RFC 9110 section 15.5',
    api: 'zap',
    operations: ['zap.pools', 'zap.pool-details'],
  }),
  unnamedPoolRule,
  excludedListingInputs,
];
