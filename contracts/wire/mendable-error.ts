/**
 * An error that a user can mend: its message says what went wrong, with which value, and what to do. All others are
 * faults of Assay.
 */
export class MendableError extends Error {
  /** What the process ends with: 2 wrong use, 3 undecided, 4 a record or a machine that is not fit. */
  readonly exitCode: 2 | 3 | 4 = 2;
}
