import { worstFirst } from '../../contracts/release/release-runs.ts';
import type { Release } from '../../contracts/release/release.ts';
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

/**
 * Other runs of the build that lay beside those of a release, the ones that do not conform first.
 *
 * @param before what stands before each
 * @param most more are counted
 */
export function otherRunLines(
  { others = [], unread = [] }: Pick<Release, 'others' | 'unread'>,
  before: string,
  most: number,
): string[] {
  const more = others.length - most;
  return [
    ...worstFirst(others)
      .slice(0, most)
      .map(
        ({ folder, kind, outcome, startedAt }) =>
          `${before}, of the same build: ${folder} (${kind} of ${startedAt}): ${SAYS[outcome]}`,
      ),
    ...unread
      .slice(0, most)
      .map((folder) => `${before}, with an outcome that is not known: ${folder}`),
    ...(more > 0
      ? [`${before}, of the same build: and ${more} more, none of a worse outcome`]
      : []),
  ];
}
