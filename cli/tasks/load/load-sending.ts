import type { LiveJudge } from '../../../load/judging/live-judge.ts';
import { type HalfUnderWay, startRounds } from '../../../load/run/load-rounds.ts';
import type { RunDescription } from '../../../load/run/run-description.ts';
import { type LoadEnded, type LoadUnderWay, startLoad } from '../../../load/run/run-load.ts';
import { progressLine } from '../../../reports/terminal/load-progress.ts';
import { controlOf } from './load-control.ts';

/** Rounds of a load run beside a control. */
export interface RoundsWish {
  readonly count: number;
  /** Where the control listens. */
  readonly controlUrl: string;
}

/** A load run under way, in rounds or not. */
export interface Sending {
  /**
   * A line on how it goes just now, since the last look.
   *
   * @param room for so many characters
   */
  readonly look: (room: number) => string;
  /** Requests to the target that were due so far. */
  readonly offered: () => number;
  readonly ended: Promise<LoadEnded>;
}

/** Starts to send what was prepared: once, or in rounds beside a control. */
export function startSending(
  run: RunDescription,
  judge: LiveJudge | undefined,
  rounds: RoundsWish | undefined,
): Sending {
  if (rounds === undefined) {
    const under = startLoad(run, judge);
    const lineOf = liner(run.job, under);
    return { look: lineOf, offered: () => under.offered() ?? 0, ended: under.ended };
  }
  const { count, controlUrl } = rounds;
  const under = startRounds(run, { count, control: controlOf(controlUrl, run.job) }, judge);
  let shown: { readonly half: HalfUnderWay; readonly lineOf: Sending['look'] } | undefined;
  return {
    look: (room) => {
      const half = under.half();
      if (half === undefined) return 'begins';
      // Each half has a clock of its own.
      if (shown?.half !== half) shown = { half, lineOf: liner(run.job, half) };
      const name = `${roundName(half, count)}  `;
      return `${name}${shown.lineOf(room - name.length)}`;
    },
    offered: under.offered,
    ended: under.ended,
  };
}

/** Says in lines how a run goes, each since the one before. */
function liner(
  { scenario, schedule }: RunDescription['job'],
  under: LoadUnderWay,
): Sending['look'] {
  const isScheduled = scenario.pacer !== 'saturation';
  let [lookedMs, lookedOffered] = [0, 0];
  return (room) => {
    const nowMs = under.nowMs();
    if (nowMs === undefined) return 'the engine begins';
    const offered = under.offered() ?? 0;
    const seconds = Math.max(1e-3, (nowMs - lookedMs) / 1000);
    const looked = under.progress.look(nowMs);
    const offeredPerSecond = (offered - lookedOffered) / seconds;
    [lookedMs, lookedOffered] = [nowMs, offered];
    const row = {
      ...looked,
      ...(isScheduled
        ? { offeredPerSecond, secondsLeft: schedule.seconds - nowMs / 1000 }
        : { requestsLeft: schedule.slots - offered }),
    };
    const isWarmUp = nowMs < 1000 * (scenario.warmUpSeconds ?? 0);
    const step = isWarmUp ? 'warm-up' : (scenario.steps[looked.step]?.name ?? '');
    return progressLine(row, step, under.judged(), room);
  };
}

function roundName({ round, which }: HalfUnderWay, count: number): string {
  return `round ${round + 1}/${count} ${which.padEnd(7)}`;
}
