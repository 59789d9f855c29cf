import type { RowResult } from './run-row.ts';

const MAX_COMPLAINT = 240;

/** One line: ok or FAIL, name, exit, seconds, megabytes, what was wrong. */
export function resultLine(result: RowResult): string {
  const { name, command, exit, seconds, starvedSeconds, megabytes, complaints } = result;
  const memory = megabytes === undefined ? '  ? MB' : `${megabytes.toFixed(0).padStart(3)} MB`;
  // What it had the processor for, or waited for by itself.
  const time = `${(seconds - starvedSeconds).toFixed(1).padStart(5)} s`;
  const head = `${complaints.length === 0 ? 'ok  ' : 'FAIL'} ${command.padEnd(6)} ${name.padEnd(58)}`;
  const wrong = complaints.map((text) => printable(text).slice(0, MAX_COMPLAINT)).join('; ');
  return `${head} exit ${String(exit ?? '-').padEnd(2)} ${time} ${memory}${wrong === '' ? '' : `  ${wrong}`}`;
}

/** Counts, and the names of the rows that failed. */
export function summaryLines(results: readonly RowResult[], seconds: number): string[] {
  const failed = results.filter(({ complaints }) => complaints.length > 0);
  const slowest = Math.max(0, ...results.map((result) => result.seconds - result.starvedSeconds));
  const largest = Math.max(0, ...results.map(({ megabytes }) => megabytes ?? 0));
  return [
    ...failed.map(({ name, command }) => `failed: ${command}: ${name}`),
    `${results.length} rows, ${results.length - failed.length} ok, ${failed.length} failed; at most ${slowest.toFixed(1)} s and ${largest.toFixed(0)} MB each; ${seconds.toFixed(0)} s in all`,
  ];
}

/** What is hostile in a message is shown, not acted on. */
function printable(text: string): string {
  return text.replace(
    // eslint-disable-next-line no-control-regex
    /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (unit) => `\\u{${(unit.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
