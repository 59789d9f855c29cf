import type { LoadMachine, LoadViolation, RunLoad } from '../../contracts/run/load/load-run.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { given } from '../../contracts/wire/json.ts';
import type { GeneratorFacts, LoadEngine, LoadJob } from '../engines/engine.ts';
import type { LoadSink, Sample } from '../engines/load-sink.ts';
import type { LiveJudge } from '../judging/live-judge.ts';
import { LoadAccumulator } from '../samples/load-accumulator.ts';
import { partOfJob } from '../engines/part-of-job.ts';
import type { Threshold } from '../../contracts/run/load/threshold.ts';
import { limiterMet } from '../limiter-met.ts';
import { heldAgainst, measuredOf } from '../thresholds.ts';
import { type Invalid, invalidities, type ValidityInput } from '../validity.ts';
import { keptUp } from '../sustained.ts';
import { AbortWatch } from './abort.ts';
import { BreakpointWatch } from './breakpoint.ts';
import { EngineJudged } from './engine-judged.ts';
import { ProgressMeter } from './progress.ts';

/** What a load run is made from. */
export interface LoadRunOptions {
  readonly job: Omit<LoadJob, 'sink' | 'signal'>;
  readonly engine: LoadEngine;
  /** Of the engine, for the record. */
  readonly version: string;
  /** Judges answers as they come; absent where none are. */
  readonly judge?: LiveJudge;
  /** Something else that the target is asked meanwhile; says what was broken, once all has ended. */
  readonly beside?: { readonly end: () => Promise<readonly LoadViolation[]> };
  /** Keeps an exchange that an engine found by itself; false when the record takes no more. */
  readonly keep: (exchange: Exchange) => boolean;
  readonly thresholds: readonly Threshold[];
  /** Whether a broken rule fails the run. */
  readonly failsRun: (rule: string) => boolean;
  /** Absent where nothing is known of it. */
  readonly machine?: LoadMachine;
  /** The part of the run that this machine does, and what tells that the parts are of one run. */
  readonly part?: NonNullable<RunLoad['part']>;
  /** Ends the run. */
  readonly signal: AbortSignal;
}

