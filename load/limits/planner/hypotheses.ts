import type { Posterior, Alternative } from '../estimate/posterior.ts';
import type { Hint } from '../claims/hint.ts';
import type { Ahead } from '../models/ahead.ts';
import type { Candidate, Interval } from '../models/index.ts';

/** One limiter with all of its parameters settled, that explains what was seen. */
export interface Hypothesis {
  /** What would be reported of it: hypotheses with the same answer need not be distinguished. */
  readonly answer: string;
  readonly probability: number;
  readonly limit: number;
  /** The time in which it is surely full again, more or less. */
  readonly windowMs: number;
  readonly ahead: Ahead;
}

/** Hypotheses looked at; the likeliest. */
const MOST = 48;
/** What is left of what the service's word speaks against. */
const UNHINTED = 0.15;
/** Two times are one answer when they are this close, as a ratio. */
const SAME_TIME = 1.06;
/** The part that times have at least that do not stand out. */
const MIN_REST = 0.15;
/** A class is looked at as if it had this probability at least, so that it is ruled out, not outvoted. */
const MIN_CLASS_PROBABILITY = 0.02;

/** Points of the posterior: for each candidate the times that stand out, and a few between. */
export function hypothesesOf(
  { alternatives, reported }: Pick<Posterior, 'alternatives' | 'reported'>,
  hint: Hint | null,
  nowMs: number,
): Hypothesis[] {
  const probabilities = new Map<string, number>();
  for (const { candidate, probability } of alternatives) {
    probabilities.set(candidate.class, (probabilities.get(candidate.class) ?? 0) + probability);
  }
  const lifted = (name: string, probability: number): number =>
    probability * Math.max(1, MIN_CLASS_PROBABILITY / (probabilities.get(name) ?? 1));
  const all = [...alternatives]
    .sort((a, b) => b.probability - a.probability)
    .slice(0, MOST)
    .flatMap((one) =>
      pointsOf(
        { ...one, probability: lifted(one.candidate.class, one.probability) },
        one,
        reported?.windowMs,
      ),
    );
  const kept = all.sort((a, b) => b.probability - a.probability).slice(0, MOST);
  const weighed = hint === null ? kept : kept.map((one) => weighedBy(one, hint, nowMs));
  const total = weighed.reduce((sum, { probability }) => sum + probability, 0);
  return weighed.map((one) => ({ ...one, probability: one.probability / total }));
}

function pointsOf(
  { candidate, probability }: Alternative,
  { pointMasses, probability: before }: Alternative,
  reportedMs: number | undefined,
): Hypothesis[] {
  const times = new Map<number, number>();
  let rest = 1;
  for (const pointMass of pointMasses) {
    const part = before > 0 ? pointMass.probability / before : 0;
    rest -= part;
    if (part > 0.02) times.set(pointMass.ms, part);
  }
  // However usual a time is, the others are not forgotten.
  const spread = timesIn(candidate.timeMs);
  for (const ms of spread)
    times.set(ms, (times.get(ms) ?? 0) + Math.max(MIN_REST, rest) / spread.length);
  const points: Hypothesis[] = [];
  const sizes = sizesOf(candidate);
  const isBucket = candidate.class === 'token-bucket' || candidate.class === 'interval-refill';
  for (const [timeMs, part] of times) {
    const phases = isWide(candidate.boundaryMs, 0.05 * timeMs) ? [0.1, 0.5, 0.9] : [0.5];
    for (const { limit, refill, refillPart } of sizes) {
      for (const phase of phases) {
        const counting = reportedMs === undefined ? {} : { countingMs: reportedMs };
        const ahead = candidate.ahead({ limit, timeMs, phase, refillPart, ...counting });
        const cell = Math.round(Math.log(timeMs) / Math.log(SAME_TIME));
        points.push({
          answer: [candidate.class, limit, refill, cell].join('/'),
          probability: (probability * part) / sizes.length / phases.length,
          limit,
          windowMs: isBucket ? (timeMs * limit) / refill : timeMs,
          ahead,
        });
      }
    }
  }
  return points;
}

function timesIn({ lo, hi }: Interval): number[] {
  if (hi <= 0) return [];
  const top = Math.min(hi, lo * 1000);
  const count = Math.max(1, Math.min(6, Math.ceil(Math.log(top / lo) / Math.log(1.03))));
  return Array.from({ length: count }, (_, i) => lo * (top / lo) ** ((i + 0.5) / count));
}

function isWide(interval: Interval | undefined, mostMs: number): boolean {
  return interval !== undefined && interval.hi - interval.lo > mostMs;
}

interface Size {
  readonly limit: number;
  readonly refill: number;
  readonly refillPart: number;
}

/** Limits, or with a refill capacities, that go with it. */
function sizesOf({ limit, refill }: Candidate): Size[] {
  if (refill !== undefined) {
    const parts = refill.hi - refill.lo < 1 ? [0] : [0, 0.1, 0.25, 0.5];
    return parts.map((refillPart) => ({
      limit: Math.round(limit.hi - refillPart * (limit.hi - limit.lo)),
      refill: Math.round(refill.lo + refillPart * (refill.hi - refill.lo)),
      refillPart,
    }));
  }
  const top = Math.min(limit.hi, limit.lo * 4 + 20);
  const limits = new Set([limit.lo, Math.round((limit.lo + top) / 2), top]);
  return [...limits].map((one) => ({ limit: one, refill: 1, refillPart: 0 }));
}

/** The service's word on its next admission speaks for those that admit then, and not before. */
function weighedBy(one: Hypothesis, { fromMs, toMs, anew }: Hint, nowMs: number): Hypothesis {
  if (anew || toMs <= nowMs) return one;
  const before = one.ahead.copy().take(Math.max(nowMs, fromMs), 1);
  const after = one.ahead.copy().take(toMs, 1);
  return before === 0 && after === 1 ? one : { ...one, probability: one.probability * UNHINTED };
}
