import { isObject, listOf, member } from '../json.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../rule.ts';
import { runRule } from '../rule.ts';
import type { View } from '../view.ts';
import type { Route, Step } from './zap-route.ts';
import { isNativeKey, ROUTED, routeOf } from './zap-route.ts';

/** Types of the providers of a target, by their ids and chains. */
class Listing {
  readonly #typesById = new Map<string, Set<string>>();
  readonly #places = new Set<string>();

  add(chain: string, id: string, type: string): void {
    let types = this.#typesById.get(id);
    if (types === undefined) this.#typesById.set(id, (types = new Set()));
    types.add(type);
    this.#places.add(`${chain} ${id}`);
  }

  isListed(id: string, chains: readonly string[]): boolean {
    return chains.some((chain) => this.#places.has(`${chain} ${id}`));
  }

  /** Whether the provider is of this type wherever it is listed. */
  isOnly(type: string, id: string): boolean {
    const types = this.#typesById.get(id);
    return types?.size === 1 && types.has(type);
  }
}

/** A step by what the rules below compare. */
interface Leg {
  readonly index: number;
  readonly protocol: string;
  readonly isSwap: boolean;
  readonly crosses: boolean;
}

type Fact =
  | {
      readonly kind: 'listing';
      readonly providers: readonly (readonly [chain: string, id: string, type: string])[];
    }
  | {
      readonly kind: 'route';
      readonly chains: readonly string[];
      readonly legs: readonly Leg[];
      readonly dexes: readonly string[] | undefined;
      readonly bridges: readonly string[] | undefined;
    };

const PROVIDERS = 'zap.providers';
const FACT = Symbol('known names');

function collect(view: View): Fact | null {
  return view.memo(FACT, () =>
    view.operation?.id === PROVIDERS ? listingOf(view.json) : legsOf(routeOf(view)),
  );
}

function listingOf(json: unknown): Fact | null {
  const data = member(json, 'data');
  if (!isObject(data)) return null;
  const providers = Object.entries(data).flatMap(([chain, list]) =>
    listOf(list).flatMap((provider) => {
      const [id, type] = [member(provider, 'id'), member(provider, 'type')];
      return typeof id === 'string' ? [[chain, id, String(type)] as const] : [];
    }),
  );
  return { kind: 'listing', providers };
}

function legsOf(route: Route | null): Fact | null {
  if (route === null) return null;
  const chains = new Set<number>();
  const legs: Leg[] = [];
  for (const step of route.steps) {
    for (const { asset } of step.input) addChain(chains, asset?.chainId);
    for (const { asset } of step.output) addChain(chains, asset?.chainId);
    const { index, protocol, action } = step;
    if (protocol === undefined || wraps(step)) continue;
    legs.push({ index, protocol, isSwap: action === 'swap', crosses: crosses(step) });
  }
  const body = route.asked?.body;
  const dexes = idsOf(body?.allowedDexes);
  return {
    kind: 'route',
    chains: Array.from(chains, String),
    legs,
    dexes,
    bridges: idsOf(body?.allowedBridges),
  };
}

/** Ids that a route is restricted to; none at all may mean any, so it restricts nothing. */
function idsOf(allowed: unknown): readonly string[] | undefined {
  const ids = listOf(allowed).filter((id) => typeof id === 'string');
  return ids.length === 0 ? undefined : ids;
}

/** Whether a step but wraps or unwraps the native token, which takes no exchange. */
function wraps({ input, output }: Step): boolean {
  const [from, to] = [input[0], output[0]];
  if (from === undefined || to === undefined || from.amount !== to.amount) return false;
  return isNativeKey(from.key) || isNativeKey(to.key);
}

function addChain(chains: Set<number>, chainId: unknown): void {
  if (typeof chainId === 'number') chains.add(chainId);
}

function crosses({ input, output }: Step): boolean {
  const [from, to] = [input[0]?.asset?.chainId, output[0]?.asset?.chainId];
  return typeof from === 'number' && typeof to === 'number' && from !== to;
}

/** What is wrong with one route, given the listing; null when it shows nothing. */
type JudgeRoute = (
  route: Extract<Fact, { kind: 'route' }>,
  listing: Listing,
) => readonly Broken[] | null;

function concludeWith(judge: JudgeRoute): (facts: readonly Collected<Fact>[]) => GroupJudgement[] {
  return (facts) => {
    const listing = new Listing();
    let isKnown = false;
    for (const { fact } of facts) {
      if (fact.kind !== 'listing') continue;
      isKnown = true;
      for (const [chain, id, type] of fact.providers) listing.add(chain, id, type);
    }
    if (!isKnown) return [];
    return facts.flatMap(({ fact, witness }) =>
      fact.kind === 'route' ? [{ witnesses: [witness], judgement: judge(fact, listing) }] : [],
    );
  };
}

const base = {
  level: 'should',
  api: 'zap',
  operations: [...ROUTED, PROVIDERS],
  answer: 'success',
  leastEvidence: 1,
  collect,
} as const;

function brokenAt(index: number, expected: string, actual: string): Broken {
  return { pointer: `/data/path/${index}/protocol/id`, expected, actual };
}

// Sections 2.6 and 4.1: the providers are the DEXs and bridges routed through, by chain. What a route
// does besides, such as a deposit into a vault, may go over something that is neither.
const knownProtocols: JudgeRoute = ({ legs, chains }, listing) => {
  const exchanged = legs.filter(({ isSwap, crosses: far }) => isSwap || far);
  if (exchanged.length === 0) return null;
  return exchanged
    .filter(({ protocol }) => !listing.isListed(protocol, chains))
    .map(({ index, protocol }) =>
      brokenAt(index, `a provider listed for a chain of the route, ${chains.join(', ')}`, protocol),
    );
};

// Section 2.1: the allowed swap protocols, the allowed bridges. Which of the two a protocol is, the
// listing of providers tells; one that it does not name is the business of the rule above.
const withinDexes: JudgeRoute = ({ legs, dexes }, listing) => {
  if (dexes === undefined) return null;
  const swaps = legs.filter(({ isSwap, protocol }) => isSwap && listing.isOnly('dex', protocol));
  if (swaps.length === 0) return null;
  return swaps
    .filter(({ protocol }) => !dexes.includes(protocol))
    .map(({ index, protocol }) =>
      brokenAt(index, `one of allowedDexes, ${dexes.join(', ')}`, protocol),
    );
};

const withinBridges: JudgeRoute = ({ legs, bridges }, listing) => {
  if (bridges === undefined) return null;
  const crossings = legs.filter(({ protocol }) => listing.isOnly('bridge', protocol));
  if (crossings.length === 0) return null;
  return crossings
    .filter(({ protocol }) => !bridges.includes(protocol))
    .map(({ index, protocol }) =>
      brokenAt(index, `one of allowedBridges, ${bridges.join(', ')}`, protocol),
    );
};

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
    return isObject(data) ? { configured: true, ids: Object.keys(data) } : null;
  },
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
    conclude: concludeWith(knownProtocols),
  }),
  runRule<Fact>({
    ...base,
    id: 'zap.path.within-allowed-dexes',
    source: 'implied by §2.1',
    protects: 'A route that is restricted to some swap protocols swaps over no other.',
    conclude: concludeWith(withinDexes),
  }),
  runRule<Fact>({
    ...base,
    id: 'zap.path.within-allowed-bridges',
    source: 'implied by §2.1',
    protects: 'A route that is restricted to some bridges crosses over no other.',
    conclude: concludeWith(withinBridges),
  }),
  knownChains,
];
