import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { requireRegularFile, UnreadableFile } from '../../../contracts/document/regular-file.ts';
import { given } from '../../../contracts/wire/json.ts';
import { mostOf } from '../../sums.ts';
import type { Redactor } from '../../../target/redaction/redactor.ts';
import { inOrder } from '../../merge/in-order.ts';
import { misplaced, skew, UnfitParts } from '../../merge/part.ts';
import type { Schedule } from '../../scenarios/schedule.ts';
import type { GeneratorFacts, LoadEngine, LoadJob } from '../../engine.ts';
import type { LoadSink } from '../../load-sink.ts';
import type { RecordedPlan } from './k6-recorded-plan.ts';
import { RecordedFile, type RecordedTimes } from './k6-recorded-file.ts';
import { inNoSample } from './k6-run.ts';
import { type K6Point, K6PointReader } from './k6-samples.ts';

/** What the pods of a run in a cluster left. */
export interface RecordedRunOptions {
  readonly plan: RecordedPlan;
  /** Machines that it was divided among. */
  readonly parts: number;
  readonly files: readonly { readonly name: string; readonly path: string }[];
  readonly redactor: Redactor;
  /** Unpacked, of all files together; default by the requests of the plan. */
  readonly mostBytes?: number;
}

/** k6 writes some 2 kB of each request; an answer that breaks rules may be handed out, several times. */
const MAX_BYTES_A_REQUEST = 65_536;
const MAX_BYTES_BESIDES = 1_073_741_824;
/**
 * A line counts as this many bytes more than it has. Those of k6 have some two hundred; of empty ones a
 * file holds as many as bytes, and each takes its time.
 */
const BYTES_A_LINE = 64;
const MAX_PROBLEMS = 20;

/**
 * An engine that sends nothing: it gives the samples that the parts of a k6 run wrote with
 * `--out json=<pod>.json.gz`, in the order of time, as those of one run under way. Memory does not grow
 * with the files.
 */
export class RecordedRun implements LoadEngine {
  readonly name = 'k6';
  readonly #options: RecordedRunOptions;
  /** By the clocks of the parts; undefined before they were read. */
  times: RecordedTimes | undefined;

  constructor(options: RecordedRunOptions) {
    this.#options = options;
  }

  cannot(): undefined {
    return undefined;
  }

  /**
   * Reads all files.
   *
   * @throws {UnfitParts} when they are not those of all parts of one run, each once and whole
   */
  async run(job: LoadJob): Promise<GeneratorFacts> {
    const { plan, parts, redactor, mostBytes } = this.#options;
    const { schedule } = plan.job;
    /** k6 deals the requests of each step to its parts in turn. */
    const partOf = (slot: number): number =>
      ((slot - (schedule.steps[schedule.stepOf(slot)]?.first ?? 0)) % parts) + 1;
    const problems = new Set<string>();
    const sent = new Uint8Array(schedule.slots);
    const sink = guarded(job, plan, (problem) => problems.add(problem));
    const reading = { plan, redactor, partOf, sent, sink, signal: job.signal };
    const files = this.#options.files.map(
      ({ name, path }) => new RecordedFile(name, path, reading),
    );
    const most = mostBytes ?? MAX_BYTES_BESIDES + MAX_BYTES_A_REQUEST * schedule.slots;
    let bytes = 0;
    const streams = files.map((file) =>
      pointsOf(file, (count) => {
        bytes += count;
        if (bytes <= most) return;
        const why = `unpacked, they have more than ${most} bytes, with ${BYTES_A_LINE} for each line (at ${file.name}), which no run of that plan writes.`;
        throw new UnfitParts([why], 'samples');
      }),
    );
    for await (const { at, item } of inOrder(streams, ({ timeMs }) => timeMs)) files[at]?.add(item);
    this.times = requirePlaced(files, parts, schedule, partOf);
    const facts = files.map((file) => file.facts());
    const dropped = facts.reduce((sum, one) => sum + one.dropped, 0);
    const unsent = sent.reduce((sum, one) => sum - one, sent.length);
    const unknown = job.signal.aborted ? 0 : Math.max(0, unsent - dropped);
    if (unknown > 0) problems.add(inNoSample(unknown));
    for (const one of facts.flatMap((fact) => fact.problems ?? [])) {
      if (problems.size < MAX_PROBLEMS) problems.add(one);
    }
    return {
      ...given({ fireLagP99Ms: mostOf(facts.map(({ fireLagP99Ms }) => fireLagP99Ms)) }),
      lateRequests: facts.reduce((sum, { lateRequests = 0 }) => sum + lateRequests, 0),
      hiccups: facts.reduce((sum, { hiccups = 0 }) => sum + hiccups, 0),
      waitedAtCeiling: 0,
      dropped: job.signal.aborted ? dropped : unsent - unknown,
      ...(unknown === 0 ? {} : { unknown }),
      ...(problems.size === 0 ? {} : { problems: [...problems] }),
    };
  }
}

