import { isObject } from '../wire/json.ts';
import type { Collect } from './collect.ts';
import type { Tree } from './tree.ts';

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

/** The way to all marks of a row of the ledger; undefined if a tree has none. */
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
