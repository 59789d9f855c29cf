import { join } from 'node:path';
import { readRegularFile, UnreadableFile } from '../../contracts/document/regular-file.ts';
import { given, member } from '../../contracts/wire/json.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import { appendPlain } from '../../fixtures/target/record/append-plain.ts';

/** In the folder of a history: a line for each time that somebody accepted what had changed until then. */
export const ACCEPTED_FILE = 'accepted.ndjson';

const MAX_BYTES = 1_000_000;

/** What was accepted of a history. */
export interface Accepted {
  /** The last time, RFC 3339; absent where nothing was. */
  readonly at?: string;
  /** What cannot be read of it, as sentences. */
  readonly notes: readonly string[];
}

/** Reads what was accepted; a line that is none is told, and accepts nothing. */
export function readAccepted(dir: string): Accepted {
  let text: string;
  try {
    text = readRegularFile(join(dir, ACCEPTED_FILE), MAX_BYTES);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const isNone = error.message === 'there is no such file';
    return { notes: isNone ? [] : [`${ACCEPTED_FILE} was not read: ${error.message}.`] };
  }
  const times: string[] = [];
  let others = 0;
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const at = member(jsonOrUndefined(line), 'acceptedAt');
    if (typeof at === 'string' && !Number.isNaN(Date.parse(at))) times.push(at);
    else others += 1;
  }
  const last = times.sort((a, b) => Date.parse(a) - Date.parse(b)).at(-1);
  const note = `Lines of ${ACCEPTED_FILE} that accept nothing, as they are none: ${others}.`;
  return { ...given({ at: last }), notes: others === 0 ? [] : [note] };
}

/**
 * Accepts what changed in a history until now; no record changes.
 *
 * @throws RecordNotWritten when the system refuses, or the file is no plain one
 */
export function accept(dir: string, note: string, now: Date): void {
  const line = JSON.stringify({ acceptedAt: now.toISOString(), note });
  appendPlain(join(dir, ACCEPTED_FILE), `${line}\n`);
}
