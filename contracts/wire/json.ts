/** Looking into parsed JSON of which nothing is known yet. */

/** A JSON object; its members are not known. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether the value is a JSON object, that is neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as an array; an empty one when it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** The member of an object, or undefined when the value is no object or lacks it. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** One step of a JSON pointer, escaped as RFC 6901 section 3 asks. */
export function pointerStep(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A copy without a member. */
export function omit<T extends object, K extends keyof T>(object: T, key: K): Omit<T, K> {
  const copy = { ...object };
  Reflect.deleteProperty(copy, key);
  return copy;
}

/** The members that are not undefined; those that may be are optional in what it gives. */
export function given<T extends object>(members: T): Given<T> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as Given<T>;
}

type Given<T> = {
  readonly [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The type of a value as JSON has it. */
export function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
