import type { Broken, Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { listingOf } from '../readings/provider-listing.ts';
import { BUILD } from '../readings/trade-build.ts';
import type { Leg } from './trade-provider.ts';
import { isNamed, legsOf, tradeProviderRule } from './trade-provider.ts';

type Fact =
  | { readonly kind: 'listing'; readonly ids: ReadonlySet<string> }
  | { readonly kind: 'legs'; readonly legs: readonly Leg[] };

const PROVIDERS = 'zap.providers';

function collect(view: View): Fact | null {
  if (view.operation?.id === PROVIDERS) {
    const listing = listingOf(view.json);
    if (listing === null) return null;
    return { kind: 'listing', ids: new Set([...listing.keys()].map((id) => id.toLowerCase())) };
  }
  const legs = legsOf(view);
  return legs && { kind: 'legs', legs };
}

/** What is asked for again and again, by the same provider. */
function questionOf({ pair, asked, amount }: Leg): string {
  return `${pair} ${asked} ${String(amount)}`;
}

function brokenAt({ pointer, asked, providers }: Leg, why: string): Broken {
  const expected = `${asked}, the protocol that the entry asks for, ${why}`;
  return { pointer: `${pointer}/provider`, expected, actual: providers.join(', ') };
}

/** Fewer pairs are no sign that a service never names whom it is asked for. */
const LEAST_LEGS = 4;

/**
 * Whether a service always names some other listed provider: several ones, by the names that the
 * listing has for them. So it is neither the name of the service nor one that is shown to people.
 */
function namesOthers(legs: readonly Leg[], listed: ReadonlySet<string>): boolean {
  const named = new Set(legs.flatMap(({ providers }) => providers));
  const asked = new Set(legs.map((leg) => leg.asked));
  if (legs.length < LEAST_LEGS || named.size < 2 || asked.size < 2) return false;
  return !legs.some(isNamed) && [...named, ...asked].every((name) => listed.has(name));
}

// What names a provider in a summary is not stated. A service that names the one it was asked for names it
// each time that the same is asked. And who names providers of the listing names the one that it took.
function conclude(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  const listed = new Set(
    facts.flatMap(({ fact }) => (fact.kind === 'listing' ? [...fact.ids] : [])),
  );
  const all = facts.flatMap(({ fact }) => (fact.kind === 'legs' ? fact.legs : []));
  const never = namesOthers(all, listed);
  const named = new Set(all.filter(isNamed).map(questionOf));
  return facts.flatMap(({ fact, witness }): GroupJudgement[] => {
    if (fact.kind !== 'legs') return [];
    const broken = fact.legs.flatMap((leg): Broken[] => {
      if (isNamed(leg)) return [];
      if (never) return [brokenAt(leg, 'at least once')];
      return named.has(questionOf(leg)) ? [brokenAt(leg, 'as another time')] : [];
    });
    const isEvidence = fact.legs.some(isNamed);
    return broken.length > 0 || isEvidence ? [{ witnesses: [witness], judgement: broken }] : [];
  });
}

/** §2.3: `protocol` of an entry is the identifier of a provider; §2.4: a summary names its provider. */
const providerNamesRule: Rule = runRule<Fact>({
  id: 'trade.summary.provider-named-as-asked',
  level: 'should',
  source: 'implied by §2.3, §2.4',
  protects: 'A summary names the provider that its entry asks for.',
  rulesOut: 'A service that names whichever provider it likes: the one asked for is named.',
  api: 'trade',
  besides: ['zap'],
  operations: [...BUILD, PROVIDERS],
  answer: 'success',
  underLoad: 'not judged',
  leastEvidence: 1,
  weigh: (fact) => (fact.kind === 'legs' ? fact.legs.length * 4 : fact.ids.size),
  collect,
  conclude,
});

export const tradeProviderRules: readonly Rule[] = [tradeProviderRule, providerNamesRule];
