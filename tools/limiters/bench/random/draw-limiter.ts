/** Limiters whose parameters are drawn by chance, evenly by their logarithm. */

import type { Chance } from '../../../../fixtures/known-limiters/chance.ts';
import type { Habits } from '../../../../fixtures/known-limiters/limiter-of.ts';
import type { LimiterTruth, TrueClass } from '../../../../fixtures/known-limiters/truth.ts';

/** What a limiter is, and what that leaves open. */
export interface Drawn {
  readonly truth: LimiterTruth;
  /** Without a phase if its clock is that of the service. */
  readonly habits: Habits;
}

/** The classes of one limit, each as likely as another. */
const SINGLE: readonly [TrueClass, ...TrueClass[]] = [
  'fixed-window',
  'clock-window',
  'sliding-log',
  'sliding-log-counting-rejects',
  'sliding-counter',
  'sliding-counter-counting-rejects',
  'token-bucket',
  'interval-refill',
  'penalty-block',
  'restart-on-reject',
  'concurrency',
  'shaping-with-reject',
];
const STACKED_PROBABILITY = 0.1;
/** Of these draws people chose the values: round ones. */
const ROUND_PROBABILITY = 0.4;

/** Draws a class and its parameters. */
export function drawLimiter(chance: Chance): Drawn {
  const isRound = chance.happens(ROUND_PROBABILITY);
  const seconds = (least: number, most: number): number => {
    const value = chance.spread(least, most);
    return isRound ? roundSeconds(value) : value;
  };
  const count = (least: number, most: number): number => {
    const value = chance.whole(least, most);
    return isRound
      ? Math.min(most, Math.max(least, roundTo(value, [1, 1.2, 1.5, 2, 3, 5, 6])))
      : value;
  };
  const draw: Draw = { chance, seconds, count, isRound };
  if (chance.happens(STACKED_PROBABILITY)) return drawStacked(draw);
  return drawSingle(chance.pick(SINGLE), draw);
}

interface Draw {
  readonly chance: Chance;
  readonly isRound: boolean;
  readonly seconds: (least: number, most: number) => number;
  readonly count: (least: number, most: number) => number;
}

const MIN_SECONDS = 0.5;
const MAX_SECONDS = 3600;
const MAX_LIMIT = 1000;

function drawSingle(name: TrueClass, draw: Draw): Drawn {
  const { chance } = draw;
  switch (name) {
    case 'token-bucket':
      return drawBucket(draw);
    case 'interval-refill':
      return drawRefill(draw);
    case 'concurrency': {
      const limit = chance.whole(1, 15);
      return { truth: { class: name, limit }, habits: {} };
    }
    case 'shaping-with-reject': {
      const most = chance.whole(2, 50);
      const free = Math.floor(most * chance.uniform());
      const perSecond = rate(draw, Math.max(0.5, (most - free) / 8), 50);
      // The first request of an idle client is not counted.
      const [limit, atOnce] = [most + 1, free + 1];
      const seconds = limit / perSecond;
      return { truth: { class: name, limit, atOnce, perSecond, seconds }, habits: {} };
    }
    case 'penalty-block': {
      const limit = draw.count(1, MAX_LIMIT);
      const countedSeconds = draw.seconds(MIN_SECONDS, MAX_SECONDS);
      const seconds = draw.seconds(MIN_SECONDS, MAX_SECONDS);
      return { truth: { class: name, limit, seconds, countedSeconds }, habits: {} };
    }
    default: {
      const limit = draw.count(1, MAX_LIMIT);
      const seconds = draw.seconds(MIN_SECONDS, MAX_SECONDS);
      return { truth: { class: name, limit, seconds }, habits: drawHabits(seconds, chance) };
    }
  }
}

function drawHabits(seconds: number, chance: Chance): Habits {
  const whole = chance.happens(0.5);
  const isOwnPhase = chance.happens(0.3);
  const ownPhaseMs = -(seconds * 1000) * chance.uniform();
  return { whole, ...(isOwnPhase ? { phaseMs: ownPhaseMs } : {}) };
}

function drawBucket(draw: Draw): Drawn {
  const limit = draw.count(1, MAX_LIMIT);
  const [least, most] = [Math.max(limit / MAX_SECONDS, 0.01), limit / MIN_SECONDS];
  const perSecond = rate(draw, least, Math.min(200, most));
  const truth = { class: 'token-bucket', limit, perSecond, seconds: limit / perSecond } as const;
  return { truth, habits: {} };
}

function drawRefill(draw: Draw): Drawn {
  const limit = draw.count(2, MAX_LIMIT);
  const refill = Math.min(Math.floor(limit / 2), draw.count(1, Math.max(1, Math.floor(limit / 2))));
  const refills = limit / refill;
  const [least, most] = [Math.max(0.1, MIN_SECONDS / refills), MAX_SECONDS / refills];
  const intervalSeconds = draw.seconds(least, Math.max(least, most));
  const truth = {
    class: 'interval-refill',
    limit,
    refill,
    intervalSeconds,
    seconds: intervalSeconds * refills,
  } as const;
  return { truth, habits: {} };
}

/** A tight limit on a short time and a wider one on a longer time, each of which bites. */
function drawStacked(draw: Draw): Drawn {
  const { chance } = draw;
  const kinds = ['fixed-window', 'clock-window', 'sliding-log', 'token-bucket'] as const;
  const seconds = draw.seconds(MIN_SECONDS, 60);
  const longer = seconds * chance.spread(4, 60);
  const longSeconds = draw.isRound ? roundSeconds(longer) : longer;
  const limit = draw.count(2, 200);
  // More than the tight one admits at once, and less than it lets through in the longer time.
  const most = Math.min(MAX_LIMIT, (0.6 * limit * longSeconds) / seconds);
  const wider = draw.count(Math.ceil(1.5 * limit), Math.floor(Math.max(most, 1.5 * limit + 1)));
  const [inner, outer] = [chance.pick([...kinds]), chance.pick([...kinds])];
  const countsAll = chance.happens(0.5);
  const part = (name: (typeof kinds)[number], many: number, time: number): Drawn => {
    if (name === 'token-bucket') {
      const perSecond = many / time;
      const truth = { class: name, limit: many, perSecond, seconds: time };
      return { truth, habits: {} };
    }
    const truth = { class: name, limit: many, seconds: time };
    return { truth, habits: drawHabits(time, chance) };
  };
  const [one, other] = [part(inner, limit, seconds), part(outer, wider, longSeconds)];
  return {
    truth: {
      class: 'stacked',
      limit: wider,
      seconds: longSeconds,
      parts: [one.truth, other.truth],
    },
    habits: { countsAll, parts: [one.habits, other.habits] },
  };
}

function rate({ chance, isRound }: Draw, least: number, most: number): number {
  const value = chance.spread(least, Math.max(least, most));
  return isRound ? Math.max(least, roundTo(value, [1, 2, 5])) : value;
}

/** The nearest of these figures times a power of ten. */
function roundTo(value: number, figures: readonly number[]): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const all = [...figures, 10].map((figure) => figure * power);
  const near = (one: number): number => Math.abs(Math.log(one / value));
  const best = all.reduce((sum, one) => (near(one) < near(sum) ? one : sum));
  return best >= 1 ? Math.round(best) : best;
}

/** Whole seconds, minutes or an hour, as people choose them. */
function roundSeconds(seconds: number): number {
  if (seconds < 60) return Math.max(MIN_SECONDS, roundTo(seconds, [1, 1.5, 2, 3, 5]));
  return Math.min(MAX_SECONDS, 60 * roundTo(seconds / 60, [1, 2, 3, 5]));
}
