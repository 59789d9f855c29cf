/** Files and folders that need each other, for now. These lists may only shrink. */

/** A knot that is known, and what holds it together. */
export interface KnownKnot {
  readonly why: string;
  readonly members: readonly string[];
}

export const KNOWN_FILES: readonly KnownKnot[] = [];

export const KNOWN_FOLDERS: readonly KnownKnot[] = [];
