import { isObject, listOf, member, pointerStep } from '../../../wire/json.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { exchangeRule, runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { chainKindRule } from './chain-kinds.ts';
import { eachChainRules } from './each-chain.ts';
import { BrokenList } from '../../../rules/broken-list.ts';
import { chainNumber } from '../readings/pool-list.ts';
import { wellFormedValues } from '../shared/documented-shape.ts';

function hasMap(json: unknown): boolean {
  const data = member(json, 'data');
  return isObject(data) && Object.keys(data).length > 0;
}

/** The rule that a configuration maps chain ids to what it says of the chains. */
function keyedByChain(name: 'chains' | 'providers'): Rule {
  const rule = wellFormedValues(
    'zap',
    {
      name: 'chain-key',
      source: '§4.1',
      protects: 'What a configuration says of a chain is found under the id of the chain.',
    },
    [`zap.${name}`],
    hasMap,
  );
  const rulesOut = `A service that keys its ${name} by something else, such as a name: there is a key at least.`;
  return { ...rule, id: `zap.${name}.keyed-by-chain-id`, rulesOut };
}

// §2.6: one object per chain id, which holds the chain id. Under which name is open; what is called
// chainId and is a whole number is one.
function otherChainIds(view: View): readonly Broken[] | null {
  const data = member(view.json, 'data');
  if (!isObject(data)) return null;
  let judged = false;
  const broken = new BrokenList();
  for (const key of Object.keys(data)) {
    const [asKey, reported] = [chainNumber(key), chainNumber(member(data[key], 'chainId'))];
    if (asKey === undefined || reported === undefined) continue;
    judged = true;
    if (asKey === reported) continue;
    broken.add(() => {
      const pointer = `/data${pointerStep(key)}/chainId`;
      return { pointer, expected: `${key}, the key of the object`, actual: view.raw(pointer) };
    });
  }
  return judged ? broken.all() : null;
}

// §2.6: the id identifies a provider. One that is both dex and bridge may be listed as each.
function repeatedProviders(view: View): readonly Broken[] | null {
  const data = member(view.json, 'data');
  if (!isObject(data) || !hasMap(view.json)) return null;
  let judged = false;
  const broken = new BrokenList();
  for (const chain of Object.keys(data)) {
    const seen = new Set<string>();
    const list = listOf(data[chain]);
    // One alone cannot be there again.
    judged ||= list.length > 1;
    for (const [index, provider] of list.entries()) {
      const [id, type] = [member(provider, 'id'), member(provider, 'type')];
      if (typeof id !== 'string') continue;
      const key = `${typeof type === 'string' ? type : typeof type} ${id}`;
      if (seen.has(key)) {
        broken.add(() => {
          const pointer = `/data${pointerStep(chain)}/${index}/id`;
          return { pointer, expected: 'each provider once on a chain', actual: `${id} again` };
        });
      }
      seen.add(key);
    }
  }
  return judged ? broken.all() : null;
}

const MAX_CHAINS = 10_000;

interface Keys {
  readonly of: 'chains' | 'providers';
  readonly chains: readonly string[];
}

function keysOf(view: View): Keys | null {
  const data = member(view.json, 'data');
  if (!isObject(data)) return null;
  const listing = view.operation?.id === 'zap.chains' ? 'chains' : 'providers';
  const chains = Object.keys(data).filter((key) => chainNumber(key) !== undefined);
  // More chains than any service has are not kept.
  return chains.length === 0 || chains.length > MAX_CHAINS ? null : { of: listing, chains };
}

// §2.6, §4.1: both maps are by chain, and the chains are those of the configuration. A chain without
// providers on it promises nothing.
function judgeKeys(facts: readonly Collected<Keys>[]): GroupJudgement[] {
  const configured = facts.filter(({ fact }) => fact.of === 'chains');
  const known = new Set(configured.flatMap(({ fact }) => fact.chains));
  const [config] = configured;
  if (config === undefined) return [];
  return facts
    .filter(({ fact }) => fact.of === 'providers')
    .map(({ fact, witness }) => {
      const judgement = fact.chains
        .filter((chain) => !known.has(chain))
        .map((chain) => ({
          pointer: `/data/${chain}`,
          expected: 'a chain of the chain configuration',
          actual: chain,
        }));
      return { witnesses: [witness, config.witness], judgement };
    });
}

export const configRules: readonly Rule[] = [
  keyedByChain('chains'),
  keyedByChain('providers'),
  exchangeRule({
    id: 'zap.chains.key-is-chain-id',
    level: 'must',
    // Whoever takes the RPC URLs or the contracts of another chain sends there.
    source: 'implied by §2.6, §4.1 (transaction fails)',
    protects: 'A chain configuration stands under its own chain id.',
    rulesOut:
      'A service that gives a configuration under the id of another chain: it states its own.',
    api: 'zap',
    operations: ['zap.chains'],
    answer: 'success',
    leastEvidence: 1,
    judge: otherChainIds,
  }),
  {
    ...wellFormedValues(
      'zap',
      {
        name: 'provider-type',
        source: '§2.6',
        protects: 'A provider is a dex or a bridge, and says which.',
      },
      ['zap.providers'],
      hasProviders,
    ),
    id: 'zap.providers.type-is-known',
    rulesOut: 'A service with types of its own, such as aggregator: it lists some provider.',
  },
  exchangeRule({
    id: 'zap.providers.each-once',
    level: 'should',
    source: 'implied by §2.6',
    protects: 'The id of a provider names one provider of a chain.',
    rulesOut: 'A service that lists a provider again on its chain: some chain has two at least.',
    api: 'zap',
    operations: ['zap.providers'],
    answer: 'success',
    leastEvidence: 1,
    judge: repeatedProviders,
  }),
  chainKindRule,
  ...eachChainRules,
  runRule<Keys>({
    id: 'zap.providers.chains-are-configured',
    level: 'should',
    source: 'implied by §1, §2.6, §4.1',
    protects: 'Providers are listed for chains that the chain configuration knows.',
    rulesOut: 'A service whose two lists of chains are kept apart: both are given, by chain ids.',
    api: 'zap',
    operations: ['zap.chains', 'zap.providers'],
    answer: 'success',
    leastEvidence: 1,
    collect: keysOf,
    weigh: ({ chains }) => chains.length,
    conclude: judgeKeys,
  }),
];

function hasProviders(json: unknown): boolean {
  const data = member(json, 'data');
  return isObject(data) && Object.values(data).some((list) => listOf(list).length > 0);
}
