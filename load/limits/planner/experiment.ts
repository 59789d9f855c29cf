import type { Hypothesis } from './hypotheses.ts';

/** Waits until a time, then sends up to `count` requests, until one is rejected. */
export interface Step {
  readonly atMs: number;
  readonly count: number;
  /** Whether all but the first are sent at once, so that what comes back meanwhile does not blur it. */
  readonly together?: true;
}

/** An experiment with what it is expected to tell and to cost. */
export interface Experiment {
  readonly steps: readonly Step[];
  /** What the outcome tells of the answer, bits. */
  readonly bits: number;
  readonly value: number;
  /** What is sent, and what of it is most likely admitted: with these alike it tells alike. */
  readonly name: string;
}

/** What an experiment costs beside its requests. */
export interface Costs {
  readonly nowMs: number;
  /** How late a request may be decided, ms. */
  readonly slackMs: number;
  /** Requests that the waiting of one window is worth. */
  readonly perWindow: number;
  readonly windowMs: number;
  /** How often each kind of experiment was made; what was expected of it may have been too much. */
  readonly made: ReadonlyMap<string, number>;
  /** Whether one of this name was repeated without a result so often that it is not repeated again. */
  readonly isIdle: (name: string) => boolean;
  /** Requests that may still be spent. */
  readonly most: number;
  /** Whether the service says truly how many are left, so that an admission tells more. */
  readonly reportsHold: boolean;
}

/** Until a rejection. */
export const UNTIL_REJECTED = 1e6;
const MAX_TIMES = 14;
/** As many as anybody may still have. */
const ALL = 1e6;
/** A single request that tells this much, in bits, is better than a burst that tells more. */
const MIN_TELLING_BITS = 0.01;
/** After so many of these, bursts are looked at as well. */
const MAX_SMALL = 4;
/** Some requests are more than what this part of the hypotheses, in probability, admits at a time. */
const MIN_LEFT_OUT = 0.03;
const TIMES_LEAST = 1.3;
const MORE_THAN_LEAST = 3;
/** And this part at most of what the others admit. */
const MAX_SOME = 0.6;
const SMALL: ReadonlySet<string> = new Set(['1', '2']);
/** How late in a window the rest of it is used up, as a part of it. */
const LATE_PART = 0.78;
/** What every experiment costs: rejections are the scarcest. */
const BASE_COST = 1;

/**
 * The experiment that tells most for what it costs; null when none tells anything. Where the service
 * says truly what is left, bursts are only looked at when no single request tells anything.
 */
export function bestExperiment(all: readonly Hypothesis[], costs: Costs): Experiment | null {
  const plans = plansFor(all, costs);
  const tried = [...costs.made].filter(([kind]) => SMALL.has(kind));
  const often = tried.reduce((sum, [, count]) => sum + count, 0);
  if (!costs.reportsHold || often > MAX_SMALL) return bestOf(plans, all, costs);
  const small = bestOf(plans.filter(isSmall), all, costs);
  return small !== null && small.bits >= MIN_TELLING_BITS ? small : bestOf(plans, all, costs);
}

function isSmall(steps: readonly Step[]): boolean {
  return steps.length === 1 && steps.every(({ count }) => count < UNTIL_REJECTED);
}

function bestOf(
  plans: readonly (readonly Step[])[],
  all: readonly Hypothesis[],
  costs: Costs,
): Experiment | null {
  let best: Experiment | null = null;
  for (const steps of plans) {
    const one = valued(steps, all, costs);
    if (one === null || costs.isIdle(one.name)) continue;
    const often = costs.made.get(kindOf(steps)) ?? 0;
    const value = one.value / (1 + often * (steps.length === 1 && steps[0]?.count === 1 ? 0.2 : 1));
    if (best === null || value > best.value) best = { ...one, value };
  }
  return best;
}

/** Experiments of one kind tell, or fail to tell, alike. */
export function kindOf(steps: readonly Step[]): string {
  return steps.map(({ count, together }) => (together === true ? 'some' : count)).join();
}

function plansFor(all: readonly Hypothesis[], { nowMs, slackMs }: Costs): Step[][] {
  const plans: Step[][] = [];
  const times = timesOf(all, nowMs, slackMs);
  for (const atMs of times) {
    for (const count of [1, 2, UNTIL_REJECTED]) plans.push([{ atMs, count }]);
    const some = tellingCount(all, atMs + slackMs);
    if (some !== null) plans.push([{ atMs, count: some, together: true }]);
  }
  const windows = typicalWindows(all);
  const longest = Math.max(...windows);
  const full = [...new Set([nowMs, ...times.slice(-1), nowMs + 1.6 * longest])];
  for (const atMs of full) {
    for (const windowMs of windows) {
      const burstMs = atMs + Math.max(20 * slackMs, LATE_PART * windowMs);
      const fill = [
        { atMs, count: 1 },
        { atMs: burstMs, count: UNTIL_REJECTED },
      ];
      // As two windows are distinguished where one of them is over and the other is not.
      plans.push([...fill, { atMs: atMs + windowMs + slackMs + 0.02 * windowMs, count: 2 }]);
      plans.push([...fill, { atMs: burstMs + 0.5 * windowMs, count: 1 }]);
    }
  }
  return plans;
}

