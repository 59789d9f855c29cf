/** Which served requests are worth asking again with one thing changed: those whose answers show most. */

/**
 * Of each kind the one whose answer is the largest amount: of a few base units rounding hides what a
 * change does. Kinds come in the order in which they were first served.
 *
 * @param baseUnitsOf what the answer to one amounts to
 */
export function largestOfKinds<T>(
  all: readonly T[],
  kindOf: (one: T) => string,
  baseUnitsOf: (one: T) => bigint,
): T[] {
  const chosen = new Map<string, { readonly one: T; readonly amount: bigint }>();
  for (const one of all) {
    const [kind, amount] = [kindOf(one), baseUnitsOf(one)];
    const known = chosen.get(kind);
    if (known === undefined || amount > known.amount) chosen.set(kind, { one, amount });
  }
  return Array.from(chosen.values(), ({ one }) => one);
}

/** Two slippages that are compared with each other, percent. */
export type SlippagePair = readonly [number, number];

/**
 * A pair of slippages, by turns, that does not hold the one that was asked for already. By three
 * different ones it can be determined in which unit a service takes them.
 *
 * @param pairs no slippage is in all of them
 * @param asked percent, as it stands in the request
 */
export function pairBeside(
  pairs: readonly [SlippagePair, ...SlippagePair[]],
  turn: number,
  asked: unknown,
): SlippagePair {
  const first = turn % pairs.length;
  const inTurn = [...pairs.slice(first), ...pairs.slice(0, first)];
  return inTurn.find((pair) => !pair.some((one) => one === asked)) ?? pairs[0];
}
