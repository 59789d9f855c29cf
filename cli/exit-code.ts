import { MendableError } from '../contracts/wire/mendable-error.ts';
import { isAllKnown } from '../contracts/compare/known-findings.ts';
import type { RunJson } from '../contracts/run/run.ts';
import { wholeOutcome } from '../contracts/run/whole-outcome.ts';

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

/**
 * The exit code for what a run came to. A broken must is shown by exchanges that anybody can
 * judge again, so it counts also if Assay failed beside it.
 */
export function exitCodeOf(
  run: Pick<RunJson, 'outcome' | 'failure' | 'replayed' | 'load'> &
    Partial<Pick<RunJson, 'known' | 'rules' | 'choice' | 'isOpen'>>,
): ExitCode {
  const { failure, replayed } = run;
  const { outcome } = wholeOutcome(run);
  // What is known fails no run, and what else is open of it stays so.
  if (outcome === 'does-not-conform' && isAllKnown({ rules: [], ...run }))
    return run.isOpen === true ? EXIT.undecided : EXIT.conforms;
  if (outcome === 'does-not-conform') return EXIT.doesNotConform;
  if (failure !== undefined) return EXIT.failed;
  // A replay has done what it was for whether or not the finding showed again.
  if (replayed !== undefined && replayed.verdict !== 'unclear') return EXIT.conforms;
  return outcome === 'conforms' ? EXIT.conforms : EXIT.undecided;
}

/** Thrown when the command line asks for something that cannot be done; the message says what. */
export class UsageError extends MendableError {
  override readonly name = 'UsageError';
}

/** Thrown when the time of a run is over before it has begun. */
export class OutOfTime extends MendableError {
  override readonly name = 'OutOfTime';
  override readonly exitCode = 3;

  constructor() {
    super('the time of the run was over before anything was sent. --max-seconds allows more.');
  }
}
