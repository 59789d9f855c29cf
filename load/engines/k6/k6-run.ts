import { type ErrorFate, type Fate, fateOfStatus } from '../../../contracts/run/load/fates.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { machineFailureOfK6 } from '../../k6/machine-failure.ts';
import { given } from '../../../contracts/wire/json.ts';
import { exchangeFault } from '../../../contracts/wire/exchange-form.ts';
import { jsonOrUndefined } from '../../../contracts/wire/parse-json.ts';
import type { Redactor } from '../../../target/redaction/redactor.ts';
import { isInShare, METRICS, stepOfScenario } from '../../k6/plan.ts';
import type { GeneratorFacts, LoadJob } from '../../engine.ts';
import { Unsent } from '../unsent.ts';
import type { Sample } from '../../load-sink.ts';
import type { K6Point } from './k6-samples.ts';
import { LatencyHistogram } from '../../samples/latency-histogram.ts';
import { Lateness } from '../../samples/lateness.ts';
import { isTooManyRequests } from '../../../contracts/wire/error-reading.ts';

/** What the points of a k6 run are read with. */
export interface K6Reading {
  readonly redactor: Redactor;
  readonly judgeShare: number;
  /** Slots of the part of the schedule that is run here. */
  readonly slots: number;
}

interface JudgedSample {
  readonly sample: Sample;
  /** Which rules judged its answer; none where k6 added a VU while it was late. */
  readonly extent: (typeof EXTENTS)[number];
}

const EXTENTS = ['all', 'card', 'none'] as const;

const MAX_PROBLEMS = 20;
const MAX_CHARACTERS = 300;
/** Answers that wait to be known as throttled or not; as many as can be on their way at once. */
const MAX_WAITING = 100_000;

type K6Job = Pick<LoadJob, 'scenario' | 'schedule' | 'requests' | 'choose' | 'sink'>;

/** Turns the points of one k6 run into samples and violations, as they come. */
export class K6Run {
  readonly #job: K6Job;
  readonly #reading: K6Reading;
  /** Those that are asked. */
  readonly #apis: readonly string[];
  readonly #lateness = new Lateness(LatencyHistogram.create(2));
  /** Errors by slot, until the script says what its body said. */
  readonly #waiting = new Map<string, JudgedSample>();
  readonly #problems = new Set<string>();
  /** When the run began, in milliseconds since the epoch; undefined before its first sample. */
  startedAtMs: number | undefined;
  #samples = 0;
  #judgingMs = 0;
  readonly #unsent = new Unsent();
  #dropped = 0;
  /** Answers that came to VUs which k6 added as it ran. */
  #added = 0;
  /** The exchange that broke the rule before: one that breaks several is handed out once. */
  #last: { readonly slot: number; readonly exchange: Exchange } | undefined;

  constructor(job: K6Job, reading: K6Reading) {
    this.#job = job;
    this.#apis = [...new Set(job.requests.map(({ request }) => request.api))];
    this.#reading = reading;
  }

  /** Takes one point. */
  add(point: K6Point): void {
    const { metric, tags } = point;
    if (metric === 'dropped_iterations') this.#dropped += point.value;
    else if (metric === METRICS.crashes) this.#note(`k6's script failed: ${tags.why ?? ''}`);
    else if (metric === 'http_req_duration') this.#addSample(point);
    else if (metric === METRICS.errorAnswers) this.#distinguish(point);
    else if (metric === METRICS.judging) this.#judgingMs += point.value;
    else if (metric === METRICS.violations) this.#addViolation(point);
  }

