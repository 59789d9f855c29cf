/** What was found, compared with a client that keeps to it: if it does not get through, it was not all. */

import type { LimitEstimate } from '../../contracts/run/load/limit-measurement.ts';
import { estimate, stackOf, withStack } from '../limits/index.ts';
import type { Reported } from './sender.ts';
import { type Facts, factsOf, rounded } from './facts/facts.ts';
import type { LaterStages } from './measure.ts';
import type { ProbedBucket } from './probing.ts';
import { triedExtent } from './facts/tried-extent.ts';

/** What a client that got through adds to the confidence, and how sure anything is at most. */
const MORE_SURE = 0.02;
const MAX_SURE = 0.99;

/**
 * The bucket with its verdict after the client that paces itself: of an identified limit that it does
 * not get through, what explains its rejections as well; ambiguous, composite or two limits.
 */
export function reopened(
  probed: ProbedBucket,
  { scenario, paced = [] }: LaterStages,
  isOver?: () => boolean,
): ProbedBucket {
  const { facts, result } = probed;
  if (scenario === undefined || facts.estimate.verdict !== 'identified') return probed;
  if (scenario.held) {
    const confidence = rounded(Math.min(MAX_SURE, facts.confidence + MORE_SURE));
    // It was tried as far as that client went.
    const known = { ...facts.estimate, ...extentWith(probed, paced) };
    return { ...probed, facts: { ...facts, estimate: known, confidence } };
  }
  const transcript = {
    ...result.transcript,
    events: [...result.transcript.events, ...bursts(paced)],
  };
  const whole = withStack(estimate(transcript, isOver), stackOf(transcript, isOver), transcript);
  const next = { ...result, transcript, estimate: whole };
  return { ...probed, result: next, facts: withPaced(factsOf(next), facts) };
}

/** That a client rejected speaks against what was named before. */
function withPaced(facts: Facts, { estimate: before }: Facts): Facts {
  const { why } = facts.estimate;
  if (why === undefined) return facts;
  const paced = `a client that kept to ${before.algorithms.join()} was rejected`;
  return { ...facts, estimate: { ...facts.estimate, why: `${paced}; ${why}` } };
}

function extentWith(
  { result, facts }: ProbedBucket,
  paced: readonly Reported[],
): Pick<LimitEstimate, 'envelope'> {
  const seconds = facts.estimate.windowSeconds ?? 0;
  return { envelope: triedExtent([...result.transcript.events, ...paced], seconds) };
}

/** Each was sent alone, after all that went before. */
function bursts(paced: readonly Reported[]): Reported[] {
  return paced.map((reported, index) => ({ ...reported, burst: PACED_FROM + index }));
}

/** Above all numbers of bursts that a probe comes to. */
const PACED_FROM = 1e6;
