import { isObject } from '../wire/json.ts';
import type { Collect, Stated } from './collect.ts';
import { collectOf } from './collect.ts';
import type { FiledSchema, Files } from './composite.ts';
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
  /** This many items of a list or a map are looked at. */
  readonly first: number;
}

/** A value as its schemas state it, and what their marks collect of it. */
export interface Tree {
  readonly marks: readonly (readonly [mark: Mark, collect: Collect])[];
  readonly members: readonly (readonly [name: string, tree: Tree])[];
  readonly items: Tree | undefined;
  readonly values: Tree | undefined;
}

interface Way {
  /** Of the member that the value is; empty where it is none. */
  readonly name: string;
  /** Marks above that look for names from there down. */
  readonly deep: readonly Mark[];
  /** Schemas above: where one of them comes again, the way ends. */
  readonly open: ReadonlySet<object>;
}

const TOP: Way = { name: '', deep: [], open: new Set() };

/** What is marked in schemas of one value, and below; undefined where nothing is. */
export function treeOf(
  files: Files,
  schemas: readonly FiledSchema[],
  { name, deep, open }: Way = TOP,
): Tree | undefined {
  const parts = partsOf(files, schemas);
  if (parts.length === 0 || parts.some(({ schema }) => open.has(schema))) return undefined;
  const own = parts.flatMap(({ schema }) => marksOf(schema));
  const beyond = [...deep, ...own.filter(({ seen }) => seen === 'other names')];
  const inner: Way = {
    name: '',
    deep: beyond,
    open: new Set([...open, ...parts.map(({ schema }) => schema)]),
  };
  const stated = membersIn(parts);
  const members = [...stated].flatMap(([member, schemasOf]) => {
    const tree = treeOf(files, schemasOf, { ...inner, name: member });
    return tree === undefined ? [] : [[member, tree] as const];
  });
  const items = treeOf(files, itemsIn(parts, 'items'), inner);
  const values = treeOf(files, itemsIn(parts, 'additionalProperties'), inner);
  const all = [...new Set([...own, ...deep])];
  if (all.length + members.length === 0 && items === undefined && values === undefined) {
    return undefined;
  }
  const what = all.length === 0 ? undefined : statedOf(files, parts, stated, name);
  const marks = what === undefined ? [] : all.map((one) => [one, collectOf(one, what)] as const);
  return { marks, members, items, values };
}

/** All marks of a tree, each as often as it stands there. */
export function marksIn({ marks, members, items, values }: Tree): Mark[] {
  const below = [...members.map(([, tree]) => tree), items, values];
  return [
    ...marks.map(([mark]) => mark),
    ...below.flatMap((tree) => (tree === undefined ? [] : marksIn(tree))),
  ];
}

/** The way to all marks of a row of the ledger; undefined where a tree has none. */
export function branchOf(tree: Tree | undefined, ledger: string): Branch | undefined {
  if (tree === undefined) return undefined;
  const own = tree.marks.filter(([mark]) => mark.ledger === ledger);
  const members = tree.members.flatMap(([name, inner]) => {
    const branch = branchOf(inner, ledger);
    return branch === undefined ? [] : [[name, branch] as const];
  });
  const [items, values] = [branchOf(tree.items, ledger), branchOf(tree.values, ledger)];
  const below = [...members.map(([, branch]) => branch), items, values];
  const firsts = [
    ...own.map(([mark]) => mark.first),
    ...below.flatMap((branch) => (branch === undefined ? [] : [branch.first])),
  ];
  if (firsts.length === 0) return undefined;
  const collects = own.map(([, collect]) => collect);
  return { collects, members, items, values, first: Math.min(...firsts) };
}

function statedOf(
  files: Files,
  parts: readonly FiledSchema[],
  members: ReadonlyMap<string, readonly FiledSchema[]>,
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

/** More different texts of one answer are not reported. */
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
