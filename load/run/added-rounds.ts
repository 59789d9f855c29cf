import type { LoadMoment, LoadStepRow, RunLoad } from '../../contracts/run/load/load-run.ts';
import { togetherInvalid } from '../validity.ts';
import { mergedGenerator } from '../merge/merge.ts';
import { mergedCells, mergedOperations, mergedRow, mergedStep, total } from '../merge/rows.ts';

/** What rounds of the same schedule, one after another, add up to. */
export type AddedRounds = Pick<
  RunLoad,
  'whole' | 'steps' | 'operations' | 'cells' | 'moments' | 'generator' | 'invalid' | 'invalidOnly'
>;

/**
 * Adds up rounds of one schedule: counts and histograms, from which percentiles are read. A step
 * lasts as long as it did in all rounds together, so that rates stay those of the schedule; moments
 * follow each other as the rounds did, without what was between them.
 *
 * @param rounds in their order, one at least
 * @param secondsEach length of the schedule
 */
export function addedRounds(rounds: readonly RunLoad[], secondsEach: number): AddedRounds {
  const mostSteps = Math.max(...rounds.map(({ steps }) => steps.length));
  return {
    whole: mergedRow(rounds.map(({ whole }) => whole)),
    steps: Array.from({ length: mostSteps }, (_, at) =>
      addedStep(rounds.flatMap(({ steps }) => steps[at] ?? [])),
    ).filter((step) => step !== undefined),
    operations: mergedOperations(rounds.map(({ operations }) => operations)),
    ...mergedCells(rounds),
    moments: followingMoments(
      rounds.map(({ moments }) => moments),
      secondsEach,
    ),
    generator: mergedGenerator(rounds.map(({ generator }) => generator)),
    ...togetherInvalid(
      rounds.map(({ invalid, ...round }, at) => ({
        ...round,
        invalid: invalid.map((why) => (rounds.length === 1 ? why : `Round ${at + 1}: ${why}`)),
      })),
    ),
  };
}

function addedStep(rows: readonly LoadStepRow[]): LoadStepRow | undefined {
  const step = mergedStep(rows);
  if (step === undefined) return undefined;
  const seconds = total(rows.map((row) => row.seconds));
  const { offered, served } = step.counts;
  return {
    ...step,
    seconds,
    offeredPerSecond: offered / seconds,
    admittedPerSecond: served / seconds,
  };
}

function followingMoments(
  rounds: readonly (readonly LoadMoment[])[],
  secondsEach: number,
): LoadMoment[] {
  return rounds.flatMap((moments, round) => {
    // What answers came late makes the last moments of a round, where the next one's would be.
    const begins = Math.ceil(secondsEach) * round;
    return moments.map((moment) => ({ ...moment, second: begins + moment.second }));
  });
}
