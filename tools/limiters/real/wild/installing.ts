/** What the tools of several families need: running, and saying what is missing. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { WildMissing, type WildTool } from './wild-limiter.ts';

/** Runs a program to its end; rejects when it fails. */
export const run: typeof execFile.__promisify__ = promisify(execFile);

/** Fetching and compiling; a minute on a busy machine. */
export const MAX_BUILD_MS = 300_000;

/** @throws {@link WildMissing} when the program does not run */
export async function need(
  program: string,
  args: readonly string[],
  how: string,
  signal: AbortSignal,
): Promise<void> {
  await run(program, [...args], { signal }).catch(() => {
    throw new WildMissing(`there is no ${program}; install it with: ${how}`);
  });
}

/** A program that a package of the system brings. */
export function installed(program: string, args: readonly string[], how: string): WildTool {
  return {
    prepare: async (_, signal) => {
      await need(program, args, how, signal);
      return program;
    },
  };
}

/** Runs steps one after another; the first that fails is reported. */
export async function build(
  steps: readonly (readonly [program: string, ...args: string[]])[],
  cwd: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (const [program, ...args] of steps) {
      await run(program, args, { cwd, timeout: MAX_BUILD_MS, signal });
    }
  } catch (error) {
    throw new WildMissing(`its modules could not be fetched or built: ${firstLine(error)}`);
  }
}

function firstLine(error: unknown): string {
  const { stderr, stdout } = error as { readonly stderr?: unknown; readonly stdout?: unknown };
  const said = [stderr, stdout].find((text) => typeof text === 'string' && text.trim() !== '');
  const text = typeof said === 'string' ? said : String(error);
  return text.trim().split('\n')[0]?.slice(0, 200) ?? '';
}
