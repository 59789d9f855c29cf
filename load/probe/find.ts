/** Stage one: the limit of one bucket, from plain requests alone. */

import { BudgetExceeded, Interrupted } from '../../target/budget/governor.ts';
import {
  estimate,
  roundTripMs,
  runProbe,
  type NotSent,
  type ProbeBudget,
  type ProbeEvent,
  type ProbeResult,
  type ProbeWorld,
} from '../limits/index.ts';
import { nameOf, type Bucket } from './bucket.ts';
import type { Reported } from './sender.ts';
import { factsOf, type Facts } from './facts/facts.ts';
import { secondsUntilFull } from './facts/full-bucket.ts';
import { unevenRuns } from './facts/uneven-runs.ts';
import type { ProbedBucket, Probing } from './probing.ts';
import { stopAfter } from './stops.ts';
import { localWallClock, wallClock } from './wall-clock.ts';

/** What one bucket may spend. */
export interface Share {
  readonly budget: ProbeBudget;
  /** The target is left alone when it asks for a longer wait. */
  readonly mostWaitSeconds: number;
  /** Whether the target runs on this machine, and so by its clock. */
  readonly isLocal: boolean;
}

/** Between lines on how far a long probe is. */
const PROGRESS_MS = 10_000;

/**
 * Probes one full bucket. The first request tells whether there is anything to probe, and the clock
 * of the target.
 *
 * @param sent the requests that went to the bucket before: they are part of its transcript
 * @throws what the sender throws
 */
export async function findLimit(
  bucket: Bucket,
  { sender, clock, budgetLeft, signal, say }: Probing,
  { budget, mostWaitSeconds, isLocal }: Share,
  sent: readonly Reported[],
): Promise<ProbedBucket> {
  const reported: Reported[] = [...sent];
  const ending = new AbortController();
  const both = AbortSignal.any([signal, ending.signal]);
  const end = { why: stopAfter(reported, mostWaitSeconds) };
  if (end.why !== null) ending.abort();
  const ask = async (): Promise<Reported> => {
    const one = await sender(bucket.plain);
    reported.push(one);
    end.why ??= stopAfter(inOrder(reported), mostWaitSeconds);
    if (end.why !== null) ending.abort();
    return one;
  };
  const clockOf = isLocal ? localWallClock : wallClock;
  const wall = clockOf(reported);
  const waiting: ProbeEvent[] = [...reported];
  let saidMs = clock.nowMs();
  const world: ProbeWorld = {
    nowMs: () => clock.nowMs(),
    sleepMs: async (ms) => {
      if (ms > PROGRESS_MS) {
        say(
          `${nameOf(bucket)}: ${Math.round(ms / 1000)} s of waiting, after ${countsOf(reported)}`,
        );
        saidMs = clock.nowMs();
      }
      // The budget of the plan ends no later than the budget, so there is time for what it asks for.
      await budgetLeft.sleep(ms).catch((error: unknown) => {
        if (!(error instanceof Interrupted)) throw error;
      });
    },
    send: async () => waiting.shift() ?? (await ask().catch(notSent)),
  };
  const probe = async (one: ProbeBudget): Promise<ProbeResult> => {
    const early = await runProbe(world, {
      budget: one,
      ...(wall === undefined ? {} : { wall }),
      signal: both,
      onBurst: () => {
        if (clock.nowMs() - saidMs < PROGRESS_MS) return;
        saidMs = clock.nowMs();
        say(`${nameOf(bucket)}: still looking, ${countsOf(reported)}`);
      },
    });
    return isLocal ? early : withWall(early, reported, () => budgetLeft.left.seconds <= 0);
  };
  const first = await probe(budget);
  const silence = both.aborted ? null : silenceBefore(first, budget);
  let [result, from] = [first, 0];
  if (silence !== null) {
    const wait = `once more after ${Math.ceil(silence.seconds)} s of silence`;
    say(`${nameOf(bucket)}: nothing explains that, but others may have asked before; ${wait}`);
    from = reported.length;
    await world.sleepMs(1000 * silence.seconds);
    result = await probe(silence.budget);
  }
  const found = factsOf(result);
  const uneven = unevenRuns([first, result].map(({ transcript }) => transcript.events));
  const isShared = found.estimate.verdict === 'composite' && uneven !== null;
  const facts = isShared ? sharedWithOthers(found, uneven) : found;
  const fullSeconds = secondsUntilFull(result);
  const why = end.why ?? failureOf(result.stopped, reported) ?? saturationOf(result, reported);
  return {
    bucket,
    result,
    facts: why === null ? facts : inconclusive(facts),
    reported: inOrder(reported.slice(from)),
    fullSeconds,
    ...(why === null ? {} : { stopped: why }),
  };
}

