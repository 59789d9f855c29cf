/** Long because its rules hold routes against the same facts of what is listed. */

import { isObject, listOf, member } from '../../../../wire/json.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../../../../judging/rule.ts';
import { runRule } from '../../../../judging/rule.ts';
import type { View } from '../../../../judging/view.ts';
import { memoOf } from '../../../../judging/view.ts';
import type { Route, Step } from '../../readings/zap-route.ts';
import type { Listing } from '../../readings/provider-listing.ts';
import { isListed, isOnly, listingOf } from '../../readings/provider-listing.ts';
import { ROUTED, routeOf } from '../../readings/zap-route.ts';
import { wraps } from './zap-wrap.ts';

/** A step by what the rules below compare. */
interface Leg {
  readonly index: number;
  readonly protocol: string;
  readonly isSwap: boolean;
  readonly crosses: boolean;
  /** The chains of its own assets. */
  readonly chains: readonly string[];
}

type Fact =
  | {
      readonly kind: 'listing';
      readonly listing: Listing;
    }
  | {
      readonly kind: 'route';
      readonly chains: readonly string[];
      readonly legs: readonly Leg[];
      readonly dexes: readonly string[] | undefined;
      readonly bridges: readonly string[] | undefined;
      /** Source and destination that were asked for. */
      readonly way: string;
    };

const PROVIDERS = 'zap.providers';
const FACT = memoOf((view) =>
  view.operation?.id === PROVIDERS ? listingFactOf(view.json) : legsOf(routeOf(view)),
);

function collect(view: View): Fact | null {
  return view.get(FACT);
}

function listingFactOf(json: unknown): Fact | null {
  const listing = listingOf(json);
  return listing && { kind: 'listing', listing };
}

/** More chains are no route. */
const MAX_CHAINS = 200;
/** Longer texts are no names. */
const MAX_CHARACTERS = 300;

function weightOf(fact: Fact): number {
  if (fact.kind === 'listing') return fact.listing.size;
  return fact.legs.reduce((weight, leg) => weight + 1 + leg.chains.length, fact.chains.length);
}

function legsOf(route: Route | null): Fact | null {
  if (route === null || route.steps.length === 0) return null;
  const chains = new Set<number>();
  const legs: Leg[] = [];
  for (const step of route.steps) {
    const own = new Set<number>();
    for (const { asset } of step.input) addChain(own, asset?.chainId);
    for (const { asset } of step.output) addChain(own, asset?.chainId);
    for (const chain of own) chains.add(chain);
    const { index, protocol, action } = step;
    if (protocol === undefined || protocol.length > MAX_CHARACTERS) continue;
    if (wraps(step, route.asked)) continue;
    const isSwap = action === 'swap';
    const on = own.size > MAX_CHAINS ? [] : Array.from(own, String);
    legs.push({ index, protocol, isSwap, crosses: crosses(step), chains: on });
  }
  if (chains.size > MAX_CHAINS) return null;
  const body = route.asked?.body;
  const dexes = idsOf(body?.allowedDexes);
  return {
    kind: 'route',
    chains: Array.from(chains, String),
    legs,
    dexes,
    bridges: idsOf(body?.allowedBridges),
    way: `${route.asked?.sourceKey} ${route.asked?.destKey}`,
  };
}

/** Ids that a route is restricted to; none at all may mean any, so it restricts nothing. */
function idsOf(allowed: unknown): readonly string[] | undefined {
  if (allowed === undefined) return undefined;
  const ids = listOf(allowed).filter((id) => typeof id === 'string');
  return ids.length === 0 ? undefined : ids;
}

function addChain(chains: Set<number>, chainId: unknown): void {
  if (typeof chainId === 'number') chains.add(chainId);
}

function crosses({ input, output }: Step): boolean {
  const from = input[0]?.asset?.chainId;
  const to = output[0]?.asset?.chainId;
  return typeof from === 'number' && typeof to === 'number' && from !== to;
}

type RouteFact = Extract<Fact, { kind: 'route' }>;

/** What is wrong with one route, given the listing; null when it shows nothing. */
type JudgeRoute = (
  route: RouteFact,
  listings: readonly Listing[],
  takenOf: TakenOf,
) => readonly Broken[] | null;

/** What routes of the same way took that were not restricted at all. */
type TakenOf = (way: string) => ReadonlySet<string>;

const NONE: ReadonlySet<string> = new Set();

function freelyTaken(facts: readonly Collected<Fact>[]): TakenOf {
  const taken = new Map<string, Set<string>>();
  for (const { fact } of facts) {
    if (fact.kind === 'listing' || fact.dexes !== undefined || fact.bridges !== undefined) continue;
    const known = taken.get(fact.way) ?? new Set();
    for (const { protocol } of fact.legs) known.add(protocol);
    taken.set(fact.way, known);
  }
  return (way) => taken.get(way) ?? NONE;
}

function concludeWith(judge: JudgeRoute): (facts: readonly Collected<Fact>[]) => GroupJudgement[] {
  return (facts) => {
    const listings = facts.flatMap(({ fact }) => (fact.kind === 'listing' ? [fact.listing] : []));
    if (listings.length === 0) return [];
    const groups: GroupJudgement[] = [];
    const takenOf = freelyTaken(facts);
    for (const { fact, witness } of facts) {
      const judgement = fact.kind === 'route' ? judge(fact, listings, takenOf) : null;
      if (judgement !== null) groups.push({ witnesses: [witness], judgement });
    }
    return groups;
  };
}

