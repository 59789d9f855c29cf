import { isMeant, type RuleChoice } from '../rule-choice.ts';
import type { Reply } from './reply.ts';
import type { OperationReplies, ReplyCounts, ServiceReplies } from './service-replies.ts';
import type { RuleResult } from '../verdict.ts';

/**
 * Why an operation was never served, if all its answers say the same; else `mixed`. `pages` are web
 * pages where the contract states none.
 */
export type WhyUnserved = Exclude<Reply, 'served'> | 'pages' | 'mixed';

/** An operation that a drive asked by valid requests, and that never served. */
export interface Unserved {
  readonly operation: OperationReplies;
  readonly why: WhyUnserved;
}

/** Operations of which a run does not know whether they serve. */
export interface UnservedOperations {
  /** Those that were asked for all that they need: as long as there is one, nothing conforms. */
  readonly asked: readonly Unserved[];
  /**
   * Those that need something of which the target told none, such as the id of a thing: that it has
   * nothing of the kind is no fault.
   */
  readonly ofUnknownThings: readonly OperationReplies[];
}

/**
 * The operations that a drive asked, and that never served.
 *
 * An operation that was never asked is none of them. The drive says itself why it could not ask: that
 * no pool is listed, say, by which a run is undecided already.
 *
 * @param results those of the run; an operation that no rule of theirs names was not asked about
 * @param choice words of the user for what is judged and what is left out
 */
export function unservedOperations(
  { operations }: ServiceReplies,
  results: readonly RuleResult[],
  choice: Words,
): UnservedOperations {
  const named = operationsAskedAbout(results, choice);
  const open = operations.filter(
    ({ id, isServed, valid }) => !isServed && Object.keys(valid).length > 0 && named.has(id),
  );
  const isOfUnknown = ({ valid, ofUnknownThings }: OperationReplies): boolean =>
    ofUnknownThings > 0 && ofUnknownThings === total(valid) - (valid.throttled ?? 0);
  return {
    asked: open
      .filter((operation) => !isOfUnknown(operation))
      .map((operation) => ({ operation, why: whyOf(operation) })),
    ofUnknownThings: open.filter(isOfUnknown),
  };
}

type Words = Pick<RuleChoice, 'only' | 'skip'>;

/**
 * The operations that the rules of a run speak of by name. Of a rule that its user chose by operations
 * alone, those: of the others nothing was asked.
 */
function operationsAskedAbout(results: readonly RuleResult[], { only, skip }: Words): Set<string> {
  const named = results.flatMap(({ rule }) => {
    const { operations, level } = rule;
    if (operations === '*' || level === 'observe') return [];
    const words = only.filter((word) => isMeant(rule, word));
    const isByOperation = words.length > 0 && words.every((word) => operations.includes(word));
    return isByOperation ? words : operations;
  });
  return new Set(named.filter((id) => !skip.includes(id)));
}

function whyOf({ valid, pages }: OperationReplies): WhyUnserved {
  const kinds = Object.keys(valid).filter((one) => one !== 'throttled') as WhyUnserved[];
  const [first = 'throttled', ...others] = kinds;
  const isOfPages = (['served', 'refused'] as readonly string[]).includes(first);
  if (others.length === 0 && isOfPages && pages > 0 && pages >= (valid[first as Reply] ?? 0))
    return 'pages';
  return others.length === 0 ? first : 'mixed';
}

function total(counts: ReplyCounts): number {
  return Object.values(counts).reduce((sum, one) => sum + one, 0);
}
