/**
 * All buckets of a target, one after another: the limit, whose it is, its waits, and a client on it.
 *
 * Long because it is one way over all buckets, whose steps share what may be spent.
 */

import { bucketMet } from '../../contracts/run/load/bucket-met.ts';
import type { LimitVerdict } from '../../contracts/run/load/limit-measurement.ts';
import type { LimitCost, MeasuredLimit } from '../../contracts/run/run.ts';
import { BudgetExceeded, Interrupted } from '../../target/budget/governor.ts';
import type { ProbeDepth } from '../probe-depth.ts';
import type { ProbedService } from '../probed-service.ts';
import { nameOf, type ProbeTarget } from './bucket.ts';
import { chooseAsk } from './choose-ask.ts';
import { countsOf, findLimit, type Share } from './find.ts';
import { rounded } from './facts/facts.ts';
import { measured, type LaterStages } from './measure.ts';
import { afford, NotAffordable, type ProbedBucket, type Probing } from './probing.ts';
import { WaitTooLong } from './budget-left.ts';
import { reopened } from './reopen.ts';
import { rejectsEach, stagesOf } from './stages.ts';
import { throttlePattern } from './throttle-pattern.ts';
import { words } from './facts/words.ts';

/** How to probe. */
export interface ProbeTargetOptions {
  readonly service: ProbedService;
  readonly target: ProbeTarget;
  /** Longer waits than this are not looked into. */
  readonly mostWaitSeconds: number;
  readonly depth: ProbeDepth;
  /** Whether the target runs on this machine. */
  readonly isLocal: boolean;
}

/** What became of a target. */
export interface ProbedTarget {
  readonly limits: readonly MeasuredLimit[];
  /** For the plot. */
  readonly probed: readonly ProbedBucket[];
  /**
   * Whether a limit could not be looked for to its end, or the time ended a stage: out of budget,
   * interrupted, stopped.
   */
  readonly cutShort: boolean;
  /** A sentence on each thing that was left out. */
  readonly notices: readonly string[];
}

/** Of the rejections of a bucket this share is for finding the limit, the rest for what follows. */
const FINDING_SHARE = 2 / 3;
/** Requests in flight at once; on one machine the probe itself would slow down the answers. */
const MAX_CONCURRENT = 20;
const MAX_CONCURRENT_LOCAL = 6;

/**
 * Probes a target. Never more than one bucket is exhausted at a time, and each stage begins with full
 * ones. Ends early, with what is known, when the budget is spent or the signal says so.
 */
