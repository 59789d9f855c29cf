import type { LoadStepRow, RunLoad } from '../../contracts/run/load/load-run.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { given } from '../../contracts/wire/json.ts';
import type { LoadJob } from '../engine.ts';
import type { LoadSink, Sample } from '../load-sink.ts';
import type { JudgedCount } from '../judging/judged-counts.ts';
import type { LiveJudge } from '../judging/live-judge.ts';
import { LoadAccumulator, type MeasuredStep } from '../samples/load-accumulator.ts';
import { partOfJob } from '../engines/part-of-job.ts';
import { limiterMet, mayThrottle } from '../limiter-met.ts';
import { heldAgainst, measuredOf } from '../thresholds.ts';
import { withNeverServed } from '../never-served.ts';
import { type CoresUsed, invalidities } from '../validity.ts';
import { total } from '../sums.ts';
import { keptUp } from '../sustained.ts';
import { AbortWatch } from './abort.ts';
import { BreakpointWatch } from './breakpoint.ts';
import { EngineJudged } from './engine-judged.ts';
import { slotsBefore } from '../scenarios/schedule.ts';
import { ProgressMeter } from './progress.ts';
import type { RunDescription } from './run-description.ts';

/** A load run under way. */
export interface LoadUnderWay {
  readonly progress: ProgressMeter;
  /** Answers judged and broken so far. */
  readonly judged: () => JudgedCount;
  /**
   * Requests that were due so far, of this part of the run: what was sent, where nothing is due, and undefined of an
   * engine that has not begun.
   */
  readonly offered: () => number | undefined;
  /** Milliseconds since its schedule began; undefined of an engine that has not begun. */
  readonly nowMs: () => number | undefined;
  readonly ended: Promise<LoadEnded>;
}

/** What a load run came to. */
export interface LoadEnded {
  readonly load: RunLoad;
  /** Sentences for the report. */
  readonly notices: readonly string[];
}

/** Slots are due up to when the last request was asked for; a little later they are surely counted. */
const JUST_AFTER_MS = 0.001;

