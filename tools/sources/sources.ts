import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** A file of the repository. */
export interface Source {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** The files of the repository that git does not ignore. */
export function readSources(root: string): Source[] {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  return execFileSync('git', list, { cwd: root, encoding: 'utf8' })
    .split('\0')
    .filter((file) => statSync(path.join(root, file), { throwIfNoEntry: false })?.isFile())
    .map((file) => ({ path: file, text: readFileSync(path.join(root, file), 'utf8') }));
}

/** Whether the file is a test of the harness itself. */
export function isSpec(file: string): boolean {
  return file.endsWith('.spec.ts');
}

/** Whether the file is what specs share. */
export function isTestkit(file: string): boolean {
  return file.endsWith('.testkit.ts');
}

/** What a file imports: files of the repository by path, everything else by name. */
export function importsOf(source: Source): readonly string[] {
  const known = IMPORTS.get(source);
  if (known !== undefined) return known;
  const { path: file, text } = source;
  const imports = ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) =>
      fileName.startsWith('.') ? path.posix.join(path.posix.dirname(file), fileName) : fileName,
    );
  IMPORTS.set(source, imports);
  return imports;
}

/** Looking for them takes longer than all that is asked of them. */
const IMPORTS = new WeakMap<Source, readonly string[]>();

/** All calls in a file, with `1`-based lines. */
export function callsOf(source: Source): { call: ts.CallExpression; line: number }[] {
  const file = ts.createSourceFile(source.path, source.text, ts.ScriptTarget.ESNext, true);
  const calls: { call: ts.CallExpression; line: number }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      calls.push({ call: node, line: line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return calls;
}
