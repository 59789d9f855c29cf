import type { Outcome } from '../../contracts/run/run.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';

/** The exit code for the outcome of a release. */
export const EXIT_OF: Readonly<Record<Outcome, ExitCode>> = {
  conforms: EXIT.conforms,
  'does-not-conform': EXIT.doesNotConform,
  undecided: EXIT.undecided,
};

/** What is said of a release, after its name. */
export const SAYS: Readonly<Record<Outcome, string>> = {
  conforms: 'conforms',
  'does-not-conform': 'does not conform',
  undecided: 'is incomplete',
};
