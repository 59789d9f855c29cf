import type { LiveJudge } from '../../../load/judging/live-judge.ts';
import { type HalfUnderWay, startRounds } from '../../../load/run/load-rounds.ts';
import type { RunDescription } from '../../../load/run/run-description.ts';
import { type LoadEnded, type LoadUnderWay, startLoad } from '../../../load/run/run-load.ts';
import { slotsBefore } from '../../../load/scenarios/schedule.ts';
import { progressLine } from '../../../reports/load-progress.ts';
import { controlOf } from './load-control.ts';

/** Rounds of a load run beside a control. */
export interface RoundsWish {
  readonly count: number;
  /** Where the control listens. */
  readonly controlUrl: string;
}

/** A load run under way, in rounds or not. */
export interface Sending {
  /** A line on how it goes just now, since the last look. */
  readonly look: () => string;
  readonly ended: Promise<LoadEnded>;
}

/** Starts to send what was prepared: once, or in rounds beside a control. */
export function startSending(
  run: RunDescription,
  judge: LiveJudge | undefined,
  rounds: RoundsWish | undefined,
): Sending {
  const { scenario, schedule } = run.job;
  let lookedMs = 0;
  const lineOf = ({ progress, judged, beganMs }: LoadUnderWay): string => {
    const nowMs = performance.now() - beganMs;
    // Each half of a round has a clock of its own.
    const sinceMs = lookedMs < nowMs ? lookedMs : 0;
    const looked = progress.look(nowMs);
    const due = slotsBefore(schedule, nowMs) - slotsBefore(schedule, sinceMs);
    lookedMs = nowMs;
    const row = {
      ...looked,
      offeredPerSecond: due / Math.max(1e-3, (nowMs - sinceMs) / 1000),
      secondsLeft: schedule.seconds - nowMs / 1000,
    };
    return progressLine(row, scenario.steps[looked.step]?.name ?? '', judged());
  };
  if (rounds === undefined) {
    const under = startLoad(run, judge);
    return { look: () => lineOf(under), ended: under.ended };
  }
  const { count, controlUrl } = rounds;
  const under = startRounds(run, { count, control: controlOf(controlUrl, run.job) }, judge);
  return {
    look: () => {
      const half = under.half();
      return half === undefined ? 'begins' : `${roundName(half, count)}  ${lineOf(half)}`;
    },
    ended: under.ended,
  };
}

function roundName({ round, which }: HalfUnderWay, count: number): string {
  return `round ${round + 1}/${count} ${which.padEnd(7)}`;
}
