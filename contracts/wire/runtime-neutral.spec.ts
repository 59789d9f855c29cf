import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !/\.(?:spec|testkit)\.ts$/.test(name),
);

/** What only some runtimes have. k6 has none of these. */
const RUNTIME_NAMES =
  /\b(?:Buffer|URL|URLSearchParams|TextEncoder|TextDecoder|process|fetch|setTimeout|structuredClone|atob|btoa|Intl|console|performance|globalThis)\b/;

/** The source without its comments and strings. */
function codeOf(source: string): string {
  const output = ts.transpileModule(source, {
    compilerOptions: { removeComments: true, target: ts.ScriptTarget.ESNext },
  }).outputText;
  return output.replace(/'(?:[^'\\\n]|\\.)*'/g, "''");
}

test.each(sources)('%s imports nothing outside this folder', (name) => {
  const source = readFileSync(`${import.meta.dirname}/${name}`, 'utf8');
  const imported = ts.preProcessFile(source).importedFiles.map(({ fileName }) => fileName);
  const here = posix.dirname(name.replaceAll('\\', '/'));
  const within = imported.map((file) =>
    file.startsWith('.') ? posix.join(here, file) : `../${file}`,
  );
  expect(within.filter((file) => file.startsWith('..'))).toEqual([]);
});

test.each(sources)('%s uses what every runtime has', (name) => {
  const source = readFileSync(`${import.meta.dirname}/${name}`, 'utf8');
  expect(RUNTIME_NAMES.exec(codeOf(source))?.[0]).toBeUndefined();
});

test('the check sees a name that not every runtime has', () => {
  expect(codeOf("// Buffer\nconst a = 'URL'; new Map();")).not.toMatch(RUNTIME_NAMES);
  expect(codeOf('export const b: Uint8Array = Buffer.from([]);')).toMatch(RUNTIME_NAMES);
});
