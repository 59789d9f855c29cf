import type { LoadJob } from '../../../load/engines/engine.ts';
import { type HalfUnderWay, startRounds } from '../../../load/run/load-rounds.ts';
import {
  type LoadEnded,
  type LoadRunOptions,
  type LoadUnderWay,
  startLoad,
} from '../../../load/run/run-load.ts';
import { progressLine } from '../../../reports/load-progress.ts';
import { controlOf } from './load-control.ts';
import { type EngineSetting, engineOf, type EngineWish } from './load-engine.ts';

/** Rounds of a load run beside a control. */
export interface RoundsWish {
  readonly count: number;
  /** Where the control listens. */
  readonly controlUrl: string;
}

/** What is sent, and by what. */
export interface SendingOptions extends Omit<LoadRunOptions, 'engine'> {
  readonly wish: EngineWish;
  readonly setting: EngineSetting;
  readonly rounds?: RoundsWish;
  /** On a clock that nobody sets. */
  readonly nowMs: () => number;
}

/** A load run under way, in rounds or not. */
export interface Sending {
  /** A line on how it goes just now, since the last look. */
  readonly look: () => string;
  readonly ended: Promise<LoadEnded>;
}

/** Starts to send what was prepared: once, or in rounds beside a control. */
export function startSending(options: SendingOptions): Sending {
  const { wish, setting, rounds, nowMs, ...run } = options;
  const { job } = run;
  if (rounds === undefined) {
    const under = startLoad({ ...run, engine: engineOf(wish, setting) });
    const beganMs = nowMs();
    return { look: () => lineOf(under, nowMs() - beganMs, job), ended: under.ended };
  }
  const under = startRounds({
    ...{ ...run, nowMs, rounds: rounds.count },
    engine: (round) => engineOf(wish, settingOfRound(setting, round)),
    control: controlOf(rounds.controlUrl, job),
  });
  return {
    look: () => {
      const half = under.half();
      if (half === undefined) return 'begins';
      return `${roundName(half, rounds.count)}  ${lineOf(half, nowMs() - half.beganMs, job)}`;
    },
    ended: under.ended,
  };
}

function roundName({ round, which }: HalfUnderWay, count: number): string {
  return `round ${round + 1}/${count} ${which.padEnd(7)}`;
}

function lineOf(
  { progress, judged }: Pick<LoadUnderWay, 'progress' | 'judged'>,
  elapsedMs: number,
  { scenario }: Pick<LoadJob, 'scenario'>,
): string {
  const looked = progress.look(elapsedMs);
  return progressLine(looked, scenario.steps[looked.step]?.name ?? '', judged());
}

/** A service that remembers Idempotency-Keys would answer a later round with what it said in the first. */
function settingOfRound(setting: EngineSetting, round: number): EngineSetting {
  const { outgoing } = setting;
  if (round === 0) return setting;
  return { ...setting, outgoing: { ...outgoing, run: `${outgoing.run ?? ''}/round ${round + 1}` } };
}
