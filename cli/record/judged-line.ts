import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { RunJson } from '../../contracts/run/run.ts';
import { appendLine } from '../../target/record/recorder.ts';
import { digestsOf } from './digests.ts';
import { summaryDigest, summaryText } from './record.ts';
import { DERIVED_FILES } from './record-names.ts';

/**
 * Appends to a record that has its end what its run writes as `run.json`, and what it made of it so far.
 *
 * @param head the digest that the chain ends with
 * @param run without secrets
 * @returns the digest that it ends with then
 * @throws {RecordNotWritten} when the system refuses
 */
export function appendJudged(dir: string, head: string, run: RunJson): string {
  const sha256 = summaryDigest(summaryText(run));
  // Somebody may have put a folder there, and the page was not made.
  const made = DERIVED_FILES.filter((name) => isFile(join(dir, name)));
  return appendLine(dir, head, { judged: { sha256, files: digestsOf(dir, made) } });
}

function isFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
