import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

const sources = readdirSync(import.meta.dirname).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'),
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
  expect(imported.filter((file) => !/^\.\/[a-z-]+\.ts$/.test(file))).toEqual([]);
});

test.each(sources)('%s uses what every runtime has', (name) => {
  const source = readFileSync(`${import.meta.dirname}/${name}`, 'utf8');
  expect(RUNTIME_NAMES.exec(codeOf(source))?.[0]).toBeUndefined();
});

test('the check sees a name that not every runtime has', () => {
  expect(codeOf("// Buffer\nconst a = 'URL'; new Map();")).not.toMatch(RUNTIME_NAMES);
  expect(codeOf('export const b: Uint8Array = Buffer.from([]);')).toMatch(RUNTIME_NAMES);
});
