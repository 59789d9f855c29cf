/** The places of rules, faults and variants in the sources: of a checkout, or those that the package was made from. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A line of a file; the path from the root of the package, with `/`. */
export interface RulePlace {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** The folders of rows of rules. */
const FOLDERS: readonly string[] = ['contracts/service/rules', 'contracts/rules'];
/** The places of all rules by their ids, from the root of the package; made when it is built. */
export const PLACES_FILE = 'dist/rule-places.json';
/** A template with less of the id in it may be of any other. */
const MIN_WRITTEN = 5;

interface Line extends RulePlace {
  readonly text: string;
}

/**
 * Finds the place of a rule. An installed package has a table of them.
 *
 * @param root of the package
 */
export function rulePlaces(root: string): (id: string) => RulePlace | undefined {
  if (!isCheckout(root)) return placesInTable(path.join(root, PLACES_FILE));
  return placesBelow(root, FOLDERS);
}

/**
 * Finds the place of a fault or variant; nothing without the sources.
 *
 * @param root of the package
 */
export function servicePlaces(root: string): (id: string) => RulePlace | undefined {
  if (!isCheckout(root)) return () => undefined;
  return placesBelow(root, ['fixtures/service/faults', 'fixtures/service/variants']);
}

/** The specs of rules that name one, by their paths from the root; none without the sources. */
export function specsOf(root: string, id: string): string[] {
  if (!isCheckout(root)) return [];
  return filesBelow(root, FOLDERS, /\.spec\.ts$/).flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8').includes(`'${id}'`) ? [file] : [],
  );
}

/**
 * The place of a row: the line with its id, else the one with the name that the rows of its kind are
 * distinguished by, else the one that makes ids of its kind.
 */
function placesBelow(
  root: string,
  folders: readonly string[],
): (id: string) => RulePlace | undefined {
  const lines = linesBelow(root, folders);
  return (id) => {
    const written = lines.filter(({ text }) => text.includes(`'${id}'`));
    const isRow = ({ text }: Line): boolean => /\bid: /.test(text);
    const found = written.find(isRow) ?? written[0] ?? madeAt(id, lines);
    return found === undefined ? undefined : { file: found.file, line: found.line };
  };
}

/** Whether the sources are at hand. */
export function isCheckout(root: string): boolean {
  return FOLDERS.every((folder) => existsSync(path.join(root, folder)));
}

function placesInTable(file: string): (id: string) => RulePlace | undefined {
  if (!existsSync(file)) return () => undefined;
  const table = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, RulePlace>>;
  return (id) => (Object.hasOwn(table, id) ? table[id] : undefined);
}

/** Ids of rows that several APIs or operations have are made by templates. */
function madeAt(id: string, lines: readonly Line[]): Line | undefined {
  const made = lines
    .flatMap((line) =>
      [...line.text.matchAll(/`([^`]*\$\{[^`]*)`/g)].flatMap(([, template = '']) => {
        const values = valuesIn(id, template);
        const endsInName = template.endsWith('}');
        return values === undefined
          ? []
          : [{ line, name: endsInName ? values.at(-1) : undefined, written: writtenIn(template) }];
      }),
    )
    .sort((a, b) => b.written - a.written);
  const [best] = made;
  if (best === undefined || best.written < MIN_WRITTEN) return undefined;
  const { name, line } = best;
  // A row has it as a value or an argument; a table of words, or a type, has something else after it.
  const isNamed = ({ file, text }: Line): boolean =>
    file === line.file && [`'${name}',`, `'${name}')`].some((end) => text.includes(end));
  return (name === undefined ? undefined : lines.find(isNamed)) ?? line;
}

/** The characters of a template beside what it takes in. */
function writtenIn(template: string): number {
  return template.replaceAll(/\$\{[^}]*\}/g, '').length;
}

/** What a template takes in where it makes the text; undefined if it does not. */
function valuesIn(text: string, template: string): string[] | undefined {
  const parts = template.split(/\$\{[^}]*\}/);
  const [first = '', ...rest] = parts;
  if (!text.startsWith(first)) return undefined;
  let at = first.length;
  const values: string[] = [];
  for (const [index, part] of rest.entries()) {
    const isLast = index === rest.length - 1;
    const next = isLast ? text.length - part.length : text.indexOf(part, at + 1);
    if (next <= at || !text.startsWith(part, next)) return undefined;
    values.push(text.slice(at, next));
    at = next + part.length;
  }
  return at === text.length ? values : undefined;
}

function linesBelow(root: string, folders: readonly string[]): Line[] {
  return filesBelow(root, folders, /(?<!\.spec|\.testkit)\.ts$/).flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    return text.split('\n').map((one, index) => ({ file, line: index + 1, text: one }));
  });
}

function filesBelow(root: string, folders: readonly string[], named: RegExp): string[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => named.test(name))
      .sort()
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
}
