import { join } from 'node:path';
import { readRegularFile, UnreadableFile } from '../../contracts/document/regular-file.ts';
import { given, member } from '../../contracts/wire/json.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import { appendPlain } from '../../target/record/append-plain.ts';

/** In the folder of a history: a line for each time that somebody accepted what had changed until then. */
export const ACCEPTED_FILE = 'accepted.ndjson';

const MAX_BYTES = 1_000_000;

/** Times after the run that are reported. */
const MAX_LATER = 3;
/** Longer notes are cut. */
const MAX_NOTE = 500;

/** That somebody accepted what had changed until then. */
export interface Acceptance {
  /** RFC 3339. */
  readonly at: string;
  readonly note: string;
}

/** What was accepted of a history. */
export interface Accepted {
  /** By time. */
  readonly accepted: readonly Acceptance[];
  /** What cannot be read of it, as sentences. */
  readonly notes: readonly string[];
}

/** Reads what was accepted; a line that is none is reported, and accepts nothing. */
export function readAccepted(dir: string): Accepted {
  let text: string;
  try {
    text = readRegularFile(join(dir, ACCEPTED_FILE), MAX_BYTES);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const isNone = error.message === 'there is no such file';
    return {
      accepted: [],
      notes: isNone ? [] : [`${ACCEPTED_FILE} was not read: ${error.message}.`],
    };
  }
  const accepted: Acceptance[] = [];
  let others = 0;
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const json = jsonOrUndefined(line);
    const [at, note] = [member(json, 'acceptedAt'), member(json, 'note')];
    if (typeof at === 'string' && !Number.isNaN(Date.parse(at)))
      accepted.push({ at, note: typeof note === 'string' ? note.slice(0, MAX_NOTE) : '' });
    else others += 1;
  }
  accepted.sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const note = `Lines of ${ACCEPTED_FILE} that accept nothing, as they are none: ${others}.`;
  return { accepted, notes: others === 0 ? [] : [note] };
}

/** An acceptance in words: its time and its note. */
export function acceptanceWords({ at, note }: Acceptance): string {
  return `${at} (${JSON.stringify(note)})`;
}

/** What was accepted last when a run began, and sentences on what was accepted later. */
export function acceptedBy(
  all: readonly Acceptance[],
  beganMs: number,
): { readonly accepted?: Acceptance; readonly notes: readonly string[] } {
  const later = all.filter(({ at }) => Date.parse(at) > beganMs);
  return {
    ...given({ accepted: all.findLast(({ at }) => Date.parse(at) <= beganMs) }),
    notes: later
      .slice(-MAX_LATER)
      .map(
        (one) =>
          `What ${ACCEPTED_FILE} accepts until ${acceptanceWords(one)} is not, as this run began before.`,
      ),
  };
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
