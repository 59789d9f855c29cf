import type { Source } from './sources.ts';

/** A file of one line for each text, for tests of the checks themselves. */
export function file(name: string, ...lines: string[]): Source {
  return { path: name, text: lines.map((line) => `${line}\n`).join('') };
}
