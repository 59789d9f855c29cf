/** The one way out of the command line: all that it prints passes here. */

import { EXIT, type ExitCode } from './exit-code.ts';
import { type Escaping, withoutCommands, withoutInlineCommands } from './ci-commands.ts';
import { safeText, withoutSecrets } from './safe-text.ts';

/** Why standard output or standard error takes no more, if it does not. */
const refused: { stdout?: string; stderr?: string } = {};

for (const name of ['stdout', 'stderr'] as const) {
  process[name].on('error', (error: NodeJS.ErrnoException) => {
    refused[name] ??= error.code ?? error.message;
  });
}

/**
 * Prints to standard output, for whoever reads the result. Secrets are replaced; controls are left,
 * since reports have colours: what a report quotes was made `printable` by whoever coloured it.
 *
 * What a CI system would obey is broken by an escape that the format undoes.
 *
 * @param text with its line breaks
 */
export function print(text: string, escaping: Escaping = 'text'): void {
  if (refused.stdout !== undefined) return;
  process.stdout.write(withoutCommands(withoutSecrets(text), escaping));
}

/**
 * Prints commands that a CI system is to obey, which `print` and `notify` break: only what a renderer made
 * for that, with texts of others escaped. Secrets are replaced, and what other CI systems obey is broken.
 *
 * @param stream standard error, if standard output is for something else
 */
export function printCommands(text: string, stream: 'stdout' | 'stderr' = 'stdout'): void {
  if (refused[stream] === undefined)
    process[stream].write(withoutInlineCommands(withoutSecrets(text)));
}

/**
 * Notifies the person who waits of something, on standard error. Secrets are replaced, and characters that
 * a terminal obeys are shown as `\u{…}`, wherever they come from.
 *
 * @param text one sentence or several lines, without the last line break
 */
export function notify(text: string): void {
  endLine();
  if (refused.stderr === undefined) process.stderr.write(`${safeText(text)}\n`);
}

/** Whether the last line on standard error may be written over. */
let isOpenLine = false;

/**
 * Shows how something goes on one line of a terminal, which the next such line writes over; in a file it would be
 * many. Characters that a terminal obeys are shown, as by {@link notify}.
 *
 * @param text one line, cut to what the terminal has room for
 */
export function notifyOver(text: string, columns: number): void {
  if (refused.stderr !== undefined) return;
  const line = Array.from(safeText(text))
    .slice(0, Math.max(1, columns - 1))
    .join('');
  process.stderr.write(`\r${line}\u001b[K`);
  isOpenLine = true;
}

/** Ends the line that {@link notifyOver} left open, if there is one. */
export function endLine(): void {
  if (isOpenLine && refused.stderr === undefined) process.stderr.write('\n');
  isOpenLine = false;
}

/**
 * The exit code of a command, given what became of what it printed. A reader that has read enough
 * (EPIPE) changes nothing; a report that could not be printed for another reason is a failure, unless
 * the command has found something worse than that.
 */
export function endedWith(code: ExitCode): ExitCode {
  const { stdout } = refused;
  if (stdout === undefined || stdout === 'EPIPE' || code === EXIT.doesNotConform) return code;
  notify(`assay: the result could not be printed (${stdout})`);
  return code === EXIT.conforms ? EXIT.failed : code;
}
