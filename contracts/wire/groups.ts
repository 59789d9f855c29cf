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
