import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import { type AddedRows, addedRows } from '../merge/rows.ts';
import { total } from '../sums.ts';
import { togetherInvalid } from '../validity.ts';

/** What rounds of the same schedule, one after another, add up to. */
export type AddedRounds = AddedRows & Pick<RunLoad, 'moments' | 'invalid' | 'invalidOnly'>;

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
  return {
    ...rows,
    moments: rounds.flatMap(({ moments }, round) => {
      // What answers came late makes the last moments of a round, where the next one's would be.
      const begins = Math.ceil(secondsEach) * round;
      return moments.map((moment) => ({ ...moment, second: begins + moment.second }));
    }),
    generator,
    ...togetherInvalid(
      rounds.map(({ invalid, ...round }, at) => ({
        ...round,
        invalid: invalid.map((why) => (rounds.length === 1 ? why : `Round ${at + 1}: ${why}`)),
      })),
    ),
  };
}
