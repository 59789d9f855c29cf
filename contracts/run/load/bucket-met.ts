/** Which bucket requests of another kind went to, from what they met while one was exhausted. */

import {
  capacityOf,
  type FanOut,
  type FanOutKind,
  type FanOutTrial,
  type LimitEstimate,
} from './limit-measurement.ts';

/** One request may have met a token that came in that moment, or a server that was just restarted. */
const MIN_TRIALS = 2;
/** The greatest chance with which admissions that mean nothing may be taken for another bucket. */
const MAX_CHANCE = 0.01;
/** That a limit can be evaded is a warning on security, which must never be false. */
const MAX_CHANCE_OF_WARNING = 1e-6;

/** The chance below which admissions of a kind count as those of another bucket. */
function mostChanceOf(kind: FanOutKind): number {
  return kind === 'forged-forwarded-for' ? MAX_CHANCE_OF_WARNING : MAX_CHANCE;
}

/** The trials that show something: answered, between two plain requests that were both rejected. */
export function decisiveTrials({ trials = [] }: Pick<FanOut, 'trials'>): readonly FanOutTrial[] {
  return trials.filter(
    ({ before, outcome, after }) =>
      outcome !== 'failed' && before === 'rejected' && after === 'rejected',
  );
}

/** How often a kind was refused though it cannot have used up a bucket of its own. */
export function refusalsOf(fan: Pick<FanOut, 'trials'>, estimate: LimitEstimate): number {
  const capacity = capacityOf(estimate) ?? Infinity;
  return decisiveTrials(fan).filter(
    ({ outcome, admitted }) => outcome === 'rejected' && admitted < capacity,
  ).length;
}

/**
 * Whether requests of a kind go to the bucket that was exhausted. A rejection of one who had used
 * little means that they do; a token may still come in the moment of another. That they do not takes
 * admissions alone, so many that chance does not explain them.
 */
export function bucketMet(
  fan: Pick<FanOut, 'kind' | 'trials' | 'chance'>,
  estimate: LimitEstimate,
): 'shared' | 'separate' | 'undecided' {
  const decisive = decisiveTrials(fan);
  const admitted = decisive.filter(({ outcome }) => outcome === 'admitted').length;
  const refused = refusalsOf(fan, estimate);
  if (refused >= MIN_TRIALS && refused > admitted) return 'shared';
  const isApart = admitted >= MIN_TRIALS && (fan.chance ?? 1) <= mostChanceOf(fan.kind);
  return isApart && refused === 0 ? 'separate' : 'undecided';
}
