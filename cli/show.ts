import { relative } from 'node:path';
import type { Command } from 'commander';
import { Option } from 'commander';
import { printable } from '../contracts/run/printable.ts';
import type { RunJson } from '../contracts/run/run.ts';
import type { Detail } from '../reports/terminal/terminal.ts';
import { renderTerminal } from '../reports/terminal/terminal.ts';
import { print } from './output.ts';

/** How a run is shown: to a person in more or less detail, or to a program. */
export type Showing = Detail | 'json';

/** The flags that say so. */
export interface ShowingFlags {
  readonly verbose?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** What the flags ask for. */
export function showingOf({ verbose, quiet, json }: ShowingFlags): Showing {
  if (json === true) return 'json';
  return quiet === true ? 'quiet' : verbose === true ? 'verbose' : 'short';
}

/** Adds the flags to a command that shows a run. */
export function addShowing(command: Command): Command {
  return command
    .addOption(new Option('--verbose', 'prints every rule, unspecified clause and latency'))
    .addOption(new Option('--quiet', 'prints the outcome alone').conflicts('verbose'))
    .addOption(
      new Option('--json', 'prints run.json alone, on standard output').conflicts([
        'verbose',
        'quiet',
      ]),
    )
    .addOption(
      new Option(
        '--no-annotations',
        'under GitHub Actions: no annotations, and nothing in the summary of the step',
      ),
    );
}

/**
 * Prints a judged run.
 *
 * @param recordDir its record; undefined if that could not be kept
 * @param page the file of its page, if there is one
 */
export function show(
  run: RunJson,
  recordDir: string | undefined,
  showing: Showing = 'short',
  page?: string,
): void {
  const { stdout } = process;
  if (showing === 'json') {
    print(`${jsonText(run)}\n`, 'json');
    return;
  }
  const text = renderTerminal(run, {
    color: hasColours(stdout, process.env),
    width: stdout.isTTY ? stdout.columns : 100,
    detail: showing,
    ...(recordDir === undefined
      ? {}
      : { record: printable(relative(process.cwd(), recordDir) || '.') }),
    ...(page === undefined ? {} : { page: printable(relative(process.cwd(), page)) }),
  });
  print(showing === 'quiet' ? text : `\n${text}`);
}

/** As JSON in which nothing is left for `print` to break: `##[` stands in texts alone. */
export function jsonText(value: object): string {
  return JSON.stringify(value, undefined, 2).replaceAll('##[', '#\\u0023[');
}

/** Whether a stream shows colours, and nobody asked for none (no-color.org). */
export function hasColours(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return stream.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
}
