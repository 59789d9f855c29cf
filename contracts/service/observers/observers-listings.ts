import { isObject, listOf, member } from '../../wire/json.ts';
import type { Observer } from '../../judging/ledger.ts';
import { membersOf } from '../../observing/collect.ts';
import { fieldDefectOutcome, outcomeOf, probeOutcome } from './outcomes.ts';
import { poolsOf } from '../rules/readings/pool-list.ts';
import type { View } from '../../judging/view.ts';

/** This many pools or chains of an answer are looked at: the others are written by the same code. */
const SAMPLED = 5;

const STATED_PROVIDER: ReadonlySet<string> = new Set(['id', 'name', 'type', 'logo']);

/** What a limit that is not from 1 to 200 came to. */
function oddLimit(view: View): readonly string[] {
  const limit = view.query.get('limit');
  if (limit === null || /^(?:[1-9]\d?|1\d\d|200)$/.test(limit)) return [];
  const pools = poolsOf(view.json);
  if (!view.succeeded || pools === undefined) return [`${limit}: ${outcomeOf(view)}`];
  return [`${limit}: ${pools.length} pools`];
}

function inOrder(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || value <= (values[index - 1] ?? value));
}

function orderOf({ json }: View): readonly string[] {
  const pools = poolsOf(json) ?? [];
  if (pools.length < 3) return [];
  const tvls = pools.map((pool) => Number(member(pool, 'tvl')));
  const addresses = pools.map((pool) => String(member(pool, 'address')));
  if (!tvls.some(Number.isNaN) && inOrder(tvls)) return ['by tvl, falling'];
  const sorted = [...addresses].sort().every((address, index) => address === addresses[index]);
  return [sorted ? 'by address' : 'another'];
}

/** How two spellings of a provider's types stand: one that is both a dex and a bridge. */
function twoTypes({ json }: View): readonly string[] {
  const data = member(json, 'data');
  if (!isObject(data)) return [];
  const types = new Map<string, unknown>();
  let both = false;
  for (const chain of Object.keys(data)) {
    for (const provider of listOf(data[chain])) {
      const [id, type] = [member(provider, 'id'), member(provider, 'type')];
      if (typeof id !== 'string') continue;
      if (types.has(id) && types.get(id) !== type) both = true;
      types.set(id, type);
    }
  }
  return types.size === 0 ? [] : [both ? 'some are both' : 'each is one of the two'];
}

function chainsOf({ json }: View): readonly unknown[] {
  const data = member(json, 'data');
  return isObject(data) ? Object.values(data).slice(0, SAMPLED) : [];
}

const pools = { api: 'zap', operations: ['zap.pools'] } as const;

/** Watches what sections 2.5, 2.6, 4.1 and 8 leave open about lists and configuration. */
export const LISTING_OBSERVERS: readonly Observer[] = [
  {
    ...pools,
    answer: 'success',
    id: 'zap.pools.order',
    clause: '§4.1 the order of pools',
    observe: orderOf,
  },
  {
    ...pools,
    answer: 'answered',
    id: 'zap.pools.odd-limits',
    clause: '§8 a limit that is below 1, above 200 or no number',
    observe: oddLimit,
  },
  {
    ...pools,
    answer: 'answered',
    id: 'zap.pools.unknown-filters',
    clause: '§4.1 a filter by what does not exist, and an unknown parameter',
    observe: (view) => {
      const [outcome] = probeOutcome(/^unknown /)(view);
      if (outcome === undefined) return [];
      const count = poolsOf(view.json)?.length;
      return [count === undefined ? outcome : `${outcome}, ${count === 0 ? 'no' : 'some'} pools`];
    },
  },
  {
    api: 'zap',
    operations: ['zap.pools', 'zap.pool-details'],
    answer: 'answered',
    id: 'zap.listings.invalid-fields',
    clause: '§4.1 what becomes of a parameter or field that is missing or of another type',
    observe: fieldDefectOutcome,
  },
  {
    api: 'zap',
    operations: ['zap.providers'],
    answer: 'success',
    id: 'zap.providers.other-fields',
    clause: '§2.6 fields of a provider beyond those stated, and providers that are of both types',
    observe: (view) => [
      ...chainsOf(view).flatMap((list) =>
        listOf(list)
          .slice(0, SAMPLED)
          .flatMap((provider) => membersOf(provider, STATED_PROVIDER)),
      ),
      ...twoTypes(view),
    ],
  },
];
