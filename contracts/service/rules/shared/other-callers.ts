import type { Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { isEvmAddress } from '../../../wire/addresses.ts';
import { listOf, member } from '../../../wire/json.ts';

/** The kind of relation of the same build for two callers, one after the other; a role is a caller. */
export const OTHER_CALLERS = 'other-callers';

interface Fact {
  readonly group: string;
  readonly caller: string;
  /** Hex digits of all addresses by which the caller is known. */
  readonly addresses: readonly string[];
  /** The answer in lower case, if it is served. */
  readonly text: string;
}

/** Longer answers are not searched. */
const MAX_CHARACTERS = 500_000;
const MAX_ENTRIES = 50;

/** Who asks and who is paid, in a zap or a trade. */
function addressesIn(request: unknown): string[] {
  const names = ['account', 'sender', 'refundee', 'recipient'] as const;
  const places = [request, ...listOf(member(request, 'data')).slice(0, MAX_ENTRIES)];
  return places
    .flatMap((place) => names.map((name) => member(place, name)))
    .filter(isEvmAddress)
    .map((address) => address.slice(2).toLowerCase());
}

function collect(view: View): Fact | null {
  const place = view.exchange.relations.find(({ kind }) => kind === OTHER_CALLERS);
  if (place === undefined || view.text.length > MAX_CHARACTERS) return null;
  const addresses = addressesIn(view.requestJson);
  const { group, role: caller } = place;
  return { group, caller, addresses, text: view.text.toLowerCase() };
}

// Each answer beside those that other callers had before: it holds nothing by which they are known.
function conclude(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  return facts.flatMap(({ fact, witness }, index): GroupJudgement[] => {
    const others = facts
      .slice(0, index)
      .filter((other) => other.fact.group === fact.group && other.fact.caller !== fact.caller);
    if (others.length === 0) return [];
    for (const other of others) {
      const found = other.fact.addresses.find(
        (digits) => !fact.addresses.includes(digits) && fact.text.includes(digits),
      );
      if (found === undefined) continue;
      const expected = 'an answer to this caller alone';
      const actual = `it holds 0x${found}, an address of the caller before`;
      const judgement = [{ pointer: '', expected, actual }];
      return [{ witnesses: [witness, other.witness], judgement }];
    }
    return [{ witnesses: [witness], judgement: [] }];
  });
}

/** The rule that an answer holds no address of another caller. */
export function otherCallersRule(api: 'zap' | 'trade', operation: string, section: string): Rule {
  return runRule<Fact>({
    id: `${operation}.names-no-other-caller`,
    level: 'must',
    source: `implied by ${section} (loses money)`,
    protects: 'What is built for one caller names no address of another.',
    rulesOut:
      'A service that finds earlier builds by the route alone, or keeps a caller for the next request: the same was built for another a moment ago.',
    api,
    operations: [operation],
    answer: 'success',
    relation: OTHER_CALLERS,
    leastEvidence: 1,
    weigh: ({ text, addresses }) => 1 + addresses.length + text.length / 25,
    collect,
    conclude,
  });
}
