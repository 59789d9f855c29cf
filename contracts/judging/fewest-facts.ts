import { foldedPlace } from '../wire/places.ts';
import type { Collected, GroupJudgement } from './rule.ts';

/** A rule over a run is asked for its conclusion at most this often. */
const MAX_CONCLUSIONS = 300;
/** And about at most this many facts in all, since nothing else is done meanwhile. */
const MAX_FACTS = 30_000;

type Conclude = (facts: readonly Collected<unknown>[]) => readonly GroupJudgement[];

/**
 * As few of a run's facts as still let its rule conclude that it is broken at the same place, for the
 * sake of one of the same exchanges: what has to be sent to show it once more. Found by leaving out
 * halves, quarters and so on (ddmin: Zeller and Hildebrandt, "Simplifying and isolating failure-inducing
 * input", 2002).
 *
 * @param facts all of a run, in their order
 * @returns the facts in their order; none if all of them break nothing
 */
export function fewestFacts(
  facts: readonly Collected<unknown>[],
  conclude: Conclude,
): readonly Collected<unknown>[] {
  const [found] = brokenGroups(conclude(facts));
  if (found === undefined) return [];
  const place = placeOf(found);
  // If less is known, something else may look broken that is not.
  const witnesses = new Set(found.witnesses.map(({ id }) => id));
  let conclusions = 0;
  let asked = facts.length;
  const mayAsk = (): boolean => conclusions < MAX_CONCLUSIONS && asked < MAX_FACTS;
  const shows = (some: readonly Collected<unknown>[]): boolean => {
    conclusions += 1;
    asked += some.length;
    return brokenGroups(conclude(some)).some(
      (group) => placeOf(group) === place && witnesses.has(group.witnesses[0]?.id ?? ''),
    );
  };
  let current = facts;
  let parts = 2;
  while (current.length > 1 && mayAsk()) {
    const size = Math.ceil(current.length / parts);
    const smaller = withoutPart(current, size, (some) => mayAsk() && shows(some));
    if (smaller !== undefined) {
      current = smaller;
      parts = Math.max(2, parts - 1);
    } else if (size === 1) break;
    else parts = Math.min(current.length, 2 * parts);
  }
  return current;
}

function withoutPart<T>(
  all: readonly T[],
  size: number,
  isEnough: (some: readonly T[]) => boolean,
): readonly T[] | undefined {
  for (let from = 0; from < all.length; from += size) {
    const some = [...all.slice(0, from), ...all.slice(from + size)];
    if (some.length > 0 && isEnough(some)) return some;
  }
  return undefined;
}

function brokenGroups(groups: readonly GroupJudgement[]): GroupJudgement[] {
  return groups.filter(({ judgement }) => Array.isArray(judgement) && judgement.length > 0);
}

function placeOf({ judgement }: GroupJudgement): string {
  return typeof judgement === 'object' ? foldedPlace(judgement?.[0]?.pointer ?? '') : '';
}
