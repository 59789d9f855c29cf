import { excerpt } from '../../../judging/excerpt.ts';
import type { Collected, GroupJudgement, Rule, Witness } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import type { Defective, InputFact, Plain, Taking } from './excluded-inputs.ts';
import { inputFactOf, takingOf } from './excluded-inputs.ts';

/** A request with a defect beside the one without. */
interface Case {
  readonly of: Defective;
  readonly taking: Taking;
  readonly witnesses: readonly Witness[];
}

/** What a rule says of one case: in what way it is broken, that it held, or nothing. */
type Verdict = { readonly broken: string } | 'held' | null;

type Row = Pick<
  Rule,
  'id' | 'level' | 'source' | 'protects' | 'rulesOut' | 'api' | 'operations' | 'leastEvidence'
>;

function collect(view: View): InputFact | null {
  const fact = inputFactOf(view);
  // What is answered by an error of the service has a rule of its own.
  return fact?.kind === 'defective' && fact.row === undefined ? null : fact;
}

function casesOf(facts: readonly Collected<InputFact>[]): Case[] {
  const plains = new Map<string, { readonly fact: Plain; readonly witness: Witness }>();
  for (const { fact, witness } of facts) {
    if (fact.kind === 'plain' && fact.served) plains.set(fact.group, { fact, witness });
  }
  return facts.flatMap(({ fact, witness }): Case[] => {
    if (fact.kind !== 'defective' || fact.field === undefined) return [];
    const plain = fact.group === undefined ? undefined : plains.get(fact.group);
    const witnesses = plain === undefined ? [witness] : [witness, plain.witness];
    return [{ of: fact, taking: takingOf(fact, plain?.fact, fact.field), witnesses }];
  });
}

const MAX_NAMED = 6;

// Broken cases stand at one place, the answer as a whole, so that each names all of them.
function conclude(
  facts: readonly Collected<InputFact>[],
  judge: (one: Case) => Verdict,
): GroupJudgement[] {
  const judged = casesOf(facts).flatMap((one) => {
    const verdict = judge(one);
    return verdict === null ? [] : [{ one, verdict }];
  });
  const ways = new Set(
    judged.flatMap(({ verdict }) => (verdict === 'held' ? [] : [verdict.broken])),
  );
  const more = ways.size > MAX_NAMED ? `; and ${ways.size - MAX_NAMED} more` : '';
  const actual = excerpt(`${[...ways].slice(0, MAX_NAMED).join('; ')}${more}`, 600);
  return judged.map(({ one, verdict }): GroupJudgement => {
    if (verdict === 'held') return { witnesses: one.witnesses, judgement: [] };
    const expected = `a refusal (4xx) of a request with ${nameOf(one)}`;
    return { witnesses: one.witnesses, judgement: [{ pointer: '', expected, actual }] };
  });
}

function nameOf({ of: attempt }: Case): string {
  return `${attempt.defect}${attempt.value === undefined ? '' : ` (${excerpt(JSON.stringify(attempt.value), 60)})`}`;
}

function rule(row: Row, judge: (one: Case) => Verdict): Rule {
  return runRule<InputFact>({
    ...row,
    answer: 'answered',
    collect,
    weigh: (fact) => (fact.kind === 'plain' ? 30 : 10),
    conclude: (facts) => conclude(facts, judge),
  });
}

/** Named by the defect, so that one finding can list several. */
function takenWith(one: Case, how: string): Verdict {
  return { broken: `${one.of.status} for ${nameOf(one)}, ${how}` };
}

/**
 * A refusal excludes a service that takes the input only if the same request is served without
 * it. So does a success that reads the input as what it says.
 */
function judgeGuess(one: Case): Verdict {
  const { of: attempt, taking } = one;
  if (taking.sense === 'open') return null;
  if (attempt.answer === 'refused') return taking.isPaired ? 'held' : null;
  if (attempt.answer !== 'taken') return null;
  if (taking.sense === 'guess') {
    const how =
      attempt.value === undefined ? 'something filled in for it' : 'something taken for it';
    return takenWith(one, how);
  }
  if (taking.difference !== undefined) return takenWith(one, `read as ${taking.difference}`);
  return taking.isPaired ? 'held' : null;
}

