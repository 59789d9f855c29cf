import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Redactor } from '../../fixtures/target/redactor.ts';
import type { K6Plan, PlannedRequest } from '../k6/plan.ts';
import { choiceOf } from '../k6/plan.ts';
import { scheduleOf } from '../scenarios/schedule.ts';
import { partOfSchedule, type Segment } from '../scenarios/segment.ts';
import type { GeneratorFacts, LoadJob, LoadSink, PreparedRequest } from './engine.ts';
import type { PlannedRun } from './k6-plan.ts';
import { K6Run } from './k6-run.ts';
import { K6PointReader } from './k6-samples.ts';

/** What a run was to do, as far as its samples must be read by it. */
export type RecordedJob = Pick<LoadJob, 'scenario' | 'schedule' | 'requests' | 'choose'>;

/**
 * The job that was laid out for k6, from the files that were: those of a ConfigMap, or beside a script.
 *
 * @throws {TypeError} when they are not as `planForK6` makes them
 */
export function jobOfPlan(
  files: PlannedRun['files'],
): RecordedJob & { readonly judgeShare: number } {
  const { scenario, judgeShare } = JSON.parse(files['plan.json']) as K6Plan;
  const planned = JSON.parse(files['requests.json']) as readonly PlannedRequest[];
  const choices = JSON.parse(files['choices.json']) as readonly string[];
  const requests = planned.map(({ operation, api, method, path, purpose }): PreparedRequest => ({
    operation,
    request: { api, method, path, purpose },
  }));
  const choose = (slot: number): PreparedRequest => {
    const chosen = requests[choiceOf(choices, slot)];
    if (chosen === undefined) throw new TypeError(`the plan has no request for slot ${slot}`);
    return chosen;
  };
  return { scenario, schedule: scheduleOf(scenario), requests, choose, judgeShare };
}

/** What a file of samples says of the run that wrote it. */
export interface RecordedRun {
  readonly facts: GeneratorFacts;
  /** In milliseconds since the epoch; undefined where nothing was sent. */
  readonly startedAtMs: number | undefined;
}

/** What is read beside the samples. */
export interface RecordedReading {
  readonly job: RecordedJob & { readonly judgeShare: number };
  readonly sink: LoadSink;
  readonly redactor: Redactor;
  /** The part that wrote the file, of a run on several machines. */
  readonly segment?: Segment;
}

/**
 * Reads the samples that a k6 run wrote with `--out json=FILE`, such as a part of a run in a cluster did.
 * They come to the sink as those of a run under way; memory does not grow with the file.
 *
 * @param file ends in `.gz` where it is compressed
 * @throws {Error} of the system, when it cannot be read or is not what its name says
 */
export async function readK6Samples(file: string, reading: RecordedReading): Promise<RecordedRun> {
  const { job, sink, redactor, segment } = reading;
  const { slots } = segment === undefined ? job.schedule : partOfSchedule(job.schedule, segment);
  const run = new K6Run({ ...job, sink }, { redactor, judgeShare: job.judgeShare, slots });
  const points = new K6PointReader((point) => {
    run.add(point);
  });
  const take = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) points.push(chunk);
  };
  const bytes = createReadStream(file);
  await (file.endsWith('.gz') ? pipeline(bytes, createGunzip(), take) : pipeline(bytes, take));
  // What it took of a CPU, nobody has written down.
  const facts = run.facts(false, 0);
  const unread =
    points.unread > 0 ? [`${points.unread} lines that k6 wrote could not be read.`] : [];
  const problems = [...(facts.problems ?? []), ...unread];
  return {
    facts: problems.length === 0 ? facts : { ...facts, problems },
    startedAtMs: run.startedAtMs,
  };
}
