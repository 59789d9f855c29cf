import { isMeant, type RuleChoice } from '../rule-choice.ts';
import type { Reply } from './reply.ts';
import type {
  ApiReplies,
  OperationReplies,
  ReplyCounts,
  ServiceReplies,
} from './service-replies.ts';
import { isOfOne } from './standing.ts';
import { isCertain, type NotServed, type NotServedRow } from './since-served.ts';
import type { ApiName } from '../../wire/exchange.ts';
import type { RuleResult } from '../verdict.ts';

/** Why an operation was not served, if all its answers say the same; else `mixed`. */
export type WhyUnserved = NotServed | 'mixed';

/** An operation that a drive asked by valid requests, and that never served. */
export interface Unserved {
  readonly operation: OperationReplies;
  readonly why: WhyUnserved;
}

/** An API, or one operation of those that serve, that served nothing any more from some exchange on. */
export interface Stopped {
  readonly api: ApiName;
  readonly operation?: OperationReplies;
  readonly why: WhyUnserved;
  readonly row: NotServedRow;
}

/** An API, or one operation of those that served meanwhile, that gave errors alone for a while. */
export interface WereOut {
  readonly api: ApiName;
  readonly operation?: OperationReplies;
  readonly row: NotServedRow;
}

/** Operations of which a run does not know whether they serve. */
export interface UnservedOperations {
  /** Those that were asked for all that they need: as long as there is one, nothing conforms. */
  readonly asked: readonly Unserved[];
  /**
   * Those that need something that the target lists none of, such as the id of a thing. That it has
   * nothing of the kind is no fault.
   */
  readonly ofUnknownThings: readonly OperationReplies[];
  /** What was served before, and not any more at the end: as long as there is any, nothing conforms. */
  readonly stopped: readonly Stopped[];
  /** What gave errors alone for a while, and served afterwards: what was asked meanwhile is not known. */
  readonly wereOut: readonly WereOut[];
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
  { apis, operations }: ServiceReplies,
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
    ...stoppedOf(
      apis,
      operations.filter(({ id }) => named.has(id)),
    ),
  };
}

function stoppedOf(
  apis: readonly ApiReplies[],
  operations: readonly OperationReplies[],
): Pick<UnservedOperations, 'stopped' | 'wereOut'> {
  const asked = new Set(operations.map(({ api }) => api));
  // Of one operation it is known of that one.
  const hasOthers = ({ api }: ApiReplies, { operation }: NotServedRow): boolean =>
    isOfOne(api, operation, operations);
  const ofApis = apis.flatMap((one): Stopped[] => {
    const { api, sinceServed } = one;
    const { row } = sinceServed;
    if (!asked.has(api) || row === undefined || !isCertain(row) || hasOthers(one, row)) return [];
    return [{ api, row, why: whyOfRow(row) }];
  });
  const whole = new Set(ofApis.map(({ api }) => api));
  const ofOperations = operations.flatMap((operation): Stopped[] => {
    const { api } = operation;
    const { row } = operation.sinceServed;
    if (whole.has(api) || row === undefined || !isCertain(row)) return [];
    return [{ api, operation, row, why: whyOfRow(row) }];
  });
  const stopped = [...ofApis, ...ofOperations];
  const isStopped = (api: ApiName): boolean => stopped.some((one) => one.api === api);
  const apisOut = apis.flatMap((one): WereOut[] => {
    const { api, sinceServed } = one;
    const { longestOutage: row } = sinceServed;
    if (row === undefined || !asked.has(api) || isStopped(api) || hasOthers(one, row)) return [];
    return [{ api, row }];
  });
  const out = new Set(apisOut.map(({ api }) => api));
  const operationsOut = operations.flatMap((operation): WereOut[] => {
    const { api, sinceServed } = operation;
    const { longestOutage: row } = sinceServed;
    return row === undefined || out.has(api) || isStopped(api) ? [] : [{ api, operation, row }];
  });
  const wereOut = [...apisOut, ...operationsOut];
  return { stopped, wereOut };
}

function whyOfRow({ replies }: NotServedRow): WhyUnserved {
  const [first = 'mixed', ...others] = Object.keys(replies) as WhyUnserved[];
  return others.length === 0 ? first : 'mixed';
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

/** How many replies were counted. */
export function total(counts: ReplyCounts): number {
  return Object.values(counts).reduce((sum, one) => sum + one, 0);
}
