import type { Broken, Collected, GroupJudgement, Rule } from '../judging/rule.ts';
import { runRule } from '../judging/rule.ts';
import type { View } from '../judging/view.ts';
import { addressKey, isEvmAddress } from '../wire/addresses.ts';
import {
  BUILD,
  buildOf,
  evmTransactionOf,
} from '../service/rules/2-4-trade-build-response/trade-build.ts';
import { ROUTED, routeOf } from '../service/rules/2-2-zap-response/zap-route.ts';

/** The kind of relation of two different requests that are sent at the same moment. */
export const SIMULTANEOUS = 'simultaneous';

/** One thing by which an answer shows which of the two requests it is for. */
interface Trait {
  /** In words. */
  readonly name: string;
  readonly pointer: string;
  readonly asked: string;
  readonly answered: readonly string[];
}

interface Fact {
  readonly group: string;
  readonly traits: readonly Trait[];
}

/** A longer list or text is no sign of a request. */
const MOST_SIGNS = 50;
const MOST_CHARACTERS = 300;

function traitOf(
  name: string,
  pointer: string,
  asked: unknown,
  answered: readonly unknown[],
): Trait[] {
  const signs = answered.filter((sign): sign is string => typeof sign === 'string');
  const isReadable = typeof asked === 'string' && signs.length > 0 && signs.length <= MOST_SIGNS;
  if (!isReadable || [asked, ...signs].some((sign) => sign.length > MOST_CHARACTERS)) return [];
  return [{ name, pointer, asked, answered: signs }];
}

/** Source, destination and amount of a route. */
function traitsOfZap(view: View): Trait[] {
  const route = routeOf(view);
  const [first, last] = [route?.steps[0], route?.steps.at(-1)];
  if (route?.asked === undefined || first === undefined || last === undefined) return [];
  const { sourceKey, destKey, amount } = route.asked;
  const amounts = first.input.map((entry) => entry.amountText);
  return [
    ...traitOf(
      'source',
      '/data/path/0/input',
      sourceKey,
      first.input.map(({ key }) => key),
    ),
    ...traitOf('amount', '/data/path/0/input', amount?.toString(), amounts),
    // Of several outputs one may be what is left over, in a token that the other asks for.
    ...(last.output.length === 1
      ? traitOf(
          'destination',
          '/data/path',
          destKey,
          last.output.map(({ key }) => key),
        )
      : []),
  ];
}

/** Pair and sender of a build. */
function traitsOfTrade(view: View): Trait[] {
  const build = buildOf(view);
  if (build?.asked?.size !== 1) return [];
  const [pair] = build.asked.keys();
  const from = evmTransactionOf(view.json)?.from;
  const { sender } = build.request;
  return [
    ...traitOf('pair', '/quotes', pair, build.quotes?.map(({ key }) => key) ?? []),
    ...(isEvmAddress(from) && isEvmAddress(sender)
      ? traitOf('sender', '/transaction/from', addressKey(sender), [addressKey(from)])
      : []),
  ];
}

/** How an answer is that to the other request; null where the two do not differ in anything it shows. */
function mixedIn(own: Fact, other: Fact): readonly Broken[] | null {
  let differ = false;
  for (const { name, pointer, asked, answered } of own.traits) {
    const others = other.traits.find((trait) => trait.name === name);
    if (others === undefined || others.asked === asked) continue;
    differ = true;
    if (answered.includes(asked) || !answered.includes(others.asked)) continue;
    const expected = `the ${name} that was asked for, ${asked}`;
    const actual = `${others.asked}, that of another request, sent at the same moment`;
    return [{ pointer, expected, actual }];
  }
  return differ ? [] : null;
}

function conclude(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  const waiting = new Map<string, Collected<Fact>>();
  const groups: GroupJudgement[] = [];
  for (const one of facts) {
    const other = waiting.get(one.fact.group);
    if (other === undefined) {
      waiting.set(one.fact.group, one);
      continue;
    }
    const [first, second] = [mixedIn(one.fact, other.fact), mixedIn(other.fact, one.fact)];
    const isFirst = first !== null && first.length > 0;
    groups.push({
      witnesses: isFirst ? [one.witness, other.witness] : [other.witness, one.witness],
      judgement: isFirst ? first : second,
    });
  }
  return groups;
}

function simultaneousRule(
  row: Pick<Rule, 'id' | 'source' | 'protects' | 'api' | 'operations'>,
  traitsOf: (view: View) => readonly Trait[],
): Rule {
  return runRule<Fact>({
    ...row,
    level: 'must',
    rulesOut: 'A service that keeps the request in hand where all requests of the moment see it.',
    answer: 'success',
    relation: SIMULTANEOUS,
    leastEvidence: 1,
    weigh: ({ traits }) => 1 + traits.length,
    collect: (view) => {
      const place = view.exchange.relations.find(({ kind }) => kind === SIMULTANEOUS);
      const traits = place === undefined ? [] : traitsOf(view);
      return place === undefined || traits.length === 0 ? null : { group: place.group, traits };
    },
    conclude,
  });
}

// Sections 2.1 and 2.3: a request says what it wants, and section 1 that many clients are served. An
// answer with what a request of the same moment asked for, and not its own, is that one's.
export const zapSimultaneousRule: Rule = simultaneousRule(
  {
    id: 'zap.requests.answered-apart',
    source: 'implied by §2.1, §2.2 (loses money)',
    protects: 'Each of two clients that ask at the same moment gets the route that it asked for.',
    api: 'zap',
    operations: ROUTED,
  },
  traitsOfZap,
);

export const tradeSimultaneousRule: Rule = simultaneousRule(
  {
    id: 'trade.build-tx.answered-apart',
    source: 'implied by §2.3, §2.4 (loses money)',
    protects: 'Each of two clients that ask at the same moment gets the build that it asked for.',
    api: 'trade',
    operations: BUILD,
  },
  traitsOfTrade,
);
