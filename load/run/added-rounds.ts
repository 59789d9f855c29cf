import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import { type AddedRows, addedRows } from '../merge/rows.ts';
import { addedErrors } from '../samples/error-rows.ts';
import { total } from '../sums.ts';
import { togetherInvalid } from '../validity.ts';

/** What rounds of the same schedule, one after another, add up to. */
export type AddedRounds = AddedRows &
  Pick<RunLoad, 'moments' | 'errors' | 'invalid' | 'invalidOnly'>;

/**
 * Adds up rounds of one schedule: counts and histograms, from which percentiles are read. A step
 * lasts as long as it did in all rounds together, so that rates stay those of the schedule; moments
 * follow each other as the rounds did, without what was between them.
 *
 * @param rounds in their order, one at least
 * @param secondsEach length of the schedule
 */
export function addedRounds(rounds: readonly RunLoad[], secondsEach: number): AddedRounds {
  const { generator, ...rows } = addedRows(rounds, total);
  // What answers came late makes the last moments of a round, where the next one's would be.
  const beginsOf = (round: number): number => Math.ceil(secondsEach) * round;
  return {
    ...rows,
    moments: rounds.flatMap(({ moments }, round) =>
      moments.map((moment) => ({ ...moment, second: beginsOf(round) + moment.second })),
    ),
    ...addedErrors(rounds, beginsOf),
    generator,
    ...togetherInvalid(
      rounds.map(({ invalid, ...round }, at) => ({
        ...round,
        invalid: invalid.map((why) => (rounds.length === 1 ? why : `Round ${at + 1}: ${why}`)),
      })),
    ),
  };
}
