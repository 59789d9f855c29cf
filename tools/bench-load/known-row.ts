import { loadContract } from '../../contracts/service/load-contract.ts';
import { RULES } from '../../contracts/service/registry.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { createRedactor } from '../../target/redaction/redactor.ts';
import type { PreparedRequest } from '../../load/engine.ts';
import { createOpenLoopEngine } from '../../load/engines/open-loop/open-loop.ts';
import { rulesOfAnswers } from '../../load/judging/answer-judge.ts';
import { openLiveJudge } from '../../load/judging/live-judge.ts';
import type { RunDescription } from '../../load/run/run-description.ts';
import { startLoad } from '../../load/run/run-load.ts';
import { scheduleOf } from '../../load/scenarios/schedule.ts';
import { SERVICE } from '../../cli/service.ts';
import type { AccuracyLine } from './accuracy.ts';
import { preparedQuotes, scenarioAt } from './prepared.ts';
import type { Sent } from './material.ts';
import type { Measured } from './row.ts';

/** A load run at one rate, in a process of its own. */
export interface KnownRowJob {
  /** Judged when absent. */
  readonly isJudged?: boolean;
  /** Whether all answers are judged, however busy this thread is; else a share, as in a run. */
  readonly areAll?: boolean;
  readonly url: string;
  readonly posts: readonly Sent[];
  readonly perSecond: number;
  readonly seconds: number;
}

/** What it came to. */
export type KnownRow = AccuracyLine['judged'] & Pick<Measured, 'requests' | 'cpuSeconds'>;

/** From which the thread that judges takes the service; the one that is bundled stands elsewhere. */
const JUDGED_BY = new URL('../../contracts/service/index.js', import.meta.url).href;
const LIMITS = { timeoutMs: 10_000, maxBodyBytes: 4_194_304 } as const;
/** As a preparation sends before a load run. */
const BEFORE = { perSecond: 25, seconds: 4 } as const;

process.once('message', (job: KnownRowJob) => {
  void measured(job).then((figures) => process.send?.(figures));
});

// Nobody is left to send figures to.
process.once('disconnect', () => {
  process.exit();
});

/** What the command line does in a load run, without the reports. */
async function measured({
  url,
  posts,
  perSecond,
  seconds,
  isJudged = true,
  areAll = false,
}: KnownRowJob): Promise<KnownRow> {
  const requests = preparedQuotes(posts);
  const contract = await loadContract();
  const live = rulesOfAnswers(RULES);
  const warmUp: Exchange[] = [];
  const outgoing = { config: { zapUrl: url, ...LIMITS }, redactor: createRedactor({}) };
  const run = (rate: typeof BEFORE | KnownRowJob): RunDescription => {
    const scenario = scenarioAt(rate.perSecond, rate.seconds);
    return {
      job: {
        ...{ scenario, schedule: scheduleOf(scenario), requests, ...LIMITS, connections: 2_000 },
        choose: (slot): PreparedRequest => chosen(requests, slot),
        isThrottled: SERVICE.errors.isThrottled,
        waitIn: SERVICE.errors.waitIn,
        signal: new AbortController().signal,
      },
      engine: () => createOpenLoopEngine({ outgoing }),
      ...{ version: '', keep: () => true, thresholds: [], failsRun: () => true },
    };
  };
  const keepAll = {
    ...{ wants: () => true, counts: () => ({ judged: 0, broken: 0 }) },
    exchange: (exchange: Exchange) => void warmUp.push(exchange),
    settle: () => Promise.resolve(),
    end: () =>
      Promise.resolve({
        judged: { answers: 0, of: 0, kept: 0 },
        ...{ violations: [], steps: [], notices: [] },
      }),
  };
  await startLoad(run(BEFORE), keepAll).ended;
  const description = run({ url, posts, perSecond, seconds });
  const { scenario, schedule } = description.job;
  const judge = isJudged
    ? await openLiveJudge(
        { scenario, requests: schedule.slots, keep: () => true },
        {
          ...{ contract, rules: [], live, warmUp },
          by: { service: JUDGED_BY, contractFiles: [] },
          ...(areAll ? { utilization: () => 0 } : {}),
        },
      )
    : undefined;
  const { load, notices } = await startLoad(description, judge).ended;
  const { latency, allLatency: { p50Ms = Infinity, p99Ms = Infinity } = latency } = load.whole;
  const { counts } = load.whole;
  if (counts.served !== counts.sent)
    throw new Error(
      `only ${counts.served} requests were served: ${JSON.stringify(load.errors)} ${load.invalid.join(' ')}`,
    );
  if (areAll && load.judged.answers < counts.served)
    throw new Error(
      `only ${load.judged.answers} of ${counts.served} answers were judged: ${notices.join(' ')}`,
    );
  const { cpuSeconds = NaN } = load.generator;
  return { p50Ms, p99Ms, isValid: load.invalid.length === 0, requests: counts.sent, cpuSeconds };
}

function chosen(requests: readonly PreparedRequest[], slot: number): PreparedRequest {
  const request = requests[slot % requests.length];
  if (request === undefined) throw new Error('there is nothing to send');
  return request;
}