const base = {
  level: 'should',
  api: 'zap',
  operations: [...ROUTED, PROVIDERS],
  answer: 'success',
  leastEvidence: 1,
  collect,
  weigh: weightOf,
} as const;

function brokenAt(index: number, expected: string, actual: string): Broken {
  return { pointer: `/data/path/${index}/protocol/id`, expected, actual };
}

// Sections 2.6 and 4.1: the providers are the DEXs and bridges routed through, by chain. What a route
// does besides, such as a deposit into a vault, may go over something that is neither. A provider of
// another chain of the route is none of a step that stays on its own.
const knownProtocols: JudgeRoute = ({ legs, chains }, listings) => {
  let broken: Broken[] | null = null;
  for (const { index, isSwap, crosses: far, protocol, chains: own } of legs) {
    if (!isSwap && !far) continue;
    broken ??= [];
    const on = own.length === 0 ? chains : own;
    if (isListed(listings, protocol, on)) continue;
    const expected = `a provider listed for chain ${on.join(' or ')}`;
    broken.push(brokenAt(index, expected, protocol));
  }
  return broken;
};

// Section 2.1: the allowed swap protocols, the allowed bridges. Which of the two a protocol is, the
// listing of providers says; one that it does not name is the business of the rule above.
// Evidence is what a service that ignores the restriction would have answered differently: a route whose
// way was taken over something else, when that was allowed.
function within(field: 'allowedDexes' | 'allowedBridges'): JudgeRoute {
  const [by, type] =
    field === 'allowedDexes' ? (['dexes', 'dex'] as const) : (['bridges', 'bridge'] as const);
  return (route, listings, takenOf) => {
    const ids = route[by];
    if (ids === undefined) return null;
    const concerned = route.legs.filter(
      ({ isSwap, protocol }) => (isSwap || type === 'bridge') && isOnly(listings, type, protocol),
    );
    const allowed = new Set(ids);
    const broken = concerned
      .filter(({ protocol }) => !allowed.has(protocol))
      .map(({ index, protocol }) =>
        brokenAt(index, `one of ${field}, ${ids.join(', ')}`, protocol),
      );
    if (broken.length > 0) return broken;
    const isLeftOut = (id: string): boolean => !allowed.has(id) && isOnly(listings, type, id);
    return concerned.length > 0 && [...takenOf(route.way)].some(isLeftOut) ? [] : null;
  };
}

/** A configuration of more chains is not compared with anything. */
const MAX_CONFIGURED = 10_000;

interface Chains {
  readonly configured: boolean;
  readonly ids: readonly string[];
}

// Sections 1 and 4.1: the chains that the service knows are those of its configuration.
const knownChains: Rule = runRule<Chains>({
  id: 'zap.path.known-chains',
  level: 'should',
  source: 'implied by §1, §2.6, §4.1',
  protects: 'A route stays on chains that the configuration lists.',
  rulesOut:
    'A service that routes over chains which it does not configure: the route states its chains, and the configuration is known.',
  api: 'zap',
  operations: [...ROUTED, 'zap.chains'],
  answer: 'success',
  leastEvidence: 1,
  collect: (view) => {
    if (view.operation?.id !== 'zap.chains') {
      const fact = collect(view);
      return fact?.kind === 'route' ? { configured: false, ids: fact.chains } : null;
    }
    const data = member(view.json, 'data');
    const ids = isObject(data) ? Object.keys(data) : null;
    return ids === null || ids.length > MAX_CONFIGURED ? null : { configured: true, ids };
  },
  weigh: ({ ids }) => ids.length,
  conclude: (facts) => {
    const configured = facts.filter(({ fact }) => fact.configured);
    if (configured.length === 0) return [];
    const known = new Set(configured.flatMap(({ fact }) => fact.ids));
    return facts
      .filter(({ fact }) => !fact.configured)
      .map(({ fact, witness }) => ({
        witnesses: [witness],
        judgement: fact.ids
          .filter((id) => !known.has(id))
          .map((id) => ({
            pointer: '/data/path',
            expected: 'assets on chains of GET /v1/config/chains',
            actual: `an asset on chain ${id}`,
          })),
      }));
  },
});

export const knownNameRules: readonly Rule[] = [
  runRule<Fact>({
    ...base,
    id: 'zap.path.known-protocols',
    source: 'implied by §2.6, §4.1',
    protects: 'Swaps and crossings go over providers that the configuration lists.',
    rulesOut:
      'A service that routes over providers that it does not list, or lists on another chain only: the route swaps or crosses, and the listing is known.',
    conclude: concludeWith(knownProtocols),
  }),
  runRule<Fact>({
    ...base,
    id: 'zap.path.within-allowed-dexes',
    level: 'must',
    source: '§2.1',
    protects: 'A route that is restricted to some swap protocols swaps over no other.',
    rulesOut: 'A service that ignores allowedDexes: it took another before, which is left out now.',
    conclude: concludeWith(within('allowedDexes')),
  }),
  runRule<Fact>({
    ...base,
    id: 'zap.path.within-allowed-bridges',
    level: 'must',
    source: '§2.1',
    protects: 'A route that is restricted to some bridges crosses over no other.',
    rulesOut:
      'A service that ignores allowedBridges: it took another before, which is left out now.',
    conclude: concludeWith(within('allowedBridges')),
  }),
  knownChains,
];
