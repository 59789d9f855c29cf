import type { Clause } from '../../contracts/judging/clause.ts';
import { isCovered } from '../../contracts/judging/clause.ts';
import type { Observer } from '../../contracts/judging/ledger.ts';
import type { Rule } from '../../contracts/judging/rule.ts';
import type { PlantedFault } from '../../suites/self-test/tested-service.ts';

/** All that the registry is made of. */
export interface Registry {
  readonly clauses: readonly Clause[];
  readonly rules: readonly Pick<Rule, 'id' | 'level' | 'source' | 'rulesOut'>[];
  readonly observers: readonly Pick<Observer, 'id'>[];
  readonly faults: readonly PlantedFault[];
  readonly variants: readonly { readonly id: string }[];
}

/** Fewer faults than this do not show that a rule catches what it protects. */
const MIN_FAULTS = 2;

/**
 * What is wrong with the registry, in sentences. It is whole when every clause is covered, every rule
 * has a clause and its faults, and nothing names what is not there.
 *
 * @param today `YYYY-MM-DD`
 */
export function auditOf(registry: Registry, today: string): string[] {
  return [
    ...clauseProblems(registry, today),
    ...ruleProblems(registry),
    ...faultProblems(registry),
  ];
}

function clauseProblems({ clauses, rules, observers }: Registry, today: string): string[] {
  const ruleIds = new Set(idsOf(rules));
  const observerIds = new Set(idsOf(observers));
  return [
    ...repeated(idsOf(clauses)).map((id) => `the clause ${id} stands twice`),
    ...clauses.flatMap((clause) => {
      const { id, level, rules: judged = [], ledger = [], waiver } = clause;
      return [
        ...(isCovered(clause) ? [] : [`the clause ${id} has no rule, ledger entry or waiver`]),
        ...(level === 'observe' && judged.length > 0
          ? [`the clause ${id} is unspecified, and yet judged`]
          : []),
        ...(waiver !== undefined && waiver.expires < today
          ? [`the waiver of the clause ${id} expired on ${waiver.expires}`]
          : []),
        ...(waiver !== undefined && !isReasoned(waiver)
          ? [`the waiver of the clause ${id} needs a reason and a day`]
          : []),
        ...judged
          .filter((rule) => !ruleIds.has(rule))
          .map((rule) => `the clause ${id} names the rule ${rule}, which does not exist`),
        ...ledger
          .filter((observer) => !observerIds.has(observer))
          .map(
            (observer) => `the clause ${id} names the observer ${observer}, which does not exist`,
          ),
      ];
    }),
  ];
}

function isReasoned({ reason, expires }: NonNullable<Clause['waiver']>): boolean {
  return reason.trim().length >= 10 && /^\d{4}-\d{2}-\d{2}$/.test(expires);
}

function ruleProblems({ clauses, rules, observers, faults }: Registry): string[] {
  const judged = new Set(clauses.flatMap((clause) => clause.rules ?? []));
  const watched = new Set(clauses.flatMap(({ ledger }) => ledger ?? []));
  return [
    ...repeated([...idsOf(rules)]).map((id) => `the rule ${id} stands twice`),
    ...rules.flatMap(rowProblems),
    ...repeated([...idsOf(observers)]).map((id) => `the observer ${id} stands twice`),
    ...idsOf(rules)
      .filter((id) => !judged.has(id))
      .map((id) => `the rule ${id} has no clause`),
    ...idsOf(observers)
      .filter((id) => !watched.has(id))
      .map((id) => `the observer ${id} has no clause`),
    // What is only observed breaks nothing, so no fault can.
    ...idsOf(rules.filter(({ level }) => level !== 'observe')).flatMap((id) => {
      const own = faults.filter(({ breaks }) => breaks === id);
      if (own.length < MIN_FAULTS) return [`the rule ${id} has ${own.length} faults`];
      return own.some(({ subtle }) => subtle) ? [] : [`the rule ${id} has no subtle fault`];
    }),
  ];
}

/** What becomes of a client by the breach of a must that the document only implies. */
const CONSEQUENCE = /\((?:loses money|transaction fails|no service)\)$/;
/** A stated clause, and nothing else. */
const STATED = /^(?:card|contract|§\d+(?:\.\d+)*(?:, §\d+(?:\.\d+)*)*)$/;
/** Fewer characters state no wrong answer. */
const MIN_SENTENCE = 30;

function rowProblems({ id, level, source, rulesOut = '' }: Registry['rules'][number]): string[] {
  const hasConsequence = CONSEQUENCE.test(source);
  return [
    ...(rulesOut.length >= MIN_SENTENCE && rulesOut.endsWith('.')
      ? []
      : [`the rule ${id} does not state the wrong answer that its evidence rules out`]),
    ...(level === 'must' && !STATED.test(source) && !hasConsequence
      ? [`the rule ${id} is a must that is not stated, and does not say what becomes of a client`]
      : []),
    ...(level !== 'must' && hasConsequence
      ? [`the rule ${id} says what becomes of a client, and is no must`]
      : []),
  ];
}

function faultProblems({ rules, faults, variants }: Registry): string[] {
  const ruleIds = new Set(idsOf(rules));
  return [
    ...repeated([...idsOf(faults), ...idsOf(variants)]).map((id) => `the fault ${id} stands twice`),
    ...faults.flatMap(({ id, breaks, alsoBreaks = {} }) =>
      [breaks, ...Object.keys(alsoBreaks)]
        .filter((rule) => !ruleIds.has(rule))
        .map((rule) => `the fault ${id} breaks the rule ${rule}, which does not exist`),
    ),
  ];
}

function idsOf(things: readonly { readonly id: string }[]): string[] {
  return things.map(({ id }) => id);
}

function repeated(ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id, at) => ids.indexOf(id) !== at))];
}
