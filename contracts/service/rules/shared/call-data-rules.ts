import type {
  Broken,
  Collected,
  GroupJudgement,
  Judgement,
  Rule,
  Witness,
} from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import type { ApiName } from '../../../wire/exchange.ts';
import type { Calls, Dependence } from './call-data.ts';
import { dependenceOf, digitsOf, spentOf } from './call-data.ts';

/** The kind of relation of builds of one request, in which one thing at a time is asked otherwise. */
export const CALL_DATA = 'call-data';

/** `A`: equal requests; `recipient`: with another one; `amount`: twice as much. */
export type CallDataRole = 'A' | 'recipient' | 'amount';

/** A build, and what it was asked with. */
export interface Built {
  readonly calls: Calls;
  readonly crosses: boolean;
  readonly recipient: string;
  /** Who asks: the account of a zap, the sender of a trade. */
  readonly account: string;
  readonly amount: bigint;
  /** Amounts of the answer that may stand in its call data besides. */
  readonly yields: readonly bigint[];
}

/** A build in its group. */
interface Fact extends Built {
  readonly group: string;
  readonly role: string;
}

/** How builds of an API are read, and how its rules are called. */
export interface BuildReading {
  readonly api: ApiName;
  readonly operations: readonly string[];
  /** What the rules' ids begin with. */
  readonly subject: string;
  readonly section: string;
  /** What a build's call data is called, in words. */
  readonly what: string;
  /** Where the first call's data stands in an answer. */
  readonly pointer: string;
  /** The word for who asks. */
  readonly asker: string;
  /** What a successful build is; null if it has no calls that can be read. */
  read(view: View): Built | null;
}

/**
 * What else a build was asked with, as it would stand in call data. A recipient may stand behind the number of an
 * order, across chains also if the account stands beside it, to whom a solver refunds.
 */
function knownOf({ crosses, account, recipient }: Fact, role: CallDataRole): string[] {
  if (role === 'amount') return [account, recipient].map(digitsOf);
  return crosses ? [] : [digitsOf(account)];
}

interface Group {
  readonly controls: readonly Collected<Fact>[];
  readonly changed: readonly Collected<Fact>[];
}

function groupsOf(facts: readonly Collected<Fact>[], role: CallDataRole): Group[] {
  const names = [...new Set(facts.map(({ fact }) => fact.group))];
  return names.map((name) => {
    const all = facts.filter(({ fact }) => fact.group === name);
    return {
      controls: all.filter(({ fact }) => fact.role === 'A'),
      changed: all.filter(({ fact }) => fact.role === role),
    };
  });
}

/** Whether builds of a group depend on what was asked otherwise. */
function followed({ controls, changed }: Group, role: CallDataRole): Dependence {
  const [first] = controls;
  if (first === undefined) return { why: 'no build was answered' };
  const known = knownOf(first.fact, role);
  const found = changed.map(({ fact }) =>
    dependenceOf(
      controls.map((control) => control.fact.calls),
      fact.calls,
      digitsOf(role === 'recipient' ? fact.recipient : fact.amount),
      known,
    ),
  );
  if (found.includes(true)) return true;
  return found.find((one) => one !== false) ?? found[0] ?? { why: 'the changed build was refused' };
}

type Wording = (a: Fact, b: Fact) => Omit<Broken, 'pointer'>;

function judged(
  group: Group,
  role: CallDataRole,
  pointer: string,
  wording: Wording,
): GroupJudgement {
  const [a, b] = [group.controls[0], group.changed[0]];
  const follows = followed(group, role);
  if (typeof follows === 'object') return { witnesses: [], judgement: null, ...follows };
  if (a === undefined || b === undefined) return { witnesses: [], judgement: null };
  const witnesses = [b.witness, ...group.controls.map(({ witness }) => witness)];
  const broken = follows ? [] : [{ pointer, ...wording(a.fact, b.fact) }];
  return { witnesses, judgement: broken };
}

/** What is spent of the amount of one build, by that of twice as much. */
function judgeSpent({ controls, changed }: Group, pointer: string): GroupJudgement {
  const [a, b] = [controls[0], changed[0]];
  let judgement: Judgement = null;
  const witnesses: Witness[] = [];
  if (a !== undefined && b !== undefined) {
    const { amount, calls, yields } = a.fact;
    const spent = spentOf([calls, b.fact.calls], amount, new Set(yields));
    if (spent !== undefined) {
      const expected = `the ${amount} that was asked for, or what fees leave of it`;
      judgement =
        spent === amount
          ? []
          : [
              {
                pointer,
                expected,
                actual: `${spent}, ${spent < amount ? 'a part of it' : 'more than that'}`,
              },
            ];
    }
    witnesses.push(a.witness, b.witness);
  }
  const why = 'no word of the call data follows the amount in a way that says what is spent';
  return { witnesses, judgement, ...(judgement === null ? { why } : {}) };
}

/** The rules on what the call data of an API's builds depends on. */
export function callDataRules(reading: BuildReading): Rule[] {
  const { api, operations, subject, section, what, pointer, asker } = reading;
  const base = {
    level: 'must',
    source: `implied by ${section} (loses money)`,
    api,
    operations,
    answer: 'success',
    relation: CALL_DATA,
    leastEvidence: 1,
    weigh: ({ calls }: Fact) => 4 + calls.data.length / 25,
    collect: (view: View): Fact | null => {
      const place = view.exchange.relations.find(({ kind }) => kind === CALL_DATA);
      const built = place === undefined ? null : reading.read(view);
      return place === undefined || built === null
        ? null
        : { ...built, group: place.group, role: place.role };
    },
  } as const;
  return [
    runRule<Fact>({
      ...base,
      id: `${subject}.recipient-in-call`,
      protects: `${what} pays the recipient that was asked for.`,
      rulesOut: `A service whose call data pays the ${asker}, or an account of its own: with another recipient, who is not the ${asker}, the call data is another.`,
      conclude: (facts) =>
        groupsOf(facts, 'recipient').map((group) =>
          judged(group, 'recipient', pointer, (a, b) => ({
            expected: `call data for the recipient ${b.recipient}`,
            actual: paidBy(a, b, asker),
          })),
        ),
    }),
    runRule<Fact>({
      ...base,
      id: `${subject}.amount-in-call`,
      protects: `${what} spends the amount that was asked for.`,
      rulesOut:
        'A service that builds for an amount of its own: with twice the amount the call data, or the value, is another.',
      conclude: (facts) =>
        groupsOf(facts, 'amount').map((group) =>
          judged(group, 'amount', pointer, (a, b) => ({
            expected: `call data, or a value, for the amount ${b.amount}`,
            actual: `what is built for the amount ${a.amount}`,
          })),
        ),
    }),
    runRule<Fact>({
      ...base,
      id: `${subject}.all-of-amount-in-call`,
      protects: `${what} spends all of the amount that was asked for, less fees.`,
      rulesOut:
        'A service that mistakes decimals if it builds: the amount stands in the call data, or words that double with it come to it.',
      conclude: (facts) => groupsOf(facts, 'amount').map((group) => judgeSpent(group, pointer)),
    }),
  ];
}

/** Whom a build pays that does not follow its recipient. */
function paidBy({ calls, recipient, account }: Fact, other: Fact, asker: string): string {
  const digits = digitsOf(account);
  const isOther = digits !== digitsOf(recipient) && digits !== digitsOf(other.recipient);
  const same = `what is built for ${recipient}`;
  if (!isOther || !calls.data.includes(digits) || calls.data.includes(digitsOf(recipient))) {
    return same;
  }
  return `${same}: it holds the ${asker} ${account}, to whom the money goes`;
}
