import type { Collect, Stated } from './collect.ts';
import { collectOf } from './collect.ts';
import type { FiledSchema, Files } from './composite.ts';
import { itemsIn, membersIn, partsOf } from './composite.ts';
import type { Mark } from './marks.ts';
import { marksOf } from './marks.ts';

/** A value as its schemas state it, and what their marks collect of it. */
export interface Tree {
  readonly marks: readonly (readonly [mark: Mark, collect: Collect])[];
  readonly members: readonly (readonly [name: string, tree: Tree])[];
  readonly items: Tree | undefined;
  readonly values: Tree | undefined;
}

/** How schemas are read: which marks one has, and how far to go. */
export interface TreeReading {
  readonly marksOf: (schema: FiledSchema['schema']) => readonly Mark[];
  /** Whether one more value is looked at, inside of so many schemas; asked once for each. */
  readonly goesOn: (depth: number) => boolean;
}

/** Documents of a service's own: a mark that is none is an error, and they end by themselves. */
const OWN: TreeReading = { marksOf, goesOn: () => true };

interface Way {
  /** Of the member that the value is; empty if it is none. */
  readonly name: string;
  /** Marks above that look for names from there down. */
  readonly deep: readonly Mark[];
  /** Schemas above: if one of them comes again, the way ends. */
  readonly open: ReadonlySet<object>;
}

const TOP: Way = { name: '', deep: [], open: new Set() };

/** What is marked in schemas of one value, and below; undefined if nothing is. */
export function treeOf(
  files: Files,
  schemas: readonly FiledSchema[],
  reading: TreeReading = OWN,
  { name, deep, open }: Way = TOP,
): Tree | undefined {
  if (!reading.goesOn(open.size)) return undefined;
  const parts = partsOf(files, schemas);
  if (parts.length === 0 || parts.some(({ schema }) => open.has(schema))) return undefined;
  const own = parts.flatMap(({ schema }) => reading.marksOf(schema));
  const beyond = [...deep, ...own.filter(({ seen }) => seen === 'other names')];
  const inner: Way = {
    name: '',
    deep: beyond,
    open: new Set([...open, ...parts.map(({ schema }) => schema)]),
  };
  const stated = membersIn(parts);
  const members = [...stated].flatMap(([member, schemasOf]) => {
    const tree = treeOf(files, schemasOf, reading, { ...inner, name: member });
    return tree === undefined ? [] : [[member, tree] as const];
  });
  const items = treeOf(files, itemsIn(parts, 'items'), reading, inner);
  const values = treeOf(files, itemsIn(parts, 'additionalProperties'), reading, inner);
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
