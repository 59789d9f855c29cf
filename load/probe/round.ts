/** Rounds of requests of several kinds in an order that is drawn, and what chance makes of them. */

import type { FanOutTrial } from '../../contracts/run/load/limit-measurement.ts';

/**
 * The chance that all of so many requests are among the admitted ones, if which request of a round is
 * of their kind makes no difference: drawing without replacement. It holds of any service, whatever it
 * counts and whenever it refills, since nothing but the drawing of their places is left to chance; and
 * chances of several rounds multiply, however many rounds are made.
 *
 * @param asked requests of the kind, all of them admitted
 * @param admitted requests of the kind and plain ones that were admitted
 * @param slots requests of the kind and plain ones in all
 */
export function chanceOfAll(asked: number, admitted: number, slots: number): number {
  let chance = 1;
  for (let at = 0; at < asked; at += 1) chance *= Math.max(0, admitted - at) / (slots - at);
  return chance;
}

/** The items in an order that is drawn, each order as likely as any other. */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const rest = [...items];
  const drawn: T[] = [];
  while (rest.length > 0) drawn.push(...rest.splice(Math.floor(random() * rest.length), 1));
  return drawn;
}

/** One request of a round; of no kind when it is a plain one. */
export interface Slot<Kind> {
  readonly kind: Kind | undefined;
  readonly outcome: FanOutTrial['outcome'];
}

/** What a kind met in a round: its requests with the plain ones around, and what chance made of them. */
export interface KindInRound {
  readonly trials: readonly Pick<FanOutTrial, 'before' | 'outcome' | 'after'>[];
  /** Of all being admitted; 1 where the round says nothing of that, null where one was rejected. */
  readonly chance: number | null;
}

/**
 * Reads a round for one kind.
 *
 * @param slots in the order of sending; the first and the last are plain and were not drawn
 * @param isWhole whether all that was drawn was sent
 */
export function inRound<Kind>(
  slots: readonly Slot<Kind>[],
  kind: Kind,
  isWhole: boolean,
): KindInRound {
  const trials = slots.flatMap((slot, at) => {
    if (slot.kind !== kind) return [];
    const before = slots.slice(0, at).findLast((other) => other.kind === undefined);
    const after = slots.slice(at + 1).find((other) => other.kind === undefined);
    return [
      {
        before: before?.outcome ?? 'failed',
        outcome: slot.outcome,
        after: after?.outcome ?? 'failed',
      } as const,
    ];
  });
  const drawn = slots.slice(1, -1).filter((slot) => slot.kind === kind || slot.kind === undefined);
  if (trials.some(({ outcome }) => outcome === 'rejected')) return { trials, chance: null };
  const isReported = isWhole && drawn.every(({ outcome }) => outcome !== 'failed');
  if (!isReported) return { trials, chance: 1 };
  const admitted = drawn.filter(({ outcome }) => outcome === 'admitted').length;
  return { trials, chance: chanceOfAll(trials.length, admitted, drawn.length) };
}
