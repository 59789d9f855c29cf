/** An edit of one file that breaks it, for unit specs to notice. */
export interface Mutation {
  /** From the root of the repository. */
  readonly file: string;
  /** The text to replace; the file holds it exactly once. */
  readonly from: string;
  readonly to: string;
  /** What is wrong with the program afterwards. */
  readonly breaks: string;
  /** The spec files that should notice, from the root of the repository. */
  readonly specs: readonly string[];
}

/** The edit of a mutation, without where it is made. */
export type Edit = readonly [from: string, to: string, breaks: string];

/** An edit that cannot be made, or a checkout that no edit can be tried in. */
export class MutationError extends Error {
  override readonly name = 'MutationError';
}

/** Mutations of one file that the same specs should notice. */
export function mutationsOf(
  file: string,
  specs: readonly string[],
  edits: readonly Edit[],
): Mutation[] {
  return edits.map(([from, to, breaks]) => ({ file, from, to, breaks, specs }));
}

/**
 * The text of a file with the edit made.
 *
 * @throws {MutationError} if the file does not hold the text of the edit exactly once
 */
export function mutated(text: string, { file, from, to }: Mutation): string {
  const parts = text.split(from);
  if (parts.length !== 2) {
    const times = parts.length - 1;
    throw new MutationError(`${file} holds this text ${times} times instead of once: ${from}`);
  }
  return parts.join(to);
}
