import type {
  LoadCell,
  LoadErrorRow,
  LoadMoment,
  LoadOperationRow,
  LoadRow,
  LoadStepRow,
} from '../../contracts/run/load/load-run.ts';
import type { Selection } from '../../contracts/run/load/threshold.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { LoadJob } from '../engine.ts';
import type { LoadSink, Sample } from '../load-sink.ts';
import { PartAccumulator } from './counts.ts';
import { ErrorRows } from './error-rows.ts';
import { Moments } from './moments.ts';
import { type PlannedStep, slotsBefore } from '../scenarios/schedule.ts';

/** Later than any run ends. */
const WHOLE_RUN_MS = Infinity;

/** A step's row before it is known what judging found. */
export type MeasuredStep = Omit<LoadStepRow, 'judged' | 'violations'>;

interface OperationPart {
  readonly api: ApiName;
  readonly part: PartAccumulator;
}

interface StepPart {
  readonly planned: PlannedStep;
  readonly part: PartAccumulator;
  /** The operations in it that are asked for. */
  readonly cells: Map<string, OperationPart>;
}

/**
 * Keeps what is kept of samples: counts and histograms by step, by operation and by moment, never the
 * samples. Its memory grows with the number of steps and operations alone.
 *
 * `offered` is what the schedule wanted sent until the end of the run, and what came back after an announced
 * wait (what was sent, where a scenario is of saturation: its one step lasts as long as it took);
 * `admitted` is what was served. Latencies are those of served answers, and those of all that was not
 * throttled, in which errors count with the time that was waited; those of throttled answers stand apart.
 */
export class LoadAccumulator implements LoadSink {
  readonly #job: Pick<LoadJob, 'schedule' | 'choose'>;
  readonly #steps: readonly StepPart[];
  readonly #operations = new Map<string, OperationPart>();
  readonly #moments = new Moments();
  readonly #errors = new ErrorRows();
  /** Whether requests follow answers, so that a run lasts as long as they take. */
  readonly #isSaturation: boolean;
  readonly #warmUpMs: number;
  #lastEndMs = 0;

