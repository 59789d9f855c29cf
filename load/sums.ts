/** Adding up, and what has to be put together first. */

/** The sum of some numbers. */
export function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

/** Items that have a key in common, by their keys in the order in which these come first. */
export function groupsOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string | number,
): (readonly [T, ...T[]])[] {
  const groups = new Map<string | number, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/** Some members of several objects, each added up. */
export function summed<const Name extends string>(
  names: readonly Name[],
  all: readonly Readonly<Record<Name, number>>[],
): Record<Name, number> {
  const sums = names.map((name) => [name, total(all.map((one) => one[name]))]);
  return Object.fromEntries(sums) as Record<Name, number>;
}
