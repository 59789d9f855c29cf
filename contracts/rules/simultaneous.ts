import type { Broken, Collected, GroupJudgement, Rule } from '../judging/rule.ts';
import { runRule } from '../judging/rule.ts';
import { SIMULTANEOUS } from '../wire/exchange.ts';
import type { View } from '../judging/view.ts';

export { SIMULTANEOUS };

/** One thing by which an answer shows which of the two requests it is for. */
export interface Trait {
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
const MAX_SIGNS = 50;
const MAX_CHARACTERS = 300;

/** The trait of what was asked for and of what answered it, if both can be read; at most one. */
export function traitOf(
  name: string,
  pointer: string,
  asked: unknown,
  answered: readonly unknown[],
): Trait[] {
  const signs = answered.filter((sign): sign is string => typeof sign === 'string');
  const isReadable = typeof asked === 'string' && signs.length > 0 && signs.length <= MAX_SIGNS;
  if (!isReadable || [asked, ...signs].some((sign) => sign.length > MAX_CHARACTERS)) return [];
  return [{ name, pointer, asked, answered: signs }];
}

/** How an answer is that to the other request; null if the two do not differ in anything it shows. */
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

/**
 * The rule that of two different requests of the same moment none gets the answer of the other.
 *
 * @param traitsOf by what an answer shows which request it is for
 */
export function simultaneousRule(
  row: Pick<Rule, 'id' | 'source' | 'protects' | 'api' | 'operations'>,
  traitsOf: (view: View) => readonly Trait[],
): Rule {
  return runRule<Fact>({
    ...row,
    level: 'must',
    rulesOut: 'A service that keeps the request in hand if all requests of the moment see it.',
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
