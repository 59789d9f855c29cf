import type { Outcome } from '../contracts/run.ts';

/** Exit codes of the command line. */
export const EXIT = {
  conforms: 0,
  doesNotConform: 1,
  wrongUse: 2,
  undecided: 3,
  failed: 4,
} as const;

/** One of the exit codes. */
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The exit code that tells a run's outcome. */
export function exitCodeOf(outcome: Outcome): ExitCode {
  switch (outcome) {
    case 'conforms':
      return EXIT.conforms;
    case 'does-not-conform':
      return EXIT.doesNotConform;
    case 'undecided':
      return EXIT.undecided;
  }
}

/** Thrown when the command line asks for something that cannot be done; the message says what. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
