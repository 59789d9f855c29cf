/** Limiters whose parameters are drawn by chance, evenly by their logarithm. */

import * as bucket from './bucket.ts';
import type { Chance } from './chance.ts';
import * as limiter from './limiter.ts';
import type { RandomClass, RandomTruth } from '../../../real-limiters/limiter-truth.ts';

/** A limiter with what it is. */
export interface Drawn {
  readonly truth: RandomTruth;
  /** A new one with nothing counted. @param phaseMs where on the probe's clock its clock begins */
  readonly make: (phaseMs: number) => limiter.Limiter;
}

/** The classes of one limit, each as likely as another. */
const SINGLE: readonly [RandomClass, ...RandomClass[]] = [
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

function drawSingle(name: RandomClass, draw: Draw): Drawn {
  const { chance } = draw;
  switch (name) {
    case 'token-bucket':
      return drawBucket(draw);
    case 'interval-refill':
      return drawRefill(draw);
    case 'concurrency': {
      const limit = chance.whole(1, 15);
      return { truth: { class: name, limit }, make: () => bucket.places(limit) };
    }
    case 'shaping-with-reject': {
      const most = chance.whole(2, 50);
      const free = Math.floor(most * chance.uniform());
      const perSecond = rate(draw, Math.max(0.5, (most - free) / 8), 50);
      const truth = { class: name, limit: most + 1, perSecond, seconds: (most + 1) / perSecond };
      return { truth, make: () => bucket.leakyMeter(most, free, perSecond) };
    }
    case 'penalty-block': {
      const limit = draw.count(1, MAX_LIMIT);
      const countedSeconds = draw.seconds(MIN_SECONDS, MAX_SECONDS);
      const seconds = draw.seconds(MIN_SECONDS, MAX_SECONDS);
      const onReject = { blockMs: seconds * 1000 };
      return {
        truth: { class: name, limit, seconds, countedSeconds },
        make: () => limiter.ownWindow(limit, countedSeconds * 1000, onReject),
      };
    }
    default: {
      const limit = draw.count(1, MAX_LIMIT);
      const seconds = draw.seconds(MIN_SECONDS, MAX_SECONDS);
      return {
        truth: { class: name, limit, seconds },
        make: windowOf(name, limit, seconds, chance),
      };
    }
  }
}

function windowOf(
  name: RandomClass,
  limit: number,
  seconds: number,
  chance: Chance,
): Drawn['make'] {
  const ms = seconds * 1000;
  const whole = chance.happens(0.5);
  const isOwnPhase = chance.happens(0.3);
  const ownPhaseMs = -ms * chance.uniform();
  switch (name) {
    case 'fixed-window':
      return () => limiter.ownWindow(limit, ms, 'nothing');
    case 'restart-on-reject':
      return () => limiter.ownWindow(limit, ms, 'restart');
    case 'clock-window':
      return (phaseMs) => limiter.clockWindow(limit, ms, isOwnPhase ? ownPhaseMs : phaseMs);
    case 'sliding-log':
      return () => limiter.slidingLog(limit, ms, false);
    case 'sliding-log-counting-rejects':
      return () => limiter.slidingLog(limit, ms, true);
    case 'sliding-counter':
      return (phaseMs) => {
        const habits = { whole, countsRejects: false, phaseMs: isOwnPhase ? ownPhaseMs : phaseMs };
        return limiter.slidingCounter(limit, ms, habits);
      };
    case 'sliding-counter-counting-rejects':
      // As of a table of counters: the first stretch begins with the first request.
      return () => limiter.slidingCounter(limit, ms, { whole: true, countsRejects: true });
    default:
      throw new Error(`${name} is no window`);
  }
}

function drawBucket(draw: Draw): Drawn {
  const limit = draw.count(1, MAX_LIMIT);
  const [least, most] = [Math.max(limit / MAX_SECONDS, 0.01), limit / MIN_SECONDS];
  const perSecond = rate(draw, least, Math.min(200, most));
  const truth = { class: 'token-bucket', limit, perSecond, seconds: limit / perSecond } as const;
  return { truth, make: () => bucket.tokenBucket(limit, perSecond) };
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
  return { truth, make: () => bucket.intervalRefill(limit, refill, intervalSeconds * 1000) };
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
  const all = chance.happens(0.5);
  const part = (name: (typeof kinds)[number], many: number, time: number): Drawn => {
    if (name === 'token-bucket') {
      const perSecond = many / time;
      const truth = { class: name, limit: many, perSecond, seconds: time };
      return { truth, make: () => bucket.tokenBucket(many, perSecond) };
    }
    const truth = { class: name, limit: many, seconds: time };
    return { truth, make: windowOf(name, many, time, chance) };
  };
  const [one, other] = [part(inner, limit, seconds), part(outer, wider, longSeconds)];
  return {
    truth: {
      class: 'stacked',
      limit: wider,
      seconds: longSeconds,
      parts: [one.truth, other.truth],
    },
    make: (phaseMs) => bucket.stacked(one.make(phaseMs), other.make(phaseMs), all),
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
