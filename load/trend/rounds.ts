import type { LoadRound, RunLoad } from '../../contracts/run/load/load-run.ts';

/** Who answers in one half of a round. */
export type RoundOf = 'target' | 'control';

/** Of one run; flags ask for no more. */
export const MAX_ROUNDS = 50;

/** Both halves of one round. */
export interface Round<T> {
  readonly target: T;
  readonly control: T;
}

/**
 * Runs target and control in turns, so that both meet the same machine: target first in the first round,
 * control first in the second, and so on, as what slows a machine steadily would else always meet the
 * same one later. Half a round is none: what the signal cuts short is left out.
 *
 * @param rounds how many
 * @param runRound runs one half with the load of a whole scenario; `round` counts from 0
 * @param signal ends the night; the half that is under way is `runRound`'s to end
 * @throws what `runRound` throws
 */
export async function runRounds<T>(
  rounds: number,
  runRound: (which: RoundOf, round: number) => Promise<T>,
  signal: AbortSignal,
): Promise<readonly Round<T>[]> {
  const done: Round<T>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const order =
      round % 2 === 0 ? (['target', 'control'] as const) : (['control', 'target'] as const);
    const halves: Partial<Record<RoundOf, T>> = {};
    for (const which of order) {
      if (signal.aborted) return done;
      halves[which] = await runRound(which, round);
    }
    if (signal.aborted) return done;
    done.push(halves as Round<T>);
  }
  return done;
}

/** A round as a run record keeps it: of the target its operations too, of the control the whole. */
export function loadRoundOf({
  target,
  control,
}: Round<Pick<RunLoad, 'whole' | 'operations'>>): LoadRound {
  return {
    target: target.whole.latency,
    control: control.whole.latency,
    operations: Object.fromEntries(
      target.operations.map(({ operation, latency }) => [operation, latency]),
    ),
  };
}
