/** How large the house is, in lines of code: comments and blank lines are not counted. */

import ts from 'typescript';
import type { Source } from '../sources/sources.ts';

/** Rooms whose code reaches the package. */
const SHIPPED = ['contracts', 'target', 'fixtures', 'suites', 'load', 'reports', 'cli'];
const TESTS = /\.(?:spec|suite|testkit)\.tsx?$|\.(?:slow|load|anvil|calibration)\.spec\.ts$/;
const LONG_FILE = 300;
const LONG_FUNCTION = 60;

/** Lines that hold a token. */
export function codeLines(text: string): number {
  const file = ts.createSourceFile('a.tsx', text, ts.ScriptTarget.ESNext, true);
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    if (node.getChildCount(file) === 0 && node.getWidth(file) > 0) {
      const { line: first } = file.getLineAndCharacterOfPosition(node.getStart(file));
      const { line: last } = file.getLineAndCharacterOfPosition(node.end);
      for (let line = first; line <= last; line += 1) lines.add(line);
    }
    for (const child of node.getChildren(file)) if (!ts.isJSDoc(child)) visit(child);
  };
  visit(file);
  return lines.size;
}

/** The functions of a file that are longer, in whole lines, with their names. */
export function longFunctions(
  { path: name, text }: Source,
  most: number = LONG_FUNCTION,
): string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.ESNext, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) {
      const [from, to] = [node.getStart(file), node.end].map(
        (at) => file.getLineAndCharacterOfPosition(at).line,
      );
      const lines = (to ?? 0) - (from ?? 0) + 1;
      if (lines > most) found.push(`${name} ${node.name?.getText(file) ?? ''} ${lines}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** What is counted of the sources of the repository, as text. */
export function figures(all: readonly Source[]): string {
  const sources = all.filter(({ path: name }) => /\.tsx?$/.test(name));
  const own = sources.filter(({ path: name }) => !TESTS.test(name));
  const rooms = [...SHIPPED, 'tools'].map((room) => {
    const files = own.filter(({ path: name }) => name.startsWith(`${room}/`));
    return {
      room,
      files: files.length,
      lines: files.reduce((sum, one) => sum + codeLines(one.text), 0),
    };
  });
  const shipped = rooms.filter(({ room }) => room !== 'tools');
  const total = (of: 'files' | 'lines'): number => shipped.reduce((sum, one) => sum + one[of], 0);
  const long = own.filter(({ text }) => text.split('\n').length - 1 > LONG_FILE);
  return [
    ...rooms.map(({ room, files, lines }) => `${room.padEnd(12)}${files} files, ${lines} lines`),
    `${'shipped'.padEnd(12)}${total('files')} files, ${total('lines')} lines`,
    `files over ${LONG_FILE} lines: ${long.map(({ path: name }) => name).join(', ') || 'none'}`,
    `functions over ${LONG_FUNCTION} lines:`,
    ...own.flatMap((one) => longFunctions(one)).map((one) => `  ${one}`),
  ].join('\n');
}