  /** @param selections of which rows are kept besides, where they name an operation in a step */
  constructor(
    job: Pick<LoadJob, 'scenario' | 'schedule' | 'requests' | 'choose'>,
    selections: readonly Selection[] = [],
  ) {
    this.#job = job;
    this.#warmUpMs = 1000 * (job.scenario.warmUpSeconds ?? 0);
    this.#isSaturation = job.scenario.pacer === 'saturation';
    this.#steps = job.schedule.steps.map((planned) => ({
      planned,
      part: this.#newPart(),
      cells: new Map<string, OperationPart>(),
    }));
    for (const { operation, request } of job.requests) {
      if (this.#operations.has(operation)) continue;
      this.#operations.set(operation, { api: request.api, part: this.#newPart() });
    }
    for (const { step, operation = '' } of selections) {
      const api = this.#operations.get(operation)?.api;
      if (api === undefined) continue;
      this.#stepNamed(step)?.cells.set(operation, { api, part: this.#newPart() });
    }
  }

  #newPart(): PartAccumulator {
    return new PartAccumulator(!this.#isSaturation);
  }

  sample(sample: Sample): void {
    if (sample.endMs > this.#lastEndMs) this.#lastEndMs = sample.endMs;
    const step = this.#steps[sample.step];
    const isWarmUp = (sample.firstDueMs ?? sample.dueMs) < this.#warmUpMs;
    step?.part.add(sample, isWarmUp);
    step?.cells.get(sample.operation)?.part.add(sample, isWarmUp);
    this.#operations.get(sample.operation)?.part.add(sample, isWarmUp);
    this.#addOnItsWay(sample);
    this.#moments.add(sample);
    this.#errors.add(sample);
  }

  /** Each step takes the time of it in which a request was on its way, and its answer; none what is after the schedule. */
  #addOnItsWay({ step: first, operation, calledMs, endMs, fate }: Sample): void {
    for (let at = first; at < this.#steps.length; at += 1) {
      const step = this.#steps[at];
      if (step === undefined) return;
      const { beginsSeconds, seconds } = step.planned;
      const [beginMs, stopMs] = this.#isSaturation
        ? [0, Infinity]
        : [1000 * beginsSeconds, 1000 * (beginsSeconds + seconds)];
      if (endMs <= beginMs) return;
      const parts = [step, step.cells.get(operation), this.#operations.get(operation)];
      const ms = Math.min(endMs, stopMs) - Math.max(calledMs, beginMs);
      if (ms > 0) for (const one of parts) one?.part.addOnItsWay(ms);
      if (fate === 'served' && endMs <= stopMs) for (const one of parts) one?.part.addAnswered();
    }
  }

  /** Notes that the answer to a request that was due at a time broke a rule, whenever that was found. */
  broken(dueMs: number): void {
    this.#moments.addBroken(dueMs);
  }

  /** All steps added up. */
  whole(untilMs: number = WHOLE_RUN_MS): LoadRow {
    const all = this.#newPart();
    for (const { part } of this.#steps) all.merge(part);
    return all.row(this.#slotsBefore(untilMs), this.#isCut(untilMs));
  }

  /**
   * The steps that began before the end of the run.
   *
   * @param untilMs when the run ended, where that was before its schedule did
   */
  steps(untilMs: number = WHOLE_RUN_MS): MeasuredStep[] {
    return this.#steps.flatMap((_, at) => this.step(at, untilMs) ?? []);
  }

  /** One step by its place; undefined where it had not begun at that time. */
  step(at: number, untilMs: number = WHOLE_RUN_MS): MeasuredStep | undefined {
    const step = this.#steps[at];
    if (step === undefined) return undefined;
    const { planned, part } = step;
    const { name, beginsSeconds, first, slots } = planned;
    const seconds = this.#isSaturation
      ? this.#lastEndMs / 1000
      : Math.min(planned.seconds, untilMs / 1000 - beginsSeconds);
    if (seconds <= 0) return undefined;
    const before = this.#slotsBefore(untilMs) - first;
    const isCut = !this.#isSaturation && seconds < planned.seconds;
    const row = part.row(Math.min(slots, Math.max(0, before)), isCut);
    const { counts } = row;
    return {
      ...row,
      name,
      beginsSeconds,
      seconds,
      offeredPerSecond: counts.offered / seconds,
      admittedPerSecond: counts.served / seconds,
    };
  }

  /** The row so far of what a threshold speaks of; undefined where nothing of the kind is kept. */
  rowOf({ step, operation }: Selection): LoadRow | undefined {
    if (step === undefined && operation === undefined) return this.whole();
    const ofStep = this.#stepNamed(step);
    const operations = step === undefined ? this.#operations : ofStep?.cells;
    return (operation === undefined ? ofStep : operations?.get(operation))?.part.row(0);
  }

  #stepNamed(step: string | undefined): StepPart | undefined {
    return this.#steps.find(({ planned }) => planned.name === step);
  }

  /** The operations of the mix, by name. */
  operations(untilMs: number = WHOLE_RUN_MS): LoadOperationRow[] {
    const offered = this.#offered(0, this.#slotsBefore(untilMs));
    return [...this.#operations]
      .map(([operation, { api, part }]) => ({
        operation,
        api,
        ...part.row(offered.get(operation) ?? 0, this.#isCut(untilMs)),
      }))
      .sort((a, b) => (a.operation < b.operation ? -1 : 1));
  }

  /** How many of such slots are of each operation. */
  #offered(first: number, end: number): ReadonlyMap<string, number> {
    const offered = new Map<string, number>();
    for (let slot = first; slot < end; slot += 1) {
      const { operation } = this.#job.choose(slot);
      offered.set(operation, (offered.get(operation) ?? 0) + 1);
    }
    return offered;
  }

  /** The operations in steps that were asked for; nothing where none was. */
  cells(untilMs: number = WHOLE_RUN_MS): { readonly cells?: readonly LoadCell[] } {
    const before = this.#slotsBefore(untilMs);
    const cells = this.#steps.flatMap(({ planned, cells: own }) => {
      if (own.size === 0) return [];
      const { name: step, first, slots } = planned;
      const offered = this.#offered(first, Math.min(first + slots, before));
      return [...own].map(([operation, { api, part }]) => ({
        ...{ step, operation, api },
        ...part.row(offered.get(operation) ?? 0, this.#isCut(untilMs)),
      }));
    });
    return cells.length === 0 ? {} : { cells };
  }

  /** What errors were, the most frequent first. */
  errors(): LoadErrorRow[] {
    return this.#errors.rows();
  }

  /** The run second by second, or in longer moments; see {@link Moments}. */
  moments(untilMs: number = WHOLE_RUN_MS): LoadMoment[] {
    const endMs = this.#isSaturation ? this.#lastEndMs : this.#job.schedule.seconds * 1000;
    return this.#moments.rows(
      Math.min(untilMs, endMs),
      (fromMs, toMs) => Math.max(0, this.#slotsBefore(toMs) - this.#slotsBefore(fromMs)),
      !this.#isSaturation,
    );
  }

  #isCut(untilMs: number): boolean {
    return !this.#isSaturation && untilMs < 1000 * this.#job.schedule.seconds;
  }

  /** Where requests follow answers, nothing is offered but what is sent. */
  #slotsBefore(ms: number): number {
    return this.#isSaturation ? 0 : slotsBefore(this.#job.schedule, ms);
  }
}
