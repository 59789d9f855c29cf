import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import { given, omit } from '../../contracts/wire/json.ts';
import type { LiveJudge, LiveJudged } from '../judging/live-judge.ts';
import { isChange } from '../../contracts/run/load/threshold.ts';
import { withNeverServed } from '../never-served.ts';
import { heldAgainst, measuredOf, worstOf } from '../thresholds.ts';
import { loadRoundOf, runRounds, type RoundOf } from '../trend/rounds.ts';
import { addedRounds } from './added-rounds.ts';
import { comparableRounds, countedRounds, leftOutNotices } from './fit-rounds.ts';
import { limiterMet } from '../limiter-met.ts';
import { total } from '../sums.ts';
import type { RoundsDescription, RunDescription } from './run-description.ts';
import { type LoadEnded, type LoadUnderWay, startLoad, withJudged } from './run-load.ts';

/** One half of a round, under way. */
export interface HalfUnderWay extends LoadUnderWay {
  readonly which: RoundOf;
  /** From 0. */
  readonly round: number;
}

/** A load run in rounds, under way. */
export interface RoundsUnderWay {
  /** The half that is under way. */
  readonly half: () => HalfUnderWay | undefined;
  /** Requests to the target that were due so far, of all rounds. */
  readonly offered: () => number;
  readonly ended: Promise<LoadEnded>;
}

/**
 * Runs a schedule several times, each time beside the same one on a fixed control. What it gives is the
 * rounds of the target added up, also one that was cut short, as its answers were judged, but not those
 * that {@link countedRounds} leaves out; `rounds` holds those of which both halves are whole. Answers of the control are not judged, and not kept.
 */
export function startRounds(
  description: RunDescription,
  { count, control }: RoundsDescription,
  judge?: LiveJudge,
): RoundsUnderWay {
  const { job, thresholds, failsRun } = description;
  const { seconds, slots } = job.schedule;
  const targets: RunLoad[] = [];
  const notices: string[] = [];
  const started: LoadUnderWay[] = [];
  let half: HalfUnderWay | undefined;

  function startTarget(round: number): LoadUnderWay {
    const place = { round, slots, beganMs: 2000 * seconds * round };
    return startLoad(description, judge && judgeOfRound(judge, place), round);
  }

  function startControl(): LoadUnderWay {
    const { engine, ...own } = control;
    return startLoad({
      ...{ ...omit(description, 'onSample'), job: { ...job, ...own }, engine: () => engine },
      ...{ thresholds: [], keep: () => false, failsRun: () => false },
    });
  }

  async function runHalf(which: RoundOf, round: number): Promise<RunLoad> {
    const under = which === 'target' ? startTarget(round) : startControl();
    half = { ...under, which, round };
    if (which === 'target') started.push(under);
    const { load, notices: reported } = await under.ended;
    if (which === 'target') {
      targets.push(load);
      notices.push(...reported);
    }
    return load;
  }

  /** As if the rounds of the target had been sent one after another. */
  function interruptedAt(): RunLoad['interrupted'] {
    const { atSeconds = seconds } = targets.at(-1)?.interrupted ?? {};
    return { atSeconds: seconds * (targets.length - 1) + atSeconds, ofSeconds: seconds * count };
  }

  async function run(): Promise<LoadEnded> {
    const done = await runRounds(count, runHalf, job.signal);
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
      countedRounds: counted.length,
      ...given({
        interrupted: job.signal.aborted ? interruptedAt() : undefined,
        unanswered: total(counted.map(({ unanswered = 0 }) => unanswered)) || undefined,
      }),
      ...(leftOut.length === 0 ? {} : { leftOutRounds: leftOut }),
    };
    const measured = measuredOf(load, failsRun);
    const held = thresholds.map((one, at) => {
      // Each round has its own parts.
      const rounds = isChange(one.metric) ? counted : [];
      return (
        worstOf(rounds.flatMap((round) => round.thresholds[at] ?? [])) ?? heldAgainst(one, measured)
      );
    });
    return {
      load: { ...load, ...limiterMet(load), thresholds: withNeverServed(load, held) },
      notices: [
        ...notices,
        ...leftOutNotices(leftOut, targets.length),
        ...left,
        ...(found?.notices ?? []),
      ],
    };
  }

  return {
    half: () => half,
    offered: () => total(started.map((under) => under.offered() ?? 0)),
    ended: run(),
  };
}

/** What a round adds to what came before it. */
interface RoundPlace {
  /** From 0. */
  readonly round: number;
  /** Requests that the schedule of one round holds. */
  readonly slots: number;
  /** From the start of the first round to that of this one, at least. */
  readonly beganMs: number;
}

/** Nothing: what one judge found in all rounds is reported at the end of the last. */
const REPORTED_LATER: LiveJudged = {
  judged: { answers: 0, of: 0, kept: 0 },
  violations: [],
  steps: [],
  notices: [],
};

/**
 * The judge of several rounds as one of them sees it: exchanges, whose ids begin again in each, get ids
 * that no other round has, and it stays open when the round ends.
 */
function judgeOfRound(judge: LiveJudge, { round, slots, beganMs }: RoundPlace): LiveJudge {
  const before = judge.counts();
  return {
    ...judge,
    wants: ({ slot, endMs, fate }) =>
      judge.wants({ slot: slot + round * slots, endMs: endMs + beganMs, fate }),
    exchange: (exchange, step, onBroken) => {
      judge.exchange({ ...exchange, id: idInRun(exchange.id, round * slots) }, step, onBroken);
    },
    counts: () => {
      const { judged, broken } = judge.counts();
      return { judged: judged - before.judged, broken: broken - before.broken };
    },
    end: async () => {
      await judge.settle();
      return REPORTED_LATER;
    },
  };
}

/** `x00007` of a round that begins after 100 requests is `x00107`. */
function idInRun(id: string, before: number): string {
  const number = /^x(\d+)$/.exec(id)?.[1];
  return number === undefined ? id : `x${String(Number(number) + before).padStart(5, '0')}`;
}
