/** Services drawn by chance: a limiter, a network, a clock, and what the service says of its waits. */

import type { WaitHabit } from '../../../../fixtures/known-limiters/announced-wait.ts';
import { chanceOf, type Chance } from '../../../../fixtures/known-limiters/chance.ts';
import { limiterOf } from '../../../../fixtures/known-limiters/limiter-of.ts';
import type { Limiter } from '../../../../fixtures/known-limiters/limiter.ts';
import type { LimiterTruth } from '../../../../fixtures/known-limiters/truth.ts';
import type { WallClock } from '../../../../load/limits/index.ts';
import { drawLimiter } from './draw-limiter.ts';

/** One service. */
export interface RandomService {
  readonly seed: number;
  readonly truth: LimiterTruth;
  readonly limiter: Limiter;
  /** Of each request: the least there and back together, and what comes on top on average, ms. */
  readonly latencyMs: number;
  readonly jitterMs: number;
  /** How long it works on what it admits, ms. */
  readonly busyMs: number;
  /** The part of the requests that it fails, and whether it counts them. */
  readonly failing: number;
  readonly countsFailures: boolean;
  readonly waits: WaitHabit;
  /** How fast its clock is, and the steps in which it gives the time, ms. */
  readonly clockRate: number;
  readonly clockStepMs: number;
  /** What the probe knows of that clock; absent if it knows nothing. */
  readonly wall?: WallClock;
}

const MIN_TRIP_MS = 0.2;
const MAX_TRIP_MS = 200;
/** This part of the shortest window may pass until the limit is met, at a pace that doubles slowly. */
const MEETING_SHARE = 1 / 3;
const SLOW_START = 12;
const TRIES = 40;

const EPOCH_MS = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;

/** The service of a seed; the same seed draws the same one. */
export function drawService(seed: number): RandomService {
  const chance = chanceOf(seed);
  for (;;) {
    const { truth, habits } = drawLimiter(chance);
    const network = drawNetwork(chance, truth);
    // Over a network this slow nobody would meet the limit, and there is nothing to find.
    if (network === null) continue;
    const { wall, phaseMs, clockRate } = drawClock(chance);
    return {
      seed,
      truth,
      limiter: limiterOf(truth, { phaseMs, ...habits }),
      ...network,
      failing: chance.happens(0.2) ? 0.01 : 0,
      countsFailures: chance.happens(0.5),
      waits: drawWaits(chance),
      clockRate,
      clockStepMs: chance.happens(0.5) ? 1 : 0,
      ...(wall === undefined ? {} : { wall }),
    };
  }
}

type Network = Pick<RandomService, 'latencyMs' | 'jitterMs' | 'busyMs'>;

function drawNetwork(chance: Chance, truth: LimiterTruth): Network | null {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const latencyMs = chance.spread(MIN_TRIP_MS, MAX_TRIP_MS);
    const jitterMs = chance.spread(MIN_TRIP_MS, MAX_TRIP_MS);
    if (truth.class === 'concurrency') {
      // Those of one burst must meet at the service.
      const busyMs = chance.spread(5, 300);
      if (busyMs > 3 * jitterMs) return { latencyMs, jitterMs, busyMs };
      continue;
    }
    const busyMs = chance.happens(0.5) ? 0 : chance.spread(0.1, 20);
    const tripMs = latencyMs + jitterMs + busyMs;
    if (all(truth).every((one) => isMet(one, tripMs))) return { latencyMs, jitterMs, busyMs };
  }
  return null;
}

function all(truth: LimiterTruth): readonly LimiterTruth[] {
  // Of two limits the inner one is met first, and the outer one at the pace that it leaves.
  return truth.parts === undefined ? [truth] : [truth.parts[0]];
}

/** Whether a client meets the limit that goes on one by one at first, then with ever more at once. */
function isMet(
  { limit, seconds = 0, countedSeconds = seconds }: LimiterTruth,
  tripMs: number,
): boolean {
  const rounds =
    limit < SLOW_START ? limit + 1 : SLOW_START + (Math.log(limit / SLOW_START) / 0.08) * 1.1;
  return rounds * tripMs <= MEETING_SHARE * 1000 * countedSeconds;
}

interface DrawnClock {
  readonly wall: WallClock | undefined;
  /** Where on the probe's clock an hour of the service's clock begins, ms. */
  readonly phaseMs: number;
  readonly clockRate: number;
}

/** On this machine it is known to some ms, by the dates of answers to half a second, or not at all. */
function drawClock(chance: Chance): DrawnClock {
  const intoHourMs = chance.uniform() * HOUR_MS;
  const offsetMs = EPOCH_MS + intoHourMs;
  const phaseMs = -intoHourMs;
  const kind = chance.uniform();
  if (kind < 0.5) {
    const wall = { offsetMs: offsetMs + 6 * (chance.uniform() - 0.5), uncertaintyMs: 5 };
    return { wall, phaseMs, clockRate: 1 };
  }
  const clockRate = 1 + (chance.uniform() - 0.5) * 6e-5;
  if (kind >= 0.8) return { wall: undefined, phaseMs, clockRate };
  const wall = { offsetMs: offsetMs + 900 * (chance.uniform() - 0.5), uncertaintyMs: 550 };
  return { wall, phaseMs, clockRate };
}

function drawWaits(chance: Chance): WaitHabit {
  return chance.pick<WaitHabit>([
    'honest',
    'honest',
    'honest',
    'honest',
    'none',
    'none',
    'none',
    'constant',
    'milliseconds',
    'cut off',
    'too early',
    'too late',
  ]);
}
