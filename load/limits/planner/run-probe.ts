import { concludeAtEnd, type LimitEstimate } from '../estimate/estimate.ts';
import { withStack } from '../estimate/two-limits.ts';
import type { UnfitWait } from './pacing.ts';
import { beginProbe, decide, observed, type ProbeBudget, type StopReason } from './plan.ts';
import type { ProbeEvent, Transcript, WallClock } from '../transcript.ts';

/** A request that was not sent, and why: the probe ends with it. */
export interface NotSent {
  readonly notSent: StopReason | 'interrupted';
}

/** What a probe needs of the world. */
export interface ProbeWorld {
  /** One request; a failure of the network is an event as well, so it never rejects. */
  readonly send: () => Promise<ProbeEvent | NotSent>;
  /** Milliseconds on a monotonic clock, the one of the events. */
  readonly nowMs: () => number;
  /** Waits; ends early when the signal does, if it likes. */
  readonly sleepMs: (durationMs: number, signal?: AbortSignal) => Promise<void>;
}

/** What a probe found, and what it cost. */
export interface ProbeResult {
  readonly estimate: LimitEstimate;
  readonly transcript: Transcript;
  readonly stopped: StopReason | 'interrupted' | 'failing';
  /** The wait for which there was no time, where that is what ended it. */
  readonly unfit?: UnfitWait;
  readonly requests: number;
  readonly rejects: number;
  readonly seconds: number;
}

/** Options of a probe. */
export interface ProbeOptions {
  readonly budget: ProbeBudget;
  readonly wall?: WallClock;
  /** Ends the probe after the burst that is under way; the estimate is of what was seen until then. */
  readonly signal?: AbortSignal;
  /** Called with each burst as it ends. */
  readonly onBurst?: (burst: readonly ProbeEvent[]) => void;
}

/** Failed requests in a row after which a probe gives up. */
const MAX_FAILURES = 3;

/**
 * Probes one bucket until its limit is identified, nothing more can be learned, the budget is spent, or
 * the signal ends it. Never throws by itself; what `send` throws passes through.
 */
export async function runProbe(world: ProbeWorld, options: ProbeOptions): Promise<ProbeResult> {
  const { budget, wall, signal, onBurst } = options;
  let plan = beginProbe(budget, wall);
  let stopped: ProbeResult['stopped'] | null = null;
  let unfit: UnfitWait | undefined;
  const interrupted = (): boolean => signal?.aborted ?? false;
  const isOver = (): boolean => {
    const first = plan.posterior.transcript.events[0]?.sentMs ?? Infinity;
    return interrupted() || world.nowMs() >= first + 1000 * budget.maxSeconds;
  };
  while (stopped === null) {
    if (interrupted()) {
      stopped = 'interrupted';
      break;
    }
    const [next, action] = decide(plan, world.nowMs(), isOver);
    plan = next;
    if (action.kind === 'stop') {
      stopped = action.reason;
      ({ unfit } = action);
      break;
    }
    const waitMs = action.waitUntilMs - world.nowMs();
    if (waitMs > 0) {
      await world.sleepMs(waitMs, signal);
      if (world.nowMs() < action.waitUntilMs && interrupted()) continue;
    }
    const all = await Promise.all(Array.from({ length: action.concurrent }, () => world.send()));
    const burst = all.filter((one) => 'outcome' in one);
    if (burst.length > 0) plan = observed(plan, burst);
    onBurst?.(burst);
    stopped = all.find((one) => 'notSent' in one)?.notSent ?? null;
    const late = plan.posterior.transcript.events.slice(-MAX_FAILURES);
    if (late.length === MAX_FAILURES && late.every(({ outcome }) => outcome === 'failed')) {
      stopped ??= 'failing';
    }
  }
  const { transcript } = plan.posterior;
  const { events } = transcript;
  const last = events.at(-1);
  return {
    estimate: withStack(concludeAtEnd(plan.posterior, isOver), plan.stack, transcript),
    transcript,
    stopped,
    ...(unfit === undefined ? {} : { unfit }),
    requests: events.length,
    rejects: events.filter(({ outcome }) => outcome === 'rejected').length,
    seconds: last === undefined ? 0 : (last.receivedMs - (events[0]?.sentMs ?? 0)) / 1000,
  };
}
