import { relative } from 'node:path';
import type { RunJson } from '../contracts/run.ts';
import { renderTerminal } from '../reports/terminal.ts';
import { print } from './output.ts';

/** Prints a judged run for a person. */
export function show(run: RunJson, recordDir: string): void {
  const { stdout } = process;
  const text = renderTerminal(run, {
    color: stdout.isTTY && process.env.NO_COLOR === undefined,
    width: stdout.isTTY ? stdout.columns : 100,
    record: relative(process.cwd(), recordDir) || '.',
  });
  print(`\n${text}`);
}
