import type { Mutation } from './mutation.ts';
import type { SpecRun } from './spec-run.ts';

/** Of all mutations, at least this share is to be killed. */
export const MIN_KILLED_SHARE = 0.85;

/** A mutation, and how the specs went that should notice it. */
export interface Outcome {
  readonly mutation: Mutation;
  readonly run: SpecRun;
}

/** Whether the specs noticed it. */
export function isKilled({ run }: Outcome): boolean {
  return run.kind !== 'passed';
}

/** One line for a mutation that was tried. */
export function outcomeLine(outcome: Outcome): string {
  const { mutation, run } = outcome;
  const [test] = run.failed;
  const how =
    run.kind === 'passed'
      ? 'survived'
      : run.kind === 'endless'
        ? 'killed, since it did not come to an end'
        : `killed by "${test ?? 'a file that could not be loaded'}"`;
  return `${mutation.file}: ${mutation.breaks}: ${how}, ${run.seconds.toFixed(1)} s`;
}

/** What all of them come to: the survivors with their edits, then the score. */
export function summaryOf(outcomes: readonly Outcome[]): string {
  const survived = outcomes.filter((outcome) => !isKilled(outcome));
  const edits = survived.map(
    ({ mutation: { file, from, to, breaks, specs } }) =>
      `survived: ${file}: ${breaks}\n  - ${oneLine(from)}\n  + ${oneLine(to)}\n  ${specs.join(' ')}\n`,
  );
  const killed = outcomes.length - survived.length;
  const percent = Math.floor(1000 * shareKilled(outcomes)) / 10;
  return `${edits.join('')}${killed} of ${outcomes.length} mutations killed: ${percent} %\n`;
}

/** The share of them that was killed; 0 if none was tried. */
export function shareKilled(outcomes: readonly Outcome[]): number {
  return outcomes.length === 0 ? 0 : outcomes.filter(isKilled).length / outcomes.length;
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