export async function probeTarget(
  options: ProbeTargetOptions,
  probing: Probing,
): Promise<ProbedTarget> {
  const { service } = options;
  const { budgetLeft } = probing;
  const buckets = service.bucketsOf(options.target);
  const notices: string[] = [];
  const probed: ProbedBucket[] = [];
  const later = new Map<ProbedBucket, LaterStages>();
  let cutShort = false;
  const isOver = (): boolean => budgetLeft.left.seconds <= 0;
  const keepKnown = (): void =>
    probing.keep?.(knownOf(probed, later, isOver).map(({ limit }) => limit));

  let { target } = options;
  for (const [index, { api, scope }] of buckets.entries()) {
    const name = nameOf({ api, scope });
    const before = budgetLeft.spent;
    const { found: one } = await attempt(notices, `${name} was not probed`, async () => {
      await untilFull(probed, probing, name);
      const [first] = service.bucketsOf(target).slice(index);
      if (first === undefined) return undefined;
      const { method, path } = first.plain;
      probing.say(`${name}: finding the limit with ${method} ${path}`);
      let called = '';
      const { ask, sent } = await chooseAsk(first.plain, probing.sender, async () => {
        const served = await service.servedAsk(api, target, probing.sender);
        called = served?.called ?? '';
        return served?.ask;
      });
      if (ask !== first.plain) {
        target = { ...target, asks: { ...target.asks, [api]: { ...ask, credential: 'none' } } };
        probing.say(`${name}: refusals may not count, so with ${called} that is served`);
      }
      const [bucket = first] = service.bucketsOf(target).slice(index);
      const share = shareOf(options, probing, buckets.length - index);
      return findLimit(bucket, probing, share, sent);
    });
    if (one === undefined) {
      cutShort = true;
      continue;
    }
    probed.push(one);
    later.set(one, { whole: since(before, budgetLeft.spent) });
    keepKnown();
    probing.say(`${name}: ${words(one.facts)} (${countsOf(one.reported)})`);
    const why = unfinished(one);
    if (why !== null) {
      cutShort = true;
      notices.push(`${name}: ${why}`);
      const { found: pattern } = await attempt([], name, () => throttlePattern(one, probing));
      if (pattern !== undefined) notices.push(`${name}: ${pattern}`);
    }
  }
  for (const stage of stagesOf(options.depth)) {
    const those = probed.filter(stage.applies);
    for (const [nth, one] of those.entries()) {
      const name = nameOf(one.bucket);
      const what = `${name}: ${stage.name}`;
      const before = budgetLeft.spent;
      const { found, ending } = await attempt(notices, `${what} was left out`, async () => {
        afford(probing.budgetLeft, stage.requests(one), stage.seconds(one));
        const others = apart(one, probed, later).filter((other) => other !== one);
        await untilFull(stage.needsFull(one) ? [one, ...others] : others, probing, name);
        probing.say(what);
        const { rejects } = probing.budgetLeft.left;
        return stage.run(one, probing, rejectsEach(rejects, nth, those.length));
      });
      const known = later.get(one);
      const whole = since(before, budgetLeft.spent, known?.whole);
      later.set(one, { ...known, ...found, whole });
      if (found !== undefined) keepKnown();
      const midway = found?.fannedOut?.ending ?? found?.waits?.ending;
      if (midway !== undefined) noteEnding(notices, `${what} ended early`, midway);
      cutShort ||= [ending, midway].some(isOutOfTime);
    }
  }
  const known = knownOf(probed, later, isOver);
  const limits = known.map(({ limit }) => limit);
  const ended = known.map(({ bucket }) => bucket);
  // Also what a later stage took back.
  for (const { bucket, limit } of known) {
    const { verdict, why } = limit.row;
    if (!NOT_NAMED.includes(verdict) || why === undefined) continue;
    cutShort = true;
    notices.push(`${nameOf(bucket.bucket)}: its limit is not known: ${why}.`);
  }
  return { limits, probed: ended, cutShort: cutShort || probing.signal.aborted, notices };
}

/** What is known of each bucket by what all stages found of it so far. */
function knownOf(
  probed: readonly ProbedBucket[],
  later: ReadonlyMap<ProbedBucket, LaterStages>,
  isOver: () => boolean,
): { readonly bucket: ProbedBucket; readonly limit: MeasuredLimit }[] {
  return probed.map((one) => {
    const stages = later.get(one) ?? {};
    const bucket = reopened(one, stages, isOver);
    return { bucket, limit: measured(bucket, stages) };
  });
}

/** What was spent since then, on top of what was spent earlier. */
function since(
  before: LimitCost,
  now: LimitCost,
  earlier: LimitCost = { requests: 0, rejects: 0, seconds: 0 },
): LimitCost {
  return {
    requests: earlier.requests + now.requests - before.requests,
    rejects: earlier.rejects + now.rejects - before.rejects,
    seconds: earlier.seconds + now.seconds - before.seconds,
  };
}

/** What a step found, or what ended it. */
interface Attempted<T> {
  readonly found?: T;
  readonly ending?: unknown;
}

/** Runs a step; out of budget it says so. */
async function attempt<T>(
  notices: string[],
  what: string,
  step: () => Promise<T>,
): Promise<Attempted<T>> {
  try {
    return { found: await step() };
  } catch (ending) {
    noteEnding(notices, what, ending);
    return { ending };
  }
}

/** Says what ended a step, unless it was an interruption: whoever interrupted knows. */
function noteEnding(notices: string[], what: string, ending: unknown): void {
  if (ending instanceof Interrupted) return;
  const isExpected =
    ending instanceof NotAffordable ||
    ending instanceof BudgetExceeded ||
    ending instanceof WaitTooLong;
  if (!isExpected) throw ending;
  notices.push(`${what}: ${ending.message}`);
}

/** What could not be afforded from the first is reported, and leaves a run whole. */
function isOutOfTime(ending: unknown): boolean {
  if (ending instanceof BudgetExceeded) return ending.which === 'seconds';
  return ending instanceof WaitTooLong || ending instanceof Interrupted;
}

