import type { LimiterClass, Tracker } from './model.ts';

/** Follows kinds of one class side by side: the class is ruled out once all of them are. */
export function anyOf(name: LimiterClass, kinds: readonly Tracker[]): Tracker {
  return follow(name, kinds, false);
}

function follow(name: LimiterClass, kinds: readonly Tracker[], lost: boolean): Tracker {
  return {
    class: name,
    cut: lost || kinds.some(({ cut }) => cut),
    isLeft: kinds.length > 0,
    observe: (event) => {
      const next = kinds.map((kind) => kind.observe(event));
      // One that has run out of explanations after some were dropped may have been the truth.
      const isLost = next.some(({ isLeft, cut }) => !isLeft && cut);
      return follow(
        name,
        next.filter(({ isLeft }) => isLeft),
        lost || isLost,
      );
    },
    candidates: () => kinds.flatMap((kind) => kind.candidates()),
  };
}
