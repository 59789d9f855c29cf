import { isObject } from '../wire/json.ts';

/** What of a marked value goes to the ledger. */
export type Seen = (typeof SEEN)[number];

const SEEN = [
  /** The value itself. */
  'values',
  /** The members of an object with their types. */
  'members',
  /** The same after the name of the value, which is given also if it has none. */
  'named members',
  /** The members of its members. */
  'inner members',
  /** The members that its schema does not state, with their types. */
  'other members',
  /** The names that no schema of the answer states, from the marked value down. */
  'other names',
  /** Which of the stated members are there, and the others with their types. */
  'given members',
  /** The types of the members that are stated without a type. */
  'open types',
] as const;

/** An `x-unspecified` mark that says what the ledger collects of what it leaves open. */
export interface Mark {
  /** Id of the ledger's row; several marks of one contract may fill the same. */
  readonly ledger: string;
  /** The unspecified clause with its section, as the ledger shows it. */
  readonly clause: string;
  readonly seen: Seen;
  /** Of each list and map on the way to the value only so many items are looked at. */
  readonly first: number;
  /** What stands before each text. */
  readonly before: string;
}

/** When a mark of a contract of Assay's own is not what {@link Mark} says. */
export class MarkError extends Error {
  override name = 'MarkError';
}

/**
 * The marks of a schema that collect something. One that is a text, or a list that holds texts, says
 * to readers alone what is left open.
 * @throws MarkError when one is neither a text nor a mark
 */
export function marksOf(schema: Readonly<Record<string, unknown>>): Mark[] {
  const stated = schema['x-unspecified'];
  if (stated === undefined) return [];
  return [stated].flat().flatMap((one: unknown) => (typeof one === 'string' ? [] : [markOf(one)]));
}

function markOf(stated: unknown): Mark {
  const { ledger, clause, seen, first = Infinity, before = '' } = isObject(stated) ? stated : {};
  const isMark =
    typeof ledger === 'string' &&
    typeof clause === 'string' &&
    SEEN.some((one) => one === seen) &&
    typeof first === 'number' &&
    typeof before === 'string';
  if (isMark) return { ledger, clause, seen: seen as Seen, first, before };
  throw new MarkError(
    `x-unspecified is neither a text nor { ledger, clause, seen: ${SEEN.join(' | ')} }: ${JSON.stringify(stated)}`,
  );
}