/** What a run may report: nothing after its end, and no rules but those of its plan. */
function guarded(
  { sink, signal }: LoadJob,
  { rules }: RecordedPlan,
  note: (problem: string) => unknown,
): LoadSink {
  return {
    sample: (sample) => {
      if (!signal.aborted) sink.sample(sample);
    },
    judged: (step, extent) => {
      if (!signal.aborted) sink.judged?.(step, extent);
    },
    violated: (violation) => {
      if (signal.aborted) return;
      if (rules.has(violation.rule)) sink.violated?.(violation);
      else note('The samples name broken rules by which the plan does not judge.');
    },
  };
}

/** The points of a file; what is wrong with it is noted, and ends it. */
async function* pointsOf(
  file: RecordedFile,
  count: (bytes: number) => void,
): AsyncGenerator<K6Point> {
  try {
    requireRegularFile(file.path);
    let points: K6Point[] = [];
    const reader = new K6PointReader((point) => points.push(point));
    const unpacked = createGunzip();
    // What goes wrong comes to whoever reads what is unpacked.
    pipeline(createReadStream(file.path), unpacked, () => undefined);
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      const before = reader.lines;
      reader.push(chunk);
      count(chunk.length + BYTES_A_LINE * (reader.lines - before));
      file.unread = reader.unread;
      yield* points;
      points = [];
    }
  } catch (error) {
    if (error instanceof UnfitParts) throw error;
    file.refuse(whyUnread(error));
  }
}

function whyUnread(error: unknown): string {
  if (error instanceof UnreadableFile) return `cannot be read: ${error.message}`;
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') {
    return 'ends in the middle: copy it again once the run is over. Of a pod that was killed the rest is lost, and the run has to be repeated.';
  }
  return code.startsWith('Z_')
    ? 'is no gzip file, or was damaged: copy it again.'
    : `cannot be read: ${code === '' ? message : code}`;
}

/** When the run began and ended, of files that are those of its parts. */
function requirePlaced(
  files: readonly RecordedFile[],
  parts: number,
  { slots, seconds }: Schedule,
  partOf: (slot: number) => number,
): RecordedTimes {
  const problems = files.flatMap((file) => file.problem() ?? []);
  const placed = files.flatMap(({ name, index, times }) =>
    index === undefined || times === undefined ? [] : [{ name, index, ...times }],
  );
  // A part for which the schedule holds nothing sends nothing.
  const busy = new Set(Array.from({ length: slots }, (_, slot) => partOf(slot)));
  const idle = Array.from({ length: parts }, (_, at) => ({ name: 'none', index: at + 1 })).filter(
    ({ index }) => !busy.has(index),
  );
  problems.push(...misplaced([...placed, ...idle], parts, 'samples'), ...skew(placed, seconds));
  if (problems.length > 0) throw new UnfitParts(problems, 'samples');
  return {
    startedAtMs: Math.min(...placed.map(({ startedAtMs }) => startedAtMs)),
    endedAtMs: Math.max(...placed.map(({ endedAtMs }) => endedAtMs)),
  };
}
