/** Who may import whom: the table of the design, held over every source. */

import { importsOf, isSpec, isTestkit, type Source } from '../sources/sources.ts';

/**
 * What each folder may import of the repository, besides itself; the longest matching folder counts.
 * Specs answer to their room only: a spec of the reference service may judge it by the contract. The
 * fixtures are for all of them, too.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'contracts/wire': [],
  'contracts/service/wire': ['contracts/wire'],
  contracts: [],
  target: ['contracts'],
  'fixtures/service/reference': ['contracts/wire', 'contracts/service/wire'],
  fixtures: ['contracts', 'target'],
  'load/k6': ['contracts/wire', 'contracts/service/wire', 'load'],
  load: ['contracts', 'target', 'fixtures'],
  suites: ['contracts', 'target', 'fixtures', 'load'],
  // The tests of the harness look at all of it.
  'suites/self': ['contracts', 'target', 'fixtures', 'load', 'suites', 'reports', 'cli'],
  reports: ['contracts'],
  cli: ['contracts', 'target', 'fixtures', 'load', 'suites', 'reports'],
  // Nothing imports tools.
  tools: ['contracts', 'target', 'fixtures', 'load', 'suites', 'reports', 'cli'],
};
/** What specs and test kits may import besides. */
const DOUBLES = 'fixtures';
const ROOMS = Object.keys(MAY_IMPORT).filter((folder) => !folder.includes('/'));
/** Of k6 itself, and what is put in place of when its script is bundled. */
const K6_MODULE = /^(?:k6(?:\/|$)|assay:)/;

function isIn(file: string, folder: string): boolean {
  return file.startsWith(`${folder}/`);
}

/** The room of a file; undefined for those at the root, such as the test runner's configuration. */
export function roomOf(file: string): string | undefined {
  return ROOMS.find((room) => isIn(file, room));
}

function folderOf(file: string): string | undefined {
  if (isSpec(file) && !isIn(file, 'suites/self')) return roomOf(file);
  return Object.keys(MAY_IMPORT)
    .filter((folder) => isIn(file, folder))
    .sort((a, b) => b.length - a.length)[0];
}

/** Imports against the table. */
export function wrongDirections(sources: readonly Source[]): string[] {
  const inRepository = (name: string): boolean => roomOf(name) !== undefined;
  return sources.flatMap((source) => {
    const folder = folderOf(source.path);
    if (folder === undefined) return [];
    const data = isSpec(source.path) || isTestkit(source.path) ? [DOUBLES] : [];
    const allowed = [folder, ...(MAY_IMPORT[folder] ?? []), ...data];
    return importsOf(source)
      .filter((name) => inRepository(name) && !allowed.some((other) => isIn(name, other)))
      .map((name) => `${source.path} imports ${name}; ${folder} may import ${allowed.join(', ')}`);
  });
}

/** The room that composes the service and its parts, and the tests of the whole, may know both sides. */
const KNOWS_BOTH: readonly string[] = ['cli', 'suites/self', 'tools'];

/**
 * Imports from the engine into what is of one service: what stands in the folder `service` of a room.
 * Specs and testkits need a service to try the engine on.
 */
export function serviceImports(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const { path } = source;
    const isFree =
      isSpec(path) || isTestkit(path) || KNOWS_BOTH.some((folder) => isIn(path, folder));
    if (roomOf(path) === undefined || isOfService(path) || isFree) return [];
    return importsOf(source)
      .filter(isOfService)
      .map((name) => `${path} imports ${name}; the engine knows no service, it is told of one`);
  });
}

/** Folders with one public face: the file that others import. Testkits are for specs anywhere. */
const FACES: Readonly<Record<string, string>> = { 'load/limits': 'load/limits/index.ts' };

/** Imports from outside of a folder with a public face into anything but that face. */
export function importsPastFaces(sources: readonly Source[]): string[] {
  return Object.entries(FACES).flatMap(([folder, face]) =>
    sources
      .filter(({ path }) => !isIn(path, folder))
      .flatMap((source) =>
        importsOf(source)
          .filter((name) => isIn(name, folder) && name !== face && !isTestkit(name))
          .map((name) => `${source.path} imports ${name}; ${face} is what others import`),
      ),
  );
}

function isOfService(file: string): boolean {
  const room = roomOf(file);
  return room !== undefined && isIn(file, `${room}/service`);
}

/** Relative imports that leave the rooms, or name a file that is not there. */
export function danglingImports(sources: readonly Source[], files: ReadonlySet<string>): string[] {
  return sources.flatMap((source) =>
    importsOf(source)
      .filter((name) => (roomOf(name) !== undefined || name.startsWith('..')) && !files.has(name))
      .map((name) => `${source.path} imports ${name}, which is not there`),
  );
}

/** Whether a file runs in any engine. */
function isWire(file: string): boolean {
  return isIn(file, 'contracts/wire') || isIn(file, 'contracts/service/wire');
}

/** Imports that the runtime-neutral files have and k6, or a plain engine, has not. */
export function runtimeImports(sources: readonly Source[]): string[] {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const neutral = new Set(
    sources.map(({ path }) => path).filter((file) => isIn(file, 'load/k6') && !isSpec(file)),
  );
  // A set grows while it is walked: files of load/ that k6 reaches must be neutral as well.
  for (const file of neutral) {
    const source = byPath.get(file);
    for (const name of source === undefined ? [] : importsOf(source)) {
      if (byPath.has(name)) neutral.add(name);
    }
  }
  const wire = sources.filter(({ path }) => isWire(path) && !isSpec(path));
  const packages = (source: Source): string[] =>
    importsOf(source).filter((name) => roomOf(name) === undefined);
  const complaint = (source: Source, name: string): string =>
    `${source.path} imports ${name}, but has to run without it`;
  return [
    ...wire.flatMap((source) => packages(source).map((name) => complaint(source, name))),
    ...[...neutral].flatMap((file) => {
      const source = byPath.get(file);
      if (source === undefined || isWire(file)) return [];
      return packages(source)
        .filter((name) => !K6_MODULE.test(name))
        .map((name) => complaint(source, name));
    }),
  ];
}

/** The rooms on a way from a room back to itself; empty when there is none. */
export function roomCycle(sources: readonly Source[]): string[] {
  const targets = new Map(ROOMS.map((room) => [room, new Set<string>()]));
  for (const source of sources.filter(({ path }) => !isSpec(path))) {
    // What tests the harness is no part of the way through it.
    if (isIn(source.path, 'suites/self')) continue;
    const room = roomOf(source.path);
    for (const name of importsOf(source)) {
      const target = roomOf(name);
      if (room !== undefined && target !== undefined && target !== room) {
        targets.get(room)?.add(target);
      }
    }
  }
  const search = (way: readonly string[]): string[] => {
    for (const next of targets.get(way.at(-1) ?? '') ?? []) {
      if (way.includes(next)) return [...way.slice(way.indexOf(next)), next];
      const cycle = search([...way, next]);
      if (cycle.length > 0) return cycle;
    }
    return [];
  };
  return ROOMS.map((room) => search([room])).find((cycle) => cycle.length > 0) ?? [];
}
