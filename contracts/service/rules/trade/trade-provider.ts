import { member } from '../../../wire/json.ts';
import type { Broken, Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { answeredIn, BUILD, buildOf } from '../readings/trade-build.ts';

/** A pair that was built by a provider. */
export interface Leg {
  readonly pair: string;
  readonly crosses: boolean;
  /** In base units, as it stands. */
  readonly amount: unknown;
  /** In lower case, as all that follows. */
  readonly asked: string;
  /** Of the pair as a whole. */
  readonly providers: readonly string[];
  /** Whoever has a part in it. */
  readonly names: readonly string[];
  readonly pointer: string;
}

/** Longer texts are no identifiers, and more pairs no batch. */
const MAX_CHARACTERS = 300;
const MAX_PAIRS = 100;

function namesIn(...values: readonly unknown[]): string[] {
  return values
    .filter((value): value is string => typeof value === 'string')
    .filter(({ length }) => length > 0 && length <= MAX_CHARACTERS)
    .map((name) => name.toLowerCase());
}

// Of a gasless build a solver may be named, who fills it.
export function legsOf(view: View): readonly Leg[] | null {
  const build = buildOf(view);
  if (build?.request.gasless !== false) return null;
  const legs = answeredIn(build)
    .slice(0, MAX_PAIRS)
    .flatMap(({ key, summary, entry, pointer }): Leg[] => {
      const [asked] = namesIn(entry.protocol);
      const { provider, additionalInfo } = summary;
      const bridge = member(additionalInfo, 'bridgeProvider');
      const providers = namesIn(provider, bridge);
      if (asked === undefined || providers.length === 0) return [];
      const crosses = entry.toChain !== build.request.fromChain;
      const names = [...providers, ...namesIn(member(additionalInfo, 'srcSwapProvider'))];
      const { amount } = entry;
      return [{ pair: key, crosses, amount, asked, providers, names, pointer }];
    });
  return legs.length === 0 ? null : legs;
}

export function isNamed({ names, asked }: Leg): boolean {
  return names.includes(asked);
}

/** Providers that a service names by the identifiers that they are asked for by. */
function knownNames(legs: readonly Leg[], crosses: boolean): ReadonlySet<string> {
  const reported = legs.filter((leg) => leg.crosses === crosses && isNamed(leg));
  return new Set(reported.map(({ asked }) => asked));
}

/** Of pairs on one chain, and of those that cross chains, the providers that were named as asked. */
type Known = Readonly<Record<'here' | 'across', ReadonlySet<string>>>;

// A DEX that is asked to cross chains, or a bridge to stay on one, cannot trade the pair as a whole. What
// becomes of such a request is open: another may do it, with or without the one that was asked for.
function brokenIn(leg: Leg, { here, across }: Known): Broken | undefined {
  if (isNamed(leg)) return undefined;
  const [known, others] = leg.crosses ? [across, here] : [here, across];
  if (others.has(leg.asked) && !known.has(leg.asked)) return undefined;
  const other = leg.providers.find((name) => known.has(name));
  if (other === undefined) return undefined;
  const expected = `${leg.asked}, the protocol that the entry asks for`;
  return { pointer: `${leg.pointer}/provider`, expected, actual: other };
}

// A name that stands for no provider that was ever asked for, such as that of the service, is no other
// provider. What names a provider in a summary is not stated. Evidence are pairs that two providers
// were asked for, of which a service of one opinion would have named one twice.
function conclude(facts: readonly Collected<readonly Leg[]>[]): GroupJudgement[] {
  const all = facts.flatMap(({ fact }) => fact);
  const known = { here: knownNames(all, false), across: knownNames(all, true) };
  const asked = new Map<string, Set<string>>();
  for (const leg of all.filter(isNamed)) {
    const names = asked.get(leg.pair) ?? new Set();
    asked.set(leg.pair, names.add(leg.asked));
  }
  return facts.map(({ fact: legs, witness }) => {
    const broken = legs.flatMap((leg) => brokenIn(leg, known) ?? []);
    const isEvidence = legs.some((leg) => isNamed(leg) && (asked.get(leg.pair)?.size ?? 0) > 1);
    return { witnesses: [witness], judgement: broken.length > 0 || isEvidence ? broken : null };
  });
}

/** §2.3: `protocol` of an entry is the identifier of a provider; §2.4: a summary names its provider. */
export const tradeProviderRule: Rule = runRule<readonly Leg[]>({
  id: 'trade.summary.provider-as-asked',
  level: 'must',
  source: 'implied by §2.3, §2.4 (loses money)',
  protects: 'A pair is traded by the provider that its entry asks for, not by another one.',
  rulesOut:
    'A service that ignores protocol: a pair is asked for by two, and each is named in turn.',
  api: 'trade',
  operations: BUILD,
  answer: 'success',
  leastEvidence: 1,
  weigh: (legs) => legs.length,
  collect: legsOf,
  conclude,
});
