/** Adding up. */

/** The sum of some numbers. */
export function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

/** Some members of several objects, each added up. */
export function summed<const Name extends string>(
  names: readonly Name[],
  all: readonly Readonly<Record<Name, number>>[],
): Record<Name, number> {
  const sums = names.map((name) => [name, total(all.map((one) => one[name]))]);
  return Object.fromEntries(sums) as Record<Name, number>;
}

/** The sum of what all say; undefined if one says nothing. */
export function totalOfAll(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((one) => one !== undefined);
  return known.length < numbers.length ? undefined : total(known);
}

/** Lists added up place by place; undefined if there is none. */
export function summedLists(
  lists: readonly (readonly number[] | undefined)[],
): number[] | undefined {
  const known = lists.filter((one) => one !== undefined);
  if (known.length === 0) return undefined;
  const length = known.reduce((most, one) => Math.max(most, one.length), 0);
  return Array.from({ length }, (_, at) => total(known.map((one) => one[at] ?? 0)));
}

/** The greatest of what some say; undefined if none says anything. */
export function mostOf(numbers: readonly (number | undefined)[]): number | undefined {
  const known = numbers.filter((one) => one !== undefined);
  // There may be too many of them for one call.
  return known.length === 0
    ? undefined
    : known.reduce((most, one) => Math.max(most, one), -Infinity);
}

/** The mean of some numbers; undefined of none. */
export function meanOf(numbers: readonly number[]): number | undefined {
  return numbers.length === 0 ? undefined : total(numbers) / numbers.length;
}