/** A value that is read as what it says, though in another type or form than the one stated. */
function judgeType(one: Case): Verdict {
  const { of: attempt, taking } = one;
  if (taking.sense !== 'exact') return null;
  if (attempt.answer === 'refused') return taking.isPaired ? 'held' : null;
  if (attempt.answer !== 'taken' || taking.difference !== undefined) return null;
  return takenWith(one, 'read as what it says');
}

/** Whether money goes where a field says, or a service made up what a request does not say at all. */
function isMoney({ of: { row, value } }: Case): boolean {
  return row?.money === true || (row?.madeUp === true && (value === undefined || value === null));
}

interface Inputs {
  readonly api: 'zap' | 'trade';
  readonly operations: readonly string[];
  readonly section: string;
  /** Of the rules, in their order. */
  readonly least: readonly [money: number, other: number, types: number];
}

/** The rules on what a zap or trade request must not hold. */
export function excludedInputRules({ api, operations, section, least }: Inputs): readonly Rule[] {
  const base = { api, operations };
  return [
    rule(
      {
        ...base,
        id: `${api}.requests.money-fields-are-not-guessed`,
        level: 'must',
        source: `implied by ${section} (loses money)`,
        protects:
          'Tokens, chains, amount, recipient, slippage and who asks are never guessed: a request that does not say them is refused.',
        rulesOut:
          'A service that fills in or makes up tokens, chains, amount, recipient, slippage or account: the request would be served, as it is with the field.',
        leastEvidence: least[0],
      },
      (one) => (isMoney(one) ? judgeGuess(one) : null),
    ),
    rule(
      {
        ...base,
        id: `${api}.requests.excluded-inputs-are-refused`,
        level: 'should',
        source: `implied by ${section}`,
        protects:
          'A request without a required field, or with a value there that cannot be meant, is refused.',
        rulesOut:
          'A service that does not look at a required field: it would serve the request without the field, as it does with it.',
        leastEvidence: least[1],
      },
      (one) => (isMoney(one) ? null : judgeGuess(one)),
    ),
    rule(
      {
        ...base,
        id: `${api}.requests.stated-types-are-asked-for`,
        level: 'should',
        source: `implied by ${section}`,
        protects:
          'A number in place of a text, or a text in place of a number, is reported as an error.',
        rulesOut:
          'A service that turns each value into the type it wants: it would serve the value in another type as it serves the stated one.',
        leastEvidence: least[2],
      },
      judgeType,
    ),
  ];
}

/** The rule that details are of a pool that was named. */
export const unnamedPoolRule: Rule = rule(
  {
    id: 'zap.pool-details.pool-is-not-guessed',
    api: 'zap',
    operations: ['zap.pool-details'],
    level: 'must',
    source: 'implied by §4.1 (loses money)',
    protects: 'Details are of a pool and a chain that were asked for: who names none is refused.',
    rulesOut:
      'A service that fills in a chain or a pool: the request would be served, as it is with the field.',
    leastEvidence: 2,
  },
  (one) => (isMoney(one) ? judgeGuess(one) : null),
);

/** The rule on what requests about pools must not hold. */
export const excludedListingInputs: Rule = rule(
  {
    id: 'zap.listings.excluded-inputs-are-refused',
    api: 'zap',
    operations: ['zap.pools', 'zap.pool-details'],
    level: 'should',
    source: 'implied by §4.1',
    protects:
      'A chain, a limit or a pool address that says nothing is refused, and not left aside.',
    rulesOut:
      'A service that leaves aside what it cannot read: it would answer with pools as if it had not been asked.',
    leastEvidence: 1,
  },
  (one) => (isMoney(one) ? null : judgeGuess(one)),
);