function shareOf(
  { mostWaitSeconds, isLocal }: ProbeTargetOptions,
  { budgetLeft }: Probing,
  buckets: number,
): Share {
  const { requests, rejects, seconds } = budgetLeft.left;
  return {
    mostWaitSeconds,
    isLocal,
    budget: {
      maxRequests: Math.max(1, Math.floor(requests / buckets)),
      maxRejects: Math.max(1, Math.floor((FINDING_SHARE * rejects) / buckets)),
      maxSeconds: seconds / buckets,
      maxRatePerSecond: 1000 / budgetLeft.spacingMs,
      maxConcurrent: isLocal ? MAX_CONCURRENT_LOCAL : MAX_CONCURRENT,
    },
  };
}

/** The buckets that must be full for a stage on one of them: all, until the APIs are known to be apart. */
function apart(
  one: ProbedBucket,
  probed: readonly ProbedBucket[],
  later: ReadonlyMap<ProbedBucket, LaterStages>,
): readonly ProbedBucket[] {
  const areApart = [...later].some(([{ facts }, { fannedOut }]) =>
    fannedOut?.fanOut.some(
      (fan) => fan.kind === 'other-api' && bucketMet(fan, facts.estimate) === 'separate',
    ),
  );
  return areApart ? probed.filter(({ bucket: { api } }) => api === one.bucket.api) : probed;
}

/** Waits until all of the buckets are surely full again. */
async function untilFull(
  probed: readonly ProbedBucket[],
  { clock, say, budgetLeft }: Probing,
  name: string,
): Promise<void> {
  const seconds = Math.max(0, ...probed.map(({ fullSeconds = 0 }) => fullSeconds));
  const lastMs = Math.max(0, ...probed.map(({ bucket: { api } }) => budgetLeft.lastMs(api)));
  const endMs = lastMs + 1000 * seconds + SLACK_MS;
  const waitMs = endMs - clock.nowMs();
  if (seconds === 0 || waitMs <= 0) return;
  if (waitMs > QUIET_MS && waitMs <= 1000 * budgetLeft.left.seconds)
    say(`${name}: ${Math.ceil(waitMs / 1000)} s of silence, for a full bucket`);
  await budgetLeft.sleep(waitMs, 'the silence until what was exhausted before is full again');
}

const SLACK_MS = 50;
/** Shorter waits are not worth a line. */
const QUIET_MS = 2000;

/** Why the limit is not known although it was looked for. */
function unfinished({ stopped, facts, result }: ProbedBucket): string | null {
  if (stopped !== undefined) return `the probe stopped, since ${stopped}.`;
  const { verdict, admitted } = facts.estimate;
  const passed = `${admitted?.requests ?? 0} requests in ${admitted?.seconds ?? 0} s were admitted`;
  switch (verdict) {
    case 'above-budget':
      return `${passed}, and a limit that is claimed was not met. More requests or a higher rate may meet it.`;
    case 'unlimited-within-budget':
      return `${passed}, and no limit was met. More requests or a higher rate may meet one.`;
    case 'inconclusive':
      return (
        spentOf(result) ??
        (admitted?.requests === 0 ? NOTHING_ADMITTED : 'the probe was interrupted.')
      );
    default:
      return spentOf(result);
  }
}

/** What does not say which limit there is, or whether there is one. */
const NOT_NAMED: readonly LimitVerdict[] = ['composite', 'ambiguous'];

const NOTHING_ADMITTED =
  'no request was admitted, so nothing is known of its limit. It may be used up by others, or blocked.';

function spentOf({ stopped, unfit }: ProbedBucket['result']): string | null {
  if (unfit === undefined) return SPENT[stopped] ?? null;
  const { wantedMs, leftMs } = unfit;
  const [wanted, left] = [wantedMs, Math.max(0, leftMs)].map((ms) => `${rounded(ms / 1000)} s`);
  return `the limit is not known yet. The next request was to wait for ${wanted}, and its share of --max-seconds had ${left} left.`;
}

const SPENT: Readonly<Partial<Record<ProbedBucket['result']['stopped'], string>>> = {
  'max-requests': 'its share of --max-requests ended before the limit was known.',
  'max-rejects': 'its share of --max-rejects ended before the limit was known.',
  'max-seconds': 'its share of --max-seconds ended before the limit was known.',
  'max-record bytes': '--max-record-bytes ended before the limit was known.',
};
