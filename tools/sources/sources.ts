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
