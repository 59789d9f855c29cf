import { relative } from 'node:path';
import { printable } from '../contracts/printable.ts';
import type { RunJson } from '../contracts/run.ts';
import { renderTerminal } from '../reports/terminal.ts';
import { print } from './output.ts';

/** Prints a judged run for a person. */
export function show(run: RunJson, recordDir: string): void {
  const { stdout } = process;
  const text = renderTerminal(run, {
    color: hasColours(stdout, process.env),
    width: stdout.isTTY ? stdout.columns : 100,
    record: printable(relative(process.cwd(), recordDir) || '.'),
  });
  print(`\n${text}`);
}

/** Whether a stream shows colours, and nobody asked for none (no-color.org). */
export function hasColours(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return stream.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
}
