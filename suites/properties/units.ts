import type { FieldGroups } from '../driven-service.ts';

/** Whether a field is one of those that together say what is asked for. */
export function isOfWhole(field: string, { whole }: FieldGroups = NO_GROUPS): boolean {
  return whole.some((pattern) => pattern.test(field));
}

/** Fields none of which belongs to another. */
const NO_GROUPS: FieldGroups = { whole: [], parts: [], dependent: /(?!)/ };

/**
 * The groups of fields to put back to their plain values, the largest first: all, all but those that
 * make sense only together, these, their parts, and each field alone.
 *
 * @param fields names of the fields that differ from the plain request
 */
export function unitsOf(fields: readonly string[], groups: FieldGroups = NO_GROUPS): string[][] {
  const whole = fields.filter((field) => isOfWhole(field, groups));
  const rest = fields.filter((field) => !whole.includes(field));
  const parts = groups.parts.map((pattern) => fields.filter((field) => pattern.test(field)));
  const units = [[...fields], rest, whole, ...rest.map((field) => [field]), ...parts];
  units.push(...whole.map((field) => [field]));
  const seen = new Set<string>();
  return units.filter((unit) => {
    const key = unit.join();
    if (unit.length === 0 || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