/** A second try must be able to cost as much as the first one. */
interface Silence {
  readonly seconds: number;
  /** What is left for it. */
  readonly budget: ProbeBudget;
}

/**
 * The silence after which a limit that no class explains is looked for once more: a request of somebody else shortly
 * before makes the first run shorter than all others. Null where something was found, or where too little is left.
 */
function silenceBefore(first: ProbeResult, budget: ProbeBudget): Silence | null {
  const seconds = secondsUntilFull(first);
  if (first.estimate.kind !== 'composite' || seconds === undefined) return null;
  const left = {
    ...budget,
    maxRequests: budget.maxRequests - first.requests,
    maxRejects: budget.maxRejects - first.rejects,
    maxSeconds: budget.maxSeconds - first.seconds - seconds,
  };
  const isEnough =
    left.maxRequests >= first.requests &&
    left.maxRejects >= first.rejects &&
    left.maxSeconds >= first.seconds;
  return isEnough ? { seconds, budget: left } : null;
}

/** What is said of a limit that did not let in as much each time: nobody knows then that it fits no class. */
function sharedWithOthers(
  facts: Facts,
  { least, most }: NonNullable<ReturnType<typeof unevenRuns>>,
): Facts {
  const why = `a full bucket let in ${least} requests at one time and ${most} at another, so others may use it up as well, or several processes count apart; nobody else should ask meanwhile`;
  return { ...facts, estimate: { ...facts.estimate, verdict: 'ambiguous', why } };
}

/** Out of budget or interrupted, the probe ends with what is known. */
function notSent(error: unknown): NotSent {
  if (error instanceof BudgetExceeded) return { notSent: `max-${error.which}` };
  if (error instanceof Interrupted) return { notSent: 'interrupted' };
  throw error;
}

/** By then the dates of all answers tell the clock far better than the first one did. */
function withWall(
  result: ProbeResult,
  reported: readonly Reported[],
  isOver: () => boolean,
): ProbeResult {
  const wall = wallClock(reported);
  if (result.estimate.kind !== 'ambiguous' || wall === undefined) return result;
  return { ...result, estimate: estimate({ ...result.transcript, wall }, isOver) };
}

function inOrder(reported: readonly Reported[]): Reported[] {
  return [...reported].sort((a, b) => a.sentMs - b.sentMs);
}

function failureOf(stopped: string, reported: readonly Reported[]): string | null {
  if (stopped !== 'failing') return null;
  return `no answer came: ${reported.at(-1)?.failure ?? 'no request was sent'}`;
}

/** A shaper that no single client would feel is rather the end of what the machines can do. */
function saturationOf(
  { estimate: { kind, refillPerSecond } }: ProbeResult,
  reported: readonly Reported[],
): string | null {
  if (kind !== 'shaped' || refillPerSecond === undefined) return null;
  if (1000 / refillPerSecond > 2 * roundTripMs(reported)) return null;
  return `its answers slow down at ${Math.round(refillPerSecond)} a second, which may be all that the machines can do`;
}

/** What was known when the target made the probe stop is kept. */
function inconclusive(facts: Facts): Facts {
  if (facts.estimate.verdict === 'identified') return facts;
  const estimate = { ...facts.estimate, verdict: 'inconclusive' as const };
  // Why no one class is named is that the probe had to stop.
  delete estimate.why;
  return { ...facts, estimate };
}

/** `45 requests, 41 admitted, 4 rejected`. */
export function countsOf(reported: readonly Pick<Reported, 'outcome'>[]): string {
  const count = (outcome: Reported['outcome']): number =>
    reported.filter((one) => one.outcome === outcome).length;
  const failed = count('failed') > 0 ? `, ${count('failed')} failed` : '';
  return `${reported.length} requests, ${count('admitted')} admitted, ${count('rejected')} rejected${failed}`;
}
