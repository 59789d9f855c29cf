/** Candidates of one class with their weights, histories of the same limiter counted once. */

import type { Candidate } from '../models/index.ts';
import type { PointMass } from '../models/usual.ts';
import { weigh, type WeighingContext } from './weight.ts';

/** A candidate with its weight. */
export interface Weighed {
  readonly candidate: Candidate;
  readonly probability: number;
  readonly pointMasses: readonly PointMass[];
}

/**
 * The candidates of one class with their weights. Of those that have all but the time in common, and
 * overlap in that, one is as good as all: they are histories of the same limiter.
 */
export function weighAll(candidates: readonly Candidate[], context: WeighingContext): Weighed[] {
  const alike = new Map<string, Weighed[]>();
  for (const candidate of candidates) {
    const { pointMasses, rest } = weigh(candidate, context);
    const probability = pointMasses.reduce((sum, one) => sum + one.probability, rest);
    const { limit, refill } = candidate;
    const key = `${candidate.class}/${limit.lo}/${limit.hi}/${refill?.lo ?? ''}/${refill?.hi ?? ''}`;
    alike.set(key, [...(alike.get(key) ?? []), { candidate, probability, pointMasses }]);
  }
  return [...alike.values()].flatMap((all) => clusters(all).flatMap(thinned));
}

/** Those that hang together by their times. */
function clusters(all: readonly Weighed[]): Weighed[][] {
  const found: Weighed[][] = [];
  let upTo = -Infinity;
  const sorted = [...all].sort((a, b) => a.candidate.timeMs.lo - b.candidate.timeMs.lo);
  for (const one of sorted) {
    const { lo, hi } = one.candidate.timeMs;
    if (lo <= upTo) found.at(-1)?.push(one);
    else found.push([one]);
    upTo = Math.max(upTo, hi);
  }
  return found;
}

/** All of a cluster, with as much weight in all as the greatest one for each value of the time has. */
function thinned(cluster: readonly Weighed[]): readonly Weighed[] {
  if (cluster.length < 2) return cluster;
  const sum = cluster.reduce((total, { probability }) => total + probability, 0);
  const most = new Map<number, number>();
  let rest = 0;
  for (const { probability, pointMasses } of cluster) {
    for (const pointMass of pointMasses)
      most.set(pointMass.ms, Math.max(most.get(pointMass.ms) ?? 0, pointMass.probability));
    rest = Math.max(
      rest,
      pointMasses.reduce((left, pointMass) => left - pointMass.probability, probability),
    );
  }
  const part = sum > 0 ? [...most.values()].reduce((total, one) => total + one, rest) / sum : 0;
  return cluster.map(({ candidate, probability, pointMasses }) => ({
    candidate,
    probability: probability * part,
    pointMasses: pointMasses.map((pointMass) => ({
      ms: pointMass.ms,
      probability: pointMass.probability * part,
    })),
  }));
}
