import type { LoadStepRow, RunLoad } from '../../contracts/run/load/load-run.ts';
import { omit } from '../../contracts/wire/json.ts';
import type { LoadEngine, LoadJob } from '../engines/engine.ts';
import { isChange } from '../../contracts/run/load/threshold.ts';
import { heldAgainst, measuredOf, worstOf } from '../thresholds.ts';
import { loadRoundOf, runRounds, type RoundOf } from '../trend/rounds.ts';
import { addedRounds } from './added-rounds.ts';
import { comparableRounds, countedRounds, leftOutNotices } from './fit-rounds.ts';
import { limiterMet } from '../limiter-met.ts';
import { judgeOfRound } from './round-judge.ts';
import { type LoadEnded, type LoadRunOptions, type LoadUnderWay, startLoad } from './run-load.ts';

/** What a load run in rounds is made from. */
export interface LoadRoundsOptions extends Omit<LoadRunOptions, 'engine' | 'part'> {
  /** From 1 to 50. */
  readonly rounds: number;
  /** What sends to the target in a round, from 0. */
  readonly engine: (round: number) => LoadEngine;
  /** What is sent to the control, at the times of the same schedule, and by what. */
  readonly control: Pick<LoadJob, 'requests' | 'choose' | 'scenario'> & {
    readonly engine: LoadEngine;
  };
  /** On a clock that nobody sets. */
  readonly nowMs: () => number;
}

/** One half of a round, under way. */
export interface HalfUnderWay extends LoadUnderWay {
  readonly which: RoundOf;
  /** From 0. */
  readonly round: number;
  /** When it began, on the clock of the options. */
  readonly beganMs: number;
}

/** A load run in rounds, under way. */
export interface RoundsUnderWay {
  /** The half that is under way. */
  readonly half: () => HalfUnderWay | undefined;
  readonly ended: Promise<LoadEnded>;
}

/**
 * Runs a schedule several times, each time beside the same one on a fixed control. What it gives is the
 * rounds of the target added up, also one that was cut short, as its answers were judged, but not those
 * that {@link countedRounds} leaves out; `rounds` holds those of which both halves are whole. Answers of the control are not judged, and not kept.
 */
export function startRounds(options: LoadRoundsOptions): RoundsUnderWay {
  const { job, judge, rounds, signal } = options;
  const { seconds, slots } = job.schedule;
  const targets: RunLoad[] = [];
  const notices: string[] = [];
  let half: HalfUnderWay | undefined;

  function startTarget(round: number): LoadUnderWay {
    const place = { round, slots, beganMs: 2000 * seconds * round };
    return startLoad({
      ...options,
      engine: options.engine(round),
      ...(judge === undefined ? {} : { judge: judgeOfRound(judge, place) }),
    });
  }

  function startControl(): LoadUnderWay {
    const { engine, ...own } = options.control;
    const { connections, isThrottled, waitIn, maxBodyBytes, schedule, timeoutMs } = job;
    const { machine, version } = options;
    return startLoad({
      job: { ...own, connections, isThrottled, waitIn, maxBodyBytes, schedule, timeoutMs },
      ...{ engine, version, signal, thresholds: [] },
      ...(machine === undefined ? {} : { machine }),
      keep: () => false,
      failsRun: () => false,
    });
  }

  async function runHalf(which: RoundOf, round: number): Promise<RunLoad> {
    const under = which === 'target' ? startTarget(round) : startControl();
    half = { ...under, which, round, beganMs: options.nowMs() };
    const { load, notices: reported } = await under.ended;
    if (which === 'target') {
      targets.push(load);
      notices.push(...reported);
    }
    return load;
  }

  async function run(): Promise<LoadEnded> {
    const done = await runRounds(rounds, runHalf, signal);
    // Ended before anything was sent: a round of nothing.
    if (targets.length === 0) await runHalf('target', 0);
    const found = await judge?.end();
    const { counted, leftOut } = countedRounds(targets);
    const { fit, left } = comparableRounds(done, counted);
    const [first] = counted;
    if (first === undefined) throw new Error('there is no round');
    const added = addedRounds(counted, seconds);
    const load: RunLoad = {
      ...omit(omit(first, 'invalidOnly'), 'limiter'),
      ...added,
      ...(found === undefined
        ? {}
        : {
            steps: added.steps.map((step, at) => withJudged(step, found.steps[at])),
            judged: found.judged,
            violations: found.violations,
          }),
      thresholds: [],
      rounds: fit.map(loadRoundOf),
      ...(leftOut.length === 0 ? {} : { leftOutRounds: leftOut }),
    };
    const measured = measuredOf(load, options.failsRun);
    return {
      load: {
        ...load,
        ...limiterMet(load, job.scenario, options.thresholds),
        thresholds: options.thresholds.map((one, at) =>
          isChange(one.metric)
            ? // Each round has its own parts.
              (worstOf(counted.flatMap(({ thresholds }) => thresholds[at] ?? [])) ??
              heldAgainst(one, measured))
            : heldAgainst(one, measured),
        ),
      },
      notices: [
        ...notices,
        ...leftOutNotices(leftOut, targets.length),
        ...left,
        ...(found?.notices ?? []),
      ],
    };
  }

  return { half: () => half, ended: run() };
}

function withJudged(
  step: LoadStepRow,
  found: { readonly judged: number; readonly broken: number } = { judged: 0, broken: 0 },
): LoadStepRow {
  return { ...step, judged: found.judged, violations: found.broken };
}
