/** Services whose limits are those that people choose, on networks that are fast enough for them. */
import type { WaitHabit } from '../../../fixtures/known-limiters/announced-wait.ts';
import { type Grade, gradeOf } from '../../probe/grade/grade.ts';
import { limiterOf } from '../../../fixtures/known-limiters/limiter-of.ts';
import type { LimiterTruth, TrueClass } from '../../../fixtures/known-limiters/truth.ts';
import { chance, simulate, type SimulatedService } from './simulation.testkit.ts';

/** One simulated service with its truth. */
export interface RandomLimiter extends SimulatedService {
  readonly truth: LimiterTruth;
}

const USUAL_SECONDS = [0.5, 1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1800, 3600];

const CLASSES: readonly TrueClass[] = [
  'fixed-window',
  'clock-window',
  'sliding-log',
  'sliding-log-counting-rejects',
  'sliding-counter',
  'token-bucket',
  'interval-refill',
  'penalty-block',
  'restart-on-reject',
  'concurrency',
];

const HABITS: readonly WaitHabit[] = [
  'honest',
  'honest',
  'none',
  'constant',
  'milliseconds',
  'too early',
  'too late',
];

/**
 * A limiter drawn by chance. The network is fast enough for the limit to be met in a tenth of its
 * window: a slower one meets no limit, and there is nothing to find.
 */
export function randomLimiter(seed: number): RandomLimiter {
  const random = chance(seed);
  const pick = <T>(items: readonly T[]): T => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  };
  const name = pick(CLASSES);
  const usual = random() < 0.7;
  const window = usual ? pick(USUAL_SECONDS) : 0.5 * Math.exp(random() * Math.log(7200));
  const epochMs = 1_767_225_600_000 + Math.floor(random() * 3_600_000);
  const greatest = Math.max(1, Math.min(200, Math.floor(window * 100)));
  const limit = Math.max(
    name === 'concurrency' ? 2 : 1,
    Math.floor(Math.exp(random() * Math.log(greatest + 1))),
  );
  const slowest = Math.min(50, (window * 1000) / (10 * (limit + 10)));
  const roundTripMs =
    name === 'concurrency' ? 1 + 49 * random() : Math.max(0.5, slowest * random());
  const wall =
    random() < 0.7 ? { offsetMs: epochMs + (random() - 0.5) * 20, uncertaintyMs: 10 } : null;
  const truth = drawTruth(name, limit, window, random);
  return {
    seed,
    truth,
    limiter: limiterOf(truth, { phaseMs: -epochMs }),
    roundTripMs,
    jitterMs: roundTripMs * 0.3 * random(),
    retryAfter: pick(HABITS),
    windowSeconds: window,
    ...(wall === null ? {} : { wall }),
  };
}

function drawTruth(
  name: TrueClass,
  limit: number,
  seconds: number,
  random: () => number,
): LimiterTruth {
  switch (name) {
    case 'token-bucket':
      return { class: name, limit, seconds, perSecond: limit / seconds };
    case 'interval-refill': {
      const capacity = limit + 1;
      const refill = Math.max(1, Math.floor(capacity / (2 + 8 * random())));
      const intervalSeconds = (seconds * refill) / capacity;
      return { class: name, limit: capacity, seconds, refill, intervalSeconds };
    }
    case 'penalty-block':
      return { class: name, limit, seconds, countedSeconds: seconds * (0.2 + random()) };
    case 'concurrency':
      return { class: name, limit: Math.min(limit, 15) };
    default:
      return { class: name, limit, seconds };
  }
}

/** Probes the service of a limiter, and grades what is found. */
export async function probe(limiter: RandomLimiter): Promise<Grade> {
  const { estimate } = await simulate(limiter);
  return gradeOf(limiter.truth, estimate, limiter.roundTripMs + limiter.jitterMs);
}