/** A load run under way. */
export interface LoadUnderWay {
  readonly progress: ProgressMeter;
  /** Answers judged and broken so far. */
  readonly judged: () => { readonly judged: number; readonly broken: number };
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
/** How often new violations are looked for, for the plot. */
const LOOKED_EVERY_MS = 250;

/** Starts a load run: the engine sends, and what comes of it is counted, judged, and held to thresholds. */
export function startLoad(options: LoadRunOptions): LoadUnderWay {
  const { engine, judge, part, thresholds, signal } = options;
  const ending = new AbortController();
  const progress = new ProgressMeter();
  const job: LoadJob = {
    ...options.job,
    signal: AbortSignal.any([signal, ending.signal]),
    sink: { sample: () => undefined },
  };
  // k6 cuts a run into parts by itself; what is counted is the same.
  const counted = part === undefined ? job : partOfJob(job, part);
  const accumulator = new LoadAccumulator(counted, thresholds);
  const { scenario, schedule } = counted;
  const watch = scenario.endsWhenBroken
    ? new BreakpointWatch(accumulator, schedule, thresholds)
    : undefined;
  const { abortSeconds } = scenario;
  const abort =
    abortSeconds === undefined
      ? undefined
      : new AbortWatch((one) => accumulator.rowOf(one), thresholds, abortSeconds);
  const own = new EngineJudged(scenario.steps.length, options.keep);
  let lastMs = 0;
  let [lookedMs, reported] = [0, 0];
  const countOf = (): { readonly judged: number; readonly broken: number } =>
    judge === undefined || own.isAny ? own.counts() : judge.counts();
  /** Judging tells nothing of times: what is new since the last look was found just now. */
  const tellViolations = (atMs: number): void => {
    const { broken } = countOf();
    if (broken > reported) accumulator.violations(atMs, broken - reported);
    reported = broken;
  };
  const sink: LoadSink = {
    sample: (sample: Sample) => {
      lastMs = Math.max(lastMs, sample.calledMs);
      accumulator.sample(sample);
      progress.sample(sample);
      if (sample.endMs - lookedMs > LOOKED_EVERY_MS) {
        lookedMs = sample.endMs;
        tellViolations(sample.dueMs);
      }
      if (watch?.sample(sample) === true || abort?.sample(sample) === true) ending.abort();
    },
    judged: (step, extent) => {
      own.judged(step, extent);
    },
    violated: (violation) => {
      own.violated(violation);
    },
    ...(judge === undefined ? {} : { exchange: judge.exchange, wants: judge.wants }),
  };
  const sent = { ...job, sink };
  const isCut = part !== undefined && engine.name !== 'k6';

  async function run(): Promise<LoadEnded> {
    const facts = await engine.run(isCut ? partOfJob(sent, part) : sent);
    const untilMs = facts.interruptedMs ?? (job.signal.aborted ? lastMs + JUST_AFTER_MS : Infinity);
    const whole = accumulator.whole(untilMs);
    const found = await judge?.end();
    const beside = (await options.beside?.end()) ?? [];
    tellViolations(lastMs);
    const answers = whole.counts.sent - whole.counts.failed;
    const judged = found === undefined || own.isAny ? own.result(answers) : found;
    const load: RunLoad = {
      scenario: scenario.name,
      engine: { name: engine.name, version: options.version },
      whole,
      steps: accumulator.steps(untilMs).map((step, at) => ({
        ...step,
        judged: judged.steps[at]?.judged ?? 0,
        violations: judged.steps[at]?.broken ?? 0,
      })),
      operations: accumulator.operations(untilMs),
      ...accumulator.cells(),
      moments: accumulator.moments(untilMs),
      judged: judged.judged,
      violations: [...judged.violations, ...beside],
      thresholds: [],
      ...(abort?.found === undefined ? {} : { aborted: abort.found }),
      ...(watch?.found === undefined
        ? {}
        : {
            breakpoint: {
              step: watch.found.step,
              thresholds: watch.found.broken.map(({ expression }) => expression),
            },
          }),
      generator: generatorOf(facts),
      ...invalidOf(facts, { ...whole, steps: accumulator.steps(untilMs) }, options),
      ...(options.machine === undefined ? {} : { machine: options.machine }),
      ...(part === undefined ? {} : { part }),
    };
    const measured = measuredOf(load, options.failsRun, scenario.steps);
    // What ended the run was broken then, whatever came in afterwards.
    const endedBy = [watch?.found?.broken ?? [], abort?.broken ?? []].flat();
    return {
      load: {
        ...load,
        ...(watch === undefined || load.invalid.length > 0 ? {} : keptUp(load)),
        ...limiterMet(load, scenario, thresholds),
        thresholds: thresholds.map(
          (one) =>
            endedBy.find(({ expression }) => expression === one.expression) ??
            heldAgainst(one, measured),
        ),
      },
      notices: judged.notices,
    };
  }

  return {
    progress,
    judged: countOf,
    ended: run(),
  };
}

function generatorOf(facts: GeneratorFacts): RunLoad['generator'] {
  const { fireLagP99Ms, eventLoopUtilization: busy, waitedAtCeiling, dropped } = facts;
  const { lateRequests, hiccups, cpuSeconds } = facts;
  return {
    fireLagP99Ms: Math.max(0, fireLagP99Ms),
    ...{ waitedAtCeiling, dropped },
    ...given({ lateRequests, hiccups, cpuSeconds }),
    ...given({
      eventLoopUtilization: busy === undefined ? undefined : Math.min(1, Math.max(0, busy)),
    }),
  };
}

function invalidOf(
  facts: GeneratorFacts,
  { counts, latency, steps }: RunLoad['whole'] & Required<Pick<ValidityInput, 'steps'>>,
  { engine, job }: LoadRunOptions,
): Invalid {
  const { connections, whyFewConnections } = job;
  const generator = generatorOf(facts);
  const isScheduled = engine.name !== 'autocannon';
  const { problems = [] } = facts;
  return invalidities({
    ...{ generator, counts, latency, steps, connections, isScheduled, problems },
    ...(whyFewConnections === undefined ? {} : { whyFewConnections }),
  });
}