  /**
   * Hands over what still waited, and says how the run went.
   *
   * @param isCut whether it was ended before its schedule was
   * @param unread lines that could not be read
   */
  facts(isCut: boolean, unread = 0): GeneratorFacts {
    for (const one of this.#waiting.values()) this.#give(one);
    this.#waiting.clear();
    const missing = isCut ? 0 : Math.max(0, this.#reading.slots - this.#samples - this.#dropped);
    for (const why of this.#unsent.problems().problems ?? []) this.#note(why);
    if (missing > 0) this.#note(inNoSample(missing));
    const problems = [...this.#problems];
    if (unread > 0) problems.push(`${unread} lines that k6 wrote could not be read.`);
    return {
      ...this.#lateness.facts(),
      // Each VU has a connection of its own: where all are busy, an iteration is dropped.
      waitedAtCeiling: 0,
      dropped: this.#dropped + this.#unsent.count,
      ...(missing === 0 ? {} : { unknown: missing }),
      ...(this.#added === 0
        ? {}
        : {
            whyLate: `k6 added VUs while it ran, which takes its time: ${this.#added} answers came to those, since all that stood ready waited for answers`,
          }),
      ...(this.#judgingMs === 0 ? {} : { judgingSeconds: this.#judgingMs / 1000 }),
      ...(problems.length === 0 ? {} : { problems }),
    };
  }

  #addSample(point: K6Point): void {
    const sample = this.#sampleOf(point);
    if (sample === undefined) return;
    this.#samples += 1;
    const { error = '' } = point.tags;
    const machine = sample.status === 0 ? machineFailureOfK6(error) : undefined;
    if (machine !== undefined || (sample.status === 0 && WAY.test(error))) {
      if (machine === undefined) this.#unsent.add(error, 'The way to the target');
      else this.#unsent.add(machine);
      return;
    }
    this.#lateness.record(sample.dueMs, sample.calledMs);
    // Samples of earlier versions say nothing of it, and then it went by the slot alone.
    const { judged } = point.metadata;
    const isInAll = isInShare(sample.slot, this.#reading.judgeShare);
    const extent = EXTENTS.find((one) => one === judged) ?? (isInAll ? 'all' : 'card');
    const one = { sample, extent };
    const isUnreported = sample.status >= 400 && sample.status !== 429;
    if (isUnreported && this.#waiting.size < MAX_WAITING) {
      this.#waiting.set(String(sample.slot), one);
    } else this.#give(one);
  }

  #sampleOf({ timeMs, value, tags, metadata }: K6Point): Sample | undefined {
    const { schedule, scenario, choose } = this.#job;
    const [slot, step] = [Number(metadata.slot), stepOfScenario(tags.scenario ?? '')];
    const [begin, called] = [Number(metadata.begin), Number(metadata.called)];
    const { slots = 0, beginsSeconds = 0 } = schedule.steps[step] ?? {};
    const isOne = Number.isInteger(slot) && slot >= 0 && slot < schedule.slots;
    if (!isOne || slots === 0 || !Number.isFinite(begin + called)) {
      this.#note('k6 wrote samples that belong to no slot of the schedule.');
      return undefined;
    }
    const startMs = (this.startedAtMs ??= begin - 1000 * beginsSeconds);
    const dueMs = schedule.dueMs(slot);
    const endMs = Math.max(dueMs, timeMs - startMs);
    const wireMs = Math.max(dueMs, endMs - value);
    const status = Number(tags.status ?? 0);
    return {
      slot,
      step,
      operation: choose(slot).operation,
      client: slot % scenario.clients.count,
      dueMs,
      // k6 reports it in whole milliseconds, cut off.
      calledMs: Math.min(wireMs, Math.max(dueMs, called - startMs)),
      ...(status === 0 ? {} : { wireMs }),
      endMs,
      fate: fateOf(status, tags.error ?? ''),
      status,
    };
  }

  #give({ sample, extent }: JudgedSample): void {
    const { sink } = this.#job;
    sink.sample(sample);
    if (sample.status === 0) return;
    if (extent === 'none') this.#added += 1;
    else sink.judged?.(sample.step, extent);
  }

  #distinguish({ tags, metadata }: K6Point): void {
    const slot = metadata.slot ?? '';
    const one = this.#waiting.get(slot);
    if (one === undefined) return;
    this.#waiting.delete(slot);
    const { sample } = one;
    this.#give(
      tags.kind === 'throttled' ? { ...one, sample: { ...sample, fate: 'throttled' } } : one,
    );
  }

  #addViolation({ tags, metadata }: K6Point): void {
    const { rule, scenario = '' } = tags;
    const slot = Number(metadata.slot);
    const { schedule } = this.#job;
    const isSlot = Number.isInteger(slot) && slot >= 0 && slot < schedule.slots;
    if (rule === undefined || !isSlot) return;
    const handedOut = this.#exchangeIn(metadata.exchange);
    if (handedOut !== undefined) this.#last = { slot, exchange: handedOut };
    const exchange = this.#last?.slot === slot ? this.#last.exchange : undefined;
    const step = stepOfScenario(scenario);
    const dueMs = schedule.dueMs(slot);
    this.#job.sink.violated?.({ rule, step, slot, dueMs, ...given({ exchange }) });
  }

  /** What the script handed out, if it did: a file of samples may hold anything. */
  #exchangeIn(text: string | undefined): Exchange | undefined {
    const json = text === undefined ? undefined : jsonOrUndefined(text);
    if (json === undefined || exchangeFault(json, this.#apis) !== undefined) return undefined;
    return this.#reading.redactor.exchange(json as Exchange);
  }

  #note(problem: string): void {
    const text = this.#reading.redactor.text(problem.slice(0, MAX_CHARACTERS));
    if (this.#problems.size < MAX_PROBLEMS) this.#problems.add(text);
  }
}

/** What is said of requests of which k6 wrote nothing. */
export function inNoSample(missing: number): string {
  return `${missing} requests of the schedule are in no sample of k6, so nobody knows whether they were sent.`;
}

/** What k6 says where name resolution or a proxy failed. */
const WAY = /^lookup\b|no such host|proxyconnect/;

/** What k6 says of requests without an answer, by the reason. */
const REASONS: readonly (readonly [RegExp, ErrorFate])[] = [
  [/timeout|deadline exceeded/i, 'timeout'],
  [/connection refused/i, 'refused'],
  [/tls|x509|certificate/i, 'tls'],
  [/reset by peer|broken pipe|\bEOF\b|server closed/i, 'reset'],
];

/** Of an error with a typed body the script says later whether it is throttling. */
function fateOf(status: number, error: string): Fate {
  if (status === 0) return REASONS.find(([text]) => text.test(error))?.[1] ?? 'unanswered';
  return isTooManyRequests(status) ? 'throttled' : fateOfStatus(status);
}
