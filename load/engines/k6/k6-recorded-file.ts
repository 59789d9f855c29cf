import type { Redactor } from '../../../target/redaction/redactor.ts';
import { METRICS } from '../../k6/plan.ts';
import type { GeneratorFacts } from '../../engine.ts';
import type { LoadSink } from '../../load-sink.ts';
import type { RecordedPlan } from './k6-recorded-plan.ts';
import { K6Run } from './k6-run.ts';
import type { K6Point } from './k6-samples.ts';

/** What the samples of a file are read with. */
export interface RecordedFileReading {
  readonly plan: RecordedPlan;
  readonly redactor: Redactor;
  readonly sink: LoadSink;
  /** The part, from 1, that sends a slot. */
  readonly partOf: (slot: number) => number;
  /** Aborted once a threshold has ended the run, so that what comes later does not count. */
  readonly signal: AbortSignal;
  /** 1 if the request of a slot was sent; all files of a run note it there. */
  readonly sent: Uint8Array;
}

/** When a run or a part of it began and ended, in milliseconds since the epoch by the clock of its machine. */
export interface RecordedTimes {
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** Further back or ahead no date goes. */
const LAST_MS = Date.parse('9999-01-01T00:00:00Z');

/** The file of samples that one part of a run wrote, while it is read. */
export class RecordedFile {
  readonly name: string;
  readonly path: string;
  /** Lines that could not be read. */
  unread = 0;
  /** Which part wrote it, from 1; known from its first request on. */
  index: number | undefined;
  readonly #reading: RecordedFileReading;
  readonly #run: K6Run;
  #why: string | undefined;
  #isOfPlan = false;
  #endedAtMs = -Infinity;
  /** Where the request of a slot was sent by this part. */
  readonly #own: Uint8Array;

  constructor(name: string, path: string, reading: RecordedFileReading) {
    const { plan, redactor, sink } = reading;
    this.name = name;
    this.path = path;
    this.#reading = reading;
    this.#own = new Uint8Array(Math.ceil(reading.sent.length / 8));
    // Which requests are in no sample is asked of all files together.
    this.#run = new K6Run(
      { ...plan.job, sink },
      { redactor, judgeShare: plan.judgeShare, slots: 0 },
    );
  }

  /** Takes its next point. */
  add(point: K6Point): void {
    if (point.metric === METRICS.plans) {
      if (point.tags.plan === this.#reading.plan.digest) this.#isOfPlan = true;
      else this.refuse('is of a run of another manifest: give only the samples of this one.');
      return;
    }
    if (point.metric === 'http_req_duration') this.#note(point);
    // The sink closes by itself.
    const isLate = point.metric === 'dropped_iterations' && this.#reading.signal.aborted;
    if (this.#why === undefined && !isLate) this.#run.add(point);
  }

  /** Notes why it is none of this run, a clause that follows its name; the first reason stays. */
  refuse(why: string): void {
    this.#why ??= why;
  }

  /** Why it is none of this run, as a sentence; undefined if it is one. */
  problem(): string | undefined {
    const { startedAtMs } = this.#run;
    if (this.#why !== undefined) return `${this.name} ${this.#why}`;
    if (startedAtMs === undefined) return `${this.name} holds no request: its part sent nothing.`;
    if (!this.#isOfPlan) {
      return `${this.name} does not say which plan it is of: the manifest of this folder did not make it.`;
    }
    return this.times === undefined
      ? `${this.name} holds times that no run has: copy it again.`
      : undefined;
  }

  /** Undefined if they make no sense. */
  get times(): RecordedTimes | undefined {
    const [startedAtMs, endedAtMs] = [this.#run.startedAtMs, this.#endedAtMs];
    if (startedAtMs === undefined || startedAtMs < 0) return undefined;
    return startedAtMs <= endedAtMs && endedAtMs < LAST_MS ? { startedAtMs, endedAtMs } : undefined;
  }

  /** How well its part kept the schedule; after its last point. */
  facts(): GeneratorFacts {
    const { problems = [], ...facts } = this.#run.facts(false, this.unread);
    const which = this.index === undefined ? '' : `Part ${this.index}: `;
    return { ...facts, problems: problems.map((one) => `${which}${one}`) };
  }

  #note({ timeMs, metadata }: K6Point): void {
    const { sent, partOf } = this.#reading;
    const slot = Number(metadata.slot);
    // Of others the run says that they belong to no slot.
    if (!Number.isInteger(slot) || slot < 0 || slot >= sent.length) return;
    const index = partOf(slot);
    this.index ??= index;
    this.#endedAtMs = Math.max(this.#endedAtMs, timeMs);
    if (index !== this.index) {
      this.refuse(
        `holds requests of the parts ${this.index} and ${index}: its part sent others' too.`,
      );
    }
    const [at, bit] = [slot >> 3, 1 << (slot & 7)];
    const own = this.#own[at] ?? 0;
    if ((own & bit) !== 0) this.refuse('holds the same request more than once.');
    this.#own[at] = own | bit;
    sent[slot] = 1;
  }
}
