import { isObject, jsonTypeOf, listOf } from '../wire/json.ts';
import type { Mark, Seen } from './marks.ts';

/** What the schemas of a value say of it. */
export interface Stated {
  /** Names of its members. */
  readonly names: ReadonlySet<string>;
  /** Those of them that are stated without a type, in their order. */
  readonly untyped: readonly string[];
  /** The name of this kind of value; empty if it has none. */
  readonly title: string;
  /** The name of the member that the value is; empty if it is an item. */
  readonly name: string;
}

/** Collects what a mark asks for of one value; the value is undefined if its object lacks it. */
export type Collect = (value: unknown) => readonly string[];

const NONE: ReadonlySet<string> = new Set();

/** The type of a value; of an array also those of its first element. */
export function kindOf(value: unknown): string {
  if (!Array.isArray(value)) return jsonTypeOf(value);
  return value.length === 0 ? 'empty array' : `array of ${jsonTypeOf(value[0])}`;
}

/** The members of an object with the types of their values, e.g. `tvl: string`. */
export function membersOf(value: unknown, left: ReadonlySet<string> = NONE): string[] {
  if (!isObject(value)) return [jsonTypeOf(value)];
  return Object.keys(value)
    .filter((name) => !left.has(name))
    .map((name) => `${name}: ${kindOf(value[name])}`);
}

const COLLECTS: Readonly<Record<Seen, (value: unknown, stated: Stated) => readonly string[]>> = {
  values: (value) => (value === undefined ? [] : [textOf(value)]),
  members: (value) => membersOf(value),
  'named members': namedMembers,
  'inner members': innerMembers,
  'other members': (value, { names }) => (value === undefined ? [] : membersOf(value, names)),
  'other names': (value, { names, title }) =>
    isObject(value) && names.size > 0
      ? Object.keys(value).flatMap((name) => (names.has(name) ? [] : [`${title}.${name}`]))
      : [],
  'given members': givenMembers,
  'open types': (value, { untyped }) =>
    isObject(value) ? untyped.map((name) => `${name}: ${kindOf(value[name])}`) : [],
};

/** What a mark collects of a value of which that is stated. */
export function collectOf({ seen, before }: Mark, stated: Stated): Collect {
  const collect = COLLECTS[seen];
  if (before === '') return (value) => collect(value, stated);
  return (value) => collect(value, stated).map((text) => before + text);
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return isObject(value) || Array.isArray(value) ? jsonTypeOf(value) : JSON.stringify(value);
}

function namedMembers(value: unknown, { name }: Stated): readonly string[] {
  if (value === undefined) return [];
  const members = membersOf(value);
  return members.length === 0 ? [`${name}: empty`] : members.map((member) => `${name}.${member}`);
}

function innerMembers(value: unknown): readonly string[] {
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const [first] = listOf(value[name]);
    const inner = isObject(first) ? first : value[name];
    return isObject(inner) ? membersOf(inner).map((member) => `${name}.${member}`) : [];
  });
}

function givenMembers(value: unknown, { names }: Stated): readonly string[] {
  if (value === undefined) return ['absent'];
  const given = isObject(value) ? [...names].filter((name) => value[name] !== undefined) : [];
  return [...given, ...membersOf(value, names)];
}
