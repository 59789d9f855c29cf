import { createRedactor } from '../../../target/redaction/redactor.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { planOf } from '../../samples/sample.testkit.ts';
import type { GeneratorFacts, LoadJob } from '../../engine.ts';
import type { LoadSink, Sample } from '../../load-sink.ts';
import type { PendingRequest } from '../sending/pending-request.ts';
import type { LoadTime } from '../load-time.ts';
import { OpenLoopRun } from './open-loop-run.ts';
import { ReadyRequests } from '../sending/ready-request.ts';
import { TYPED_ERRORS } from '../../../contracts/service/wire/error-body.ts';

/** Time that passes from one callback to the next, and takes none. */
export class VirtualTime implements LoadTime {
  #nowMs = 1_000_000;
  readonly #callbacks: { readonly atMs: number; readonly run: () => void }[] = [];

  nowMs(): number {
    return this.#nowMs;
  }

  tick(callback: () => void): void {
    this.at(this.#nowMs + 1, callback);
  }

  soon(callback: () => void): void {
    this.at(this.#nowMs, callback);
  }

  at(atMs: number, run: () => void): void {
    this.#callbacks.push({ atMs, run });
  }

  /** Something that keeps the generator from doing anything else. */
  busyFor(ms: number): void {
    this.#nowMs += ms;
  }

  /** Lets time pass until nobody waits any more. */
  async pass(): Promise<void> {
    for (let turns = 0; this.#callbacks.length > 0; turns += 1) {
      this.#callbacks.sort((a, b) => a.atMs - b.atMs);
      const next = this.#callbacks.shift();
      this.#nowMs = Math.max(this.#nowMs, next?.atMs ?? 0);
      next?.run();
      // Promises go on between.
      if (turns % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

/** What a target on virtual time answers. */
export interface VirtualAnswer {
  /** When it is complete, in ms from the start; never when absent. */
  readonly endMs?: number;
  readonly status?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer;
  /** It fails at that time, in place of an answer. */
  readonly error?: Error;
  /** Whether it does so after the head of an answer. */
  readonly isBegun?: boolean;
}

/** A run on virtual time against a target given by what it answers at which time. */
export async function runVirtually(
  scenario: Scenario,
  answer: (nowMs: number, pending: PendingRequest) => VirtualAnswer,
  rest: Partial<LoadJob> & { readonly sink?: LoadSink } = {},
  time: VirtualTime = new VirtualTime(),
): Promise<{ samples: Sample[]; facts: GeneratorFacts; time: VirtualTime }> {
  const samples: Sample[] = [];
  const job: LoadJob = {
    ...planOf(scenario),
    sink: { sample: (sample) => samples.push(sample) },
    isThrottled: TYPED_ERRORS.isThrottled,
    waitIn: TYPED_ERRORS.waitIn,
    timeoutMs: 10_000,
    maxBodyBytes: 1_000_000,
    connections: 1_000,
    signal: new AbortController().signal,
    ...rest,
  };
  const startMs = time.nowMs();
  const requests = new ReadyRequests(
    {
      config: {
        zapUrl: 'http://zap.example',
        tradeUrl: 'http://trade.example',
        timeoutMs: job.timeoutMs,
        maxBodyBytes: job.maxBodyBytes,
      },
      redactor: createRedactor({
        ASSAY_TRADE_KEY: 'key-one-key',
        ASSAY_TRADE_KEY_2: 'key-two-key',
      }),
      run: 'run',
    },
    [],
  );
  const send = (pending: PendingRequest): void => {
    let isAborted = false;
    pending.onConnect(() => (isAborted = true));
    const {
      endMs,
      status = 200,
      headers = [],
      body = '{}',
      error,
      isBegun = false,
    } = answer(time.nowMs() - startMs, pending);
    if (endMs === undefined) return;
    time.at(startMs + endMs, () => {
      if (isAborted) return;
      if (error !== undefined) {
        if (isBegun) pending.onHeaders(status, []);
        pending.onError(error);
        return;
      }
      pending.onHeaders(
        status,
        headers.flat().map((text) => Buffer.from(text)),
      );
      pending.onData(Buffer.from(body));
      pending.onComplete();
    });
  };
  const running = new OpenLoopRun(job, { time, requests, send }).run();
  const settled = running.then(
    () => undefined,
    () => undefined,
  );
  await time.pass();
  await settled;
  return { samples, facts: await running, time };
}
