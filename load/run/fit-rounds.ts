import { errorsOf } from '../../contracts/run/load/fates.ts';
import type { LeftOutRound, RunLoad } from '../../contracts/run/load/load-run.ts';
import type { Round } from '../trend/rounds.ts';
import { MAX_OFF } from '../validity.ts';

/** Fewer rounds say too little of a night. */
const MIN_ROUNDS = 3;

/**
 * Leaves out rounds in which the generator was late, if at least three others and more than half of
 * all are left: a machine that does something else for a minute need not cost the night. Where too few
 * are left all count, so that the night does not. What may be the doing of the service is never left
 * out: a round with errors or failures, or whose requests waited for the connections of others.
 *
 * @param rounds those of the target in their order
 */
export function countedRounds(rounds: readonly RunLoad[]): {
  readonly counted: readonly RunLoad[];
  readonly leftOut: readonly LeftOutRound[];
} {
  const isLeft = rounds.map(wasLate);
  const counted = rounds.filter((_, at) => isLeft[at] === false);
  const isEnough = counted.length >= MIN_ROUNDS && 2 * counted.length > rounds.length;
  if (!isEnough) return { counted: rounds, leftOut: [] };
  const leftOut = rounds.flatMap(({ invalid }, at) =>
    isLeft[at] === true ? [{ round: at + 1, invalid }] : [],
  );
  return { counted, leftOut };
}

/** Whether a round is invalid, and nothing but the machine can be the reason. */
function wasLate({ invalid, generator, whole: { counts } }: RunLoad): boolean {
  if (invalid.length === 0 || counts.sent === 0 || errorsOf(counts) > 0) return false;
  return generator.waitedAtCeiling <= MAX_OFF.waitedShare * counts.sent;
}

/** What is reported of rounds that were left out, a sentence each. */
export function leftOutNotices(leftOut: readonly LeftOutRound[], rounds: number): string[] {
  return leftOut.map(
    ({ round, invalid: [why = ''] }) =>
      `Round ${round} of ${rounds} is left out of all figures of load, and its answers are judged all the same: ${why}`,
  );
}

/** Rounds whose control shows how fast the machine was; a control that was held up shows nothing. */
export function comparableRounds(
  done: readonly Round<RunLoad>[],
  counted: readonly RunLoad[],
): { readonly fit: readonly Round<RunLoad>[]; readonly left: readonly string[] } {
  const fit: Round<RunLoad>[] = [];
  const left: string[] = [];
  for (const [at, round] of done.entries()) {
    if (!counted.includes(round.target)) continue;
    const why = unfitControl(round.control);
    if (why === undefined) fit.push(round);
    else left.push(`Round ${at + 1} is not compared, for its control: ${why}`);
  }
  return { fit, left };
}

function unfitControl({ invalid, whole: { counts } }: RunLoad): string | undefined {
  const unserved = counts.sent - counts.served;
  const words = `${unserved} of its ${counts.sent} requests were not served.`;
  return invalid[0] ?? (unserved === 0 ? undefined : words);
}