/**
 * So many as are more than those hypotheses admit that admit least at a time: fewer than a burst, and they tell it
 * apart from the others as well; null where none are admitted, or where it would be nearly a burst.
 */
function tellingCount(all: readonly Hypothesis[], atMs: number): number | null {
  const taken = all
    .map(({ ahead, probability }) => ({ count: ahead.copy().take(atMs, ALL), probability }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count);
  let sum = 0;
  const least = taken.find(({ probability }) => (sum += probability) >= MIN_LEFT_OUT)?.count ?? 0;
  const count = Math.ceil(least * TIMES_LEAST) + MORE_THAN_LEAST;
  const most = taken.at(-1)?.count ?? 0;
  return least > 0 && count <= MAX_SOME * most ? count : null;
}

/** Times at which hypotheses say that something changes: right after, and between them. */
function timesOf(all: readonly Hypothesis[], nowMs: number, slackMs: number): number[] {
  const due = new Set<number>([nowMs]);
  for (const { ahead } of all) {
    for (const atMs of ahead.changes(nowMs)) {
      due.add(atMs + slackMs + 0.004 * (atMs - nowMs));
      if (atMs - 2 * slackMs > nowMs) due.add(atMs - 2 * slackMs);
    }
  }
  const sorted = [...due].filter((atMs) => Number.isFinite(atMs)).sort((a, b) => a - b);
  const apart: number[] = [];
  for (const atMs of sorted) {
    const last = apart.at(-1);
    if (last === undefined || atMs - last > slackMs / 2) apart.push(atMs);
  }
  const stride = Math.max(1, apart.length / MAX_TIMES);
  const picked = Array.from(
    { length: Math.ceil(apart.length / stride) },
    (_, i) => apart[Math.floor(i * stride)] ?? nowMs,
  );
  return [...new Set([...picked, apart.at(-1) ?? nowMs])];
}

/** The windows of the likeliest answers, up to three that differ. */
function typicalWindows(all: readonly Hypothesis[]): number[] {
  const windows: number[] = [];
  for (const { windowMs } of all) {
    const isNew = windows.every((other) => Math.abs(Math.log(other / windowMs)) > 0.1);
    if (isNew) windows.push(windowMs);
    if (windows.length === 3) break;
  }
  return windows;
}

/** Bits that the outcome tells of the answer, for the requests and the time that it takes. */
function valued(
  steps: readonly Step[],
  all: readonly Hypothesis[],
  { nowMs, slackMs, perWindow, windowMs, most, reportsHold }: Costs,
): Experiment | null {
  const outcomes = new Map<string, Map<string, number>>();
  let requests = 0;
  let endMs = 0;
  for (const { ahead, answer, probability } of all) {
    for (const late of [0, slackMs]) {
      const copy = ahead.copy();
      let outcome = '';
      for (const { atMs, count } of steps) {
        const taken = copy.take(atMs + late, count);
        const left = reportsHold && taken === count ? copy.copy().take(atMs + late, ALL) : 0;
        outcome += `${taken}/${left},`;
        requests += (probability / 2) * Math.min(taken + 1, count);
        endMs = atMs;
      }
      let answers = outcomes.get(outcome);
      if (answers === undefined) outcomes.set(outcome, (answers = new Map<string, number>()));
      answers.set(answer, (answers.get(answer) ?? 0) + probability / 2);
    }
  }
  if (outcomes.size < 2 || requests > most) return null;
  const before = new Map<string, number>();
  for (const { answer, probability } of all)
    before.set(answer, (before.get(answer) ?? 0) + probability);
  let bits = entropy([...before.values()]);
  for (const answers of outcomes.values()) {
    const parts = [...answers.values()];
    const sum = parts.reduce((total, part) => total + part, 0);
    bits -= sum * entropy(parts.map((part) => part / sum));
  }
  const cost = BASE_COST + requests + (perWindow * Math.max(0, endMs - nowMs)) / windowMs;
  const likely = [...outcomes].map(([outcome, parts]) => [outcome, sumOf(parts)] as const);
  const [expected] = likely.sort((a, b) => b[1] - a[1])[0] ?? [''];
  return { steps, bits, value: bits / cost, name: `${kindOf(steps)} as ${expected}` };
}

function sumOf(parts: ReadonlyMap<string, number>): number {
  return [...parts.values()].reduce((sum, part) => sum + part, 0);
}

function entropy(parts: readonly number[]): number {
  return parts.reduce((sum, part) => (part > 0 ? sum - part * Math.log2(part) : sum), 0);
}
