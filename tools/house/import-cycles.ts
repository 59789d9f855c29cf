/** Files, and folders, that need each other: none of them can be read, moved or tested alone. */

import path from 'node:path';
import { roomOf } from './import-directions.ts';
import type { KnownKnot } from './known-knots.ts';
import { importsOf, isSpec, isTestkit, type Source } from '../sources/sources.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Files that lead back to themselves by their imports, each knot in the order of their names. */
export function fileCycles(sources: readonly Source[]): string[][] {
  return knotsOf(importsIn(sources));
}

/** The same of folders. A folder and those within it are one thing, so imports between them count not. */
export function folderCycles(sources: readonly Source[]): string[][] {
  const folders = new Map<string, Set<string>>();
  for (const [file, imported] of importsIn(sources)) {
    const from = path.posix.dirname(file);
    const targets = folders.get(from) ?? new Set<string>();
    folders.set(from, targets);
    for (const name of imported) {
      const to = path.posix.dirname(name);
      const areNested = `${to}/`.startsWith(`${from}/`) || `${from}/`.startsWith(`${to}/`);
      if (!areNested) targets.add(to);
    }
  }
  return knotsOf(folders);
}

/** What is wrong with the knots that were found, compared with those that are known. */
export function knotComplaints(
  found: readonly (readonly string[])[],
  known: readonly KnownKnot[],
): string[] {
  const all = new Set(found.flat());
  return [
    ...found
      .filter((knot) => !known.some(({ members }) => knot.every((one) => members.includes(one))))
      .map((knot) => `these need each other: ${knot.join(', ')}`),
    ...known
      .flatMap(({ members }) => members)
      .filter((one) => !all.has(one))
      .map((one) => `${one} is in no knot any more: take it off the list`),
  ];
}

/** What tests the harness is no part of the way through it. */
function importsIn(sources: readonly Source[]): Map<string, ReadonlySet<string>> {
  const files = sources.filter(
    ({ path: file }) =>
      roomOf(file) !== undefined &&
      !isSpec(file) &&
      !isTestkit(file) &&
      !file.startsWith('suites/self/'),
  );
  const known = new Set(files.map(({ path: file }) => file));
  return new Map(
    files.map((source) => [
      source.path,
      new Set(importsOf(source).filter((name) => known.has(name))),
    ]),
  );
}

/** The parts of a graph in which each leads to each, of two or more (R. E. Tarjan, 1972). */
function knotsOf(graph: Graph): string[][] {
  const numbers = new Map<string, number>();
  const waiting: string[] = [];
  const knots: string[][] = [];
  const visit = (one: string): number => {
    const number = numbers.size;
    numbers.set(one, number);
    waiting.push(one);
    let low = number;
    for (const next of graph.get(one) ?? []) {
      if (!numbers.has(next)) low = Math.min(low, visit(next));
      else if (waiting.includes(next)) low = Math.min(low, numbers.get(next) ?? low);
    }
    if (low === number) {
      const knot = waiting.splice(waiting.indexOf(one));
      if (knot.length > 1) knots.push(knot.sort());
    }
    return low;
  };
  for (const one of graph.keys()) if (!numbers.has(one)) visit(one);
  return knots.sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
}
