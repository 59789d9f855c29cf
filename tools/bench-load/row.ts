import autocannon from 'autocannon';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { RULES } from '../../contracts/service/registry.ts';
import { createRedactor } from '../../target/redaction/redactor.ts';
import type { PreparedRequest } from '../../load/engine.ts';
import type { LoadSink } from '../../load/load-sink.ts';
import type { LoadTime } from '../../load/engines/load-time.ts';
import { createOpenLoopEngine } from '../../load/engines/open-loop/open-loop.ts';
import { rulesOfAnswers } from '../../load/judging/answer-judge.ts';
import { openLiveJudge } from '../../load/judging/live-judge.ts';
import { LoadAccumulator } from '../../load/samples/load-accumulator.ts';
import { scheduleOf } from '../../load/scenarios/schedule.ts';
import type { Sent } from './material.ts';
import { preparedQuotes, scenarioAt } from './prepared.ts';
import { SERVICE } from '../../cli/service.ts';

/** One generator to be measured, in a process of its own. */
export interface RowJob {
  readonly generator: 'judged' | 'unjudged' | 'autocannon';
  readonly url: string;
  readonly posts: readonly Sent[];
  readonly warmUp: number;
  readonly requests: number;
  readonly connections: number;
  /** A rate for autocannon to keep to, by sending each second's share at once; as fast as it can when absent. */
  readonly perSecond?: number;
}

/** What a generator took for so many requests. */
export interface Measured {
  readonly requests: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Most memory of its process. */
  readonly megabytes?: number;
}

/** Of a time that goes by answers. */
const TIMEOUT_MS = 1e9;
const MAX_BODY_BYTES = 4_194_304;

process.once('message', (job: RowJob) => {
  void measure(job).then((measured) => process.send?.(measured));
});

// Nobody is left to send figures to.
process.once('disconnect', () => {
  process.exit();
});

async function measure(job: RowJob): Promise<Measured> {
  const run = job.generator === 'autocannon' ? runAutocannon : await openLoop(job);
  await run(job, job.warmUp);
  const [startMs, cpu] = [performance.now(), process.cpuUsage()];
  await run(job, job.requests);
  const { user, system } = process.cpuUsage(cpu);
  return {
    requests: job.requests,
    seconds: (performance.now() - startMs) / 1000,
    cpuSeconds: (user + system) / 1e6,
    megabytes: process.resourceUsage().maxRSS / 1024,
  };
}

type Run = (job: RowJob, requests: number) => Promise<void>;

/**
 * Sends one more as often as one was answered: time goes by answers, a millisecond for each. Nobody looks
 * at it while nothing is answered, as that would cost what no request costs.
 */
class AnswerTime implements LoadTime {
  #nowMs = 0;
  #hasPassed = false;
  #waiting: (() => void) | undefined;

  nowMs(): number {
    // What the clock of the machine costs is part of what a request costs.
    return this.#nowMs + performance.now() * 1e-9;
  }

  tick(callback: () => void): void {
    if (this.#hasPassed) setImmediate(callback);
    else this.#waiting = callback;
    this.#hasPassed = false;
  }

  soon(callback: () => void): void {
    setImmediate(callback);
  }

  pass(ms: number): void {
    this.#nowMs += ms;
    this.#hasPassed = this.#waiting === undefined;
    if (this.#waiting !== undefined) setImmediate(this.#waiting);
    this.#waiting = undefined;
  }
}

async function openLoop({ generator, posts, url }: RowJob): Promise<Run> {
  const config = {
    zapUrl: url,
    isThrottled: SERVICE.errors.isThrottled,
    timeoutMs: TIMEOUT_MS,
    maxBodyBytes: MAX_BODY_BYTES,
  };
  const time = new AnswerTime();
  const engine = createOpenLoopEngine({ outgoing: { config, redactor: createRedactor({}) }, time });
  const prepared = preparedQuotes(posts);
  const rules = rulesOfAnswers(RULES);
  const contract = await loadContract();
  return async ({ connections }, requests) => {
    // One each millisecond of such a time.
    const scenario = scenarioAt(1000, requests / 1000);
    const plan = {
      scenario,
      schedule: scheduleOf(scenario),
      requests: prepared,
      choose: (slot: number): PreparedRequest => {
        const chosen = prepared[slot % prepared.length];
        if (chosen === undefined) throw new Error('there is nothing to send');
        return chosen;
      },
    };
    const accumulator = new LoadAccumulator(plan);
    const judge = await openLiveJudge(
      { scenario, requests, keep: () => false },
      { contract, rules: [], live: rules, utilization: () => 0 },
    );
    const sink: LoadSink = {
      sample: (sample) => {
        accumulator.sample(sample);
        time.pass(1);
      },
      ...(generator === 'judged'
        ? {
            exchange: (exchange, step) => {
              judge.exchange(exchange, step);
            },
          }
        : {}),
    };
    // So many are due when it begins.
    const running = engine.run({
      ...plan,
      sink,
      isThrottled: SERVICE.errors.isThrottled,
      waitIn: SERVICE.errors.waitIn,
      timeoutMs: TIMEOUT_MS,
      maxBodyBytes: MAX_BODY_BYTES,
      connections,
      signal: new AbortController().signal,
    });
    time.pass(connections);
    await running;
    const { counts } = accumulator.whole();
    if (counts.served !== requests) throw new Error(`only ${counts.served} requests were served`);
    const { judged, violations } = await judge.end();
    if (generator === 'judged' && judged.answers !== requests) {
      throw new Error(`only ${judged.answers} answers were judged`);
    }
    for (const { rule } of violations) throw new Error(`${rule} is said to be broken`);
  };
}

const runAutocannon: Run = async ({ posts, url, connections, perSecond }, requests) => {
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    autocannon(
      {
        url,
        amount: requests,
        connections,
        sampleInt: 20,
        ...(perSecond === undefined ? {} : { overallRate: perSecond }),
        requests: posts.map(({ path, body }) => ({
          method: 'POST',
          path,
          body,
          headers: { 'content-type': 'application/json', accept: 'application/json' },
        })),
      },
      (error: unknown, measured) => {
        if (error instanceof Error) reject(error);
        else resolve(measured);
      },
    );
  });
  if (result['2xx'] !== requests) throw new Error(`only ${result['2xx']} requests were served`);
};
