/** The one way out of the command line: all that it prints passes here. */

/**
 * Prints to standard output, for whoever reads the result.
 *
 * @param text with its line breaks
 */
export function print(text: string): void {
  process.stdout.write(text);
}

/**
 * Tells the person who waits something, on standard error.
 *
 * @param text one sentence or several lines, without the last line break
 */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`);
}