/** Starts a load run: the engine sends, and what comes of it is counted, judged, and held to thresholds. */
export function startLoad(run: RunDescription, judge?: LiveJudge, round = 0): LoadUnderWay {
  const { part, thresholds } = run;
  const engine = run.engine(round);
  const ending = new AbortController();
  const progress = new ProgressMeter();
  const job: LoadJob = {
    ...run.job,
    signal: AbortSignal.any([run.job.signal, ending.signal]),
    sink: { sample: () => undefined },
  };
  const cut = (all: LoadJob): LoadJob => (part === undefined ? all : partOfJob(all, part));
  // k6 cuts a run into parts by itself; what is counted is the same.
  const counted = cut(job);
  const accumulator = new LoadAccumulator(counted, thresholds);
  const { scenario, schedule } = counted;
  const watch = scenario.endsWhenBroken
    ? new BreakpointWatch(accumulator, schedule, thresholds)
    : undefined;
  const { abortSeconds } = scenario;
  const expected = mayThrottle(scenario, thresholds);
  const abort =
    abortSeconds === undefined
      ? undefined
      : new AbortWatch((one) => accumulator.rowOf(one), thresholds, abortSeconds, !expected);
  const own = new EngineJudged(scenario.steps.length, run.keep);
  let lastMs = 0;
  // k6 makes its VUs before it begins, so that its first answers alone show when that was.
  let beganMs = engine.name === 'k6' ? Infinity : performance.now();
  let endedMs: number | undefined;
  const nowMs = (): number | undefined =>
    beganMs === Infinity ? undefined : Math.max(0, performance.now() - beganMs);
  const offered = (): number | undefined => {
    if (scenario.pacer === 'saturation') return progress.samples;
    const ms = endedMs ?? nowMs();
    return ms === undefined ? undefined : slotsBefore(schedule, ms);
  };
  const countOf = (): JudgedCount =>
    judge === undefined || own.isAny ? own.counts() : judge.counts();
  const sink: LoadSink = {
    sample: (sample: Sample) => {
      lastMs = Math.max(lastMs, sample.calledMs);
      if (engine.name === 'k6') beganMs = Math.min(beganMs, performance.now() - sample.endMs);
      accumulator.sample(sample);
      progress.sample(sample);
      run.onSample?.(sample);
      if (watch?.sample(sample) === true || abort?.sample(sample) === true) ending.abort();
    },
    judged: (step, extent) => {
      own.judged(step, extent);
    },
    violated: (violation) => {
      if (own.violated(violation)) accumulator.broken(violation.dueMs);
    },
    ...given({
      exchange:
        judge &&
        ((exchange: Exchange, step: number, dueMs: number) => {
          judge.exchange(exchange, step, () => {
            accumulator.broken(dueMs);
          });
        }),
      wants: judge?.wants,
    }),
  };

  async function toItsEnd(): Promise<LoadEnded> {
    const sent = { ...job, sink };
    const facts = await engine.run(engine.name === 'k6' ? sent : cut(sent));
    const { problems = [], interruptedMs, unanswered, unknown, whyLate, ...others } = facts;
    const { connections: made, ...generator } = others;
    const untilMs = interruptedMs ?? (job.signal.aborted ? lastMs + JUST_AFTER_MS : Infinity);
    endedMs = untilMs;
    // By somebody, and not by what its scenario ends it for.
    const isInterrupted = run.job.signal.aborted && !ending.signal.aborted;
    const whole = accumulator.whole(untilMs);
    const steps = accumulator.steps(untilMs);
    const { connections, whyFewConnections } = job;
    const found = await judge?.end();
    const beside = (await run.beside?.end()) ?? [];
    const answers = whole.counts.sent - whole.counts.failed;
    const judged =
      found === undefined || own.isAny
        ? own.result(answers, engine.name === 'k6' || own.isAny)
        : found;
    const load: RunLoad = {
      scenario: scenario.name,
      engine: { name: engine.name, version: run.version },
      whole,
      steps: steps.map((step, at) => withJudged(step, judged.steps[at])),
      operations: accumulator.operations(untilMs),
      ...accumulator.cells(untilMs),
      moments: accumulator.moments(untilMs),
      errors: accumulator.errors(),
      judged: judged.judged,
      violations: [...judged.violations, ...beside],
      thresholds: [],
      ...given({
        interrupted: isInterrupted ? interruptedAt(untilMs / 1000, counted) : undefined,
        unanswered: unanswered === 0 ? undefined : unanswered,
        ...{ aborted: abort?.found, machine: run.machine, part },
        mayThrottle: expected,
        warmUpSeconds: scenario.warmUpSeconds,
        comesBack: scenario.onThrottle === 'come-back' || undefined,
        breakpoint: watch?.found && {
          step: watch.found.step,
          thresholds: watch.found.broken.map(({ expression }) => expression),
        },
      }),
      generator,
      ...given({ connections: made }),
      ...invalidities({
        ...{ generator, ...whole, steps, connections, problems },
        isScheduled: engine.name !== 'autocannon',
        ...given({
          ...{ unanswered, unknown, whyLate },
          whyFewConnections,
          used: coresUsed(engine.name, generator, run, steps),
        }),
      }),
    };
    const measured = measuredOf(load, run.failsRun, scenario.steps);
    const isWhole = ({ seconds }: LoadStepRow, at: number): boolean =>
      seconds === scenario.steps[at]?.seconds;
    // What ended the run was broken then, whatever came in afterwards.
    const endedBy = [watch?.found?.broken ?? [], abort?.broken ?? []].flat();
    const held = thresholds.map(
      (one) =>
        endedBy.find(({ expression }) => expression === one.expression) ??
        heldAgainst(one, measured),
    );
    return {
      load: {
        ...load,
        ...(watch === undefined || load.invalid.length > 0 ? {} : keptUp(load, isWhole)),
        ...limiterMet(load),
        thresholds: withNeverServed(load, held),
      },
      notices: judged.notices,
    };
  }

  return { progress, judged: countOf, offered, nowMs, ended: toItsEnd() };
}

/** How long a saturation takes nobody knows before. */
function interruptedAt(
  atSeconds: number,
  { scenario, schedule }: Pick<LoadJob, 'scenario' | 'schedule'>,
): RunLoad['interrupted'] {
  return { atSeconds, ...(scenario.pacer === 'saturation' ? {} : { ofSeconds: schedule.seconds }) };
}

/** Of all cores while it ran; undefined where nobody knows. */
function coresUsed(
  engine: RunLoad['engine']['name'],
  { cpuSeconds }: Pick<RunLoad['generator'], 'cpuSeconds'>,
  { machine }: RunDescription,
  steps: readonly MeasuredStep[],
): CoresUsed | undefined {
  const seconds = total(steps.map((one) => one.seconds));
  if (cpuSeconds === undefined || machine === undefined || seconds === 0) return undefined;
  const by = engine === 'k6' ? 'k6, with the script that judges,' : 'Assay';
  const { cores } = machine;
  return { by, cores, share: Math.min(1, cpuSeconds / (cores * seconds)) };
}

/** A step with what judging found in it, which is nothing where it was not reached. */
export function withJudged(step: MeasuredStep, found?: JudgedCount): LoadStepRow {
  return { ...step, judged: found?.judged ?? 0, violations: found?.broken ?? 0 };
}
