import { isObject } from '../wire/json.ts';
import type { OpenApiDocument } from '../document/openapi/openapi-files.ts';
import type { Collect, Stated } from './collect.ts';
import { collectOf } from './collect.ts';
import type { FiledSchema } from './composite.ts';
import { itemsIn, membersIn, partsOf } from './composite.ts';
import type { Mark } from './marks.ts';
import { marksOf } from './marks.ts';

/** The way from a value to what is collected of it and of its parts. */
export interface Branch {
  readonly collects: readonly Collect[];
  readonly members: readonly (readonly [name: string, branch: Branch])[];
  /** Of the items of a list. */
  readonly items: Branch | undefined;
  /** Of the members of a map, whatever their names. */
  readonly values: Branch | undefined;
  /** So many items of a list or a map are looked at. */
  readonly first: number;
}

/** What {@link branchOf} looks for. */
export interface Wanted {
  readonly files: OpenApiDocument['files'];
  /** Id of the ledger's row. */
  readonly ledger: string;
}

/** Where one of the schemas lies in another of them, the way ends: a mark is not looked for twice. */
type Open = ReadonlySet<object>;

/**
 * The way to all marks of a row of the ledger; undefined where none is below.
 *
 * @param name of the member that the value is; empty where it is none
 * @param mark one whose names are looked for from here down
 */
export function branchOf(
  wanted: Wanted,
  schemas: readonly FiledSchema[],
  { name = '', mark, open = new Set() }: { name?: string; mark?: Mark; open?: Open } = {},
): Branch | undefined {
  const parts = partsOf(wanted.files, schemas);
  if (parts.length === 0 || parts.some(({ schema }) => open.has(schema))) return undefined;
  const marks = parts.flatMap(({ schema }) => marksOf(schema));
  const own = marks.filter(({ ledger }) => ledger === wanted.ledger);
  const deep = own.find(({ seen }) => seen === 'other names') ?? mark;
  const all = deep === undefined || own.includes(deep) ? own : [...own, deep];
  const inner = {
    ...(deep === undefined ? {} : { mark: deep }),
    open: new Set([...open, ...parts.map(({ schema }) => schema)]),
  };
  const stated = membersIn(parts);
  const members = [...stated].flatMap(([member, schemasOf]) => {
    const branch = branchOf(wanted, schemasOf, { ...inner, name: member });
    return branch === undefined ? [] : [[member, branch] as const];
  });
  const items = branchOf(wanted, itemsIn(parts, 'items'), inner);
  const values = branchOf(wanted, itemsIn(parts, 'additionalProperties'), inner);
  const collects = all.map((one) => collectOf(one, statedOf(parts, stated, wanted, name)));
  if (collects.length + members.length === 0 && items === undefined && values === undefined) {
    return undefined;
  }
  const below = [...members.map(([, branch]) => branch), items, values];
  const first = Math.min(
    ...all.map((one) => one.first),
    ...below.map((one) => one?.first ?? Infinity),
  );
  return { collects, members, items, values, first };
}

function statedOf(
  parts: readonly FiledSchema[],
  members: ReadonlyMap<string, readonly FiledSchema[]>,
  { files }: Wanted,
  name: string,
): Stated {
  const isTyped = (schemas: readonly FiledSchema[]): boolean =>
    partsOf(files, schemas).some(({ schema }) =>
      ['type', 'const', 'enum'].some((word) => word in schema),
    );
  const titles = parts.map(({ schema }) => schema.title);
  return {
    names: new Set(members.keys()),
    untyped: [...members].flatMap(([member, schemas]) => (isTyped(schemas) ? [] : [member])),
    title: titles.find((title) => typeof title === 'string') ?? '',
    name,
  };
}

/** More different texts of one answer are not told. */
const MAX_TEXTS = 500;

/** Collects of a value and its parts, in the order of the schema, each text once. */
export function collectedFrom(branch: Branch, value: unknown): readonly string[] {
  const found = new Set<string>();
  visit(branch, value, found);
  return [...found];
}

function visit(branch: Branch, value: unknown, found: Set<string>): void {
  for (const collect of branch.collects) {
    for (const text of collect(value)) if (found.size < MAX_TEXTS) found.add(text);
  }
  if (found.size >= MAX_TEXTS) return;
  if (Array.isArray(value)) {
    const { items } = branch;
    if (items !== undefined) for (const item of some(value, branch)) visit(items, item, found);
  } else if (isObject(value)) {
    for (const [name, inner] of branch.members) visit(inner, value[name], found);
    const { values } = branch;
    if (values === undefined) return;
    for (const name of some(Object.keys(value), branch)) visit(values, value[name], found);
  }
}

function some<T>(items: readonly T[], { first }: Branch): readonly T[] {
  return items.length <= first ? items : items.slice(0, first);
}
