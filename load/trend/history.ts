import { MendableError } from '../../contracts/wire/mendable-error.ts';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RunJson } from '../../contracts/run/run.ts';
import { isNamedInRecord } from '../../contracts/run/unjudged.ts';
import type { TrendLeftOut } from '../../contracts/run/load/load-trend.ts';
import { readRegularFile, UnreadableFile } from '../../contracts/document/regular-file.ts';
import { given } from '../../contracts/wire/json.ts';
import { parseJson } from '../../contracts/wire/parse-json.ts';
import { systemCode, systemWords } from '../../target/record/record-error.ts';
import { isJudgedAs, NOT_AS_LEFT } from '../../target/record/judged-tail.ts';
import { SUMMARY_FILE } from '../../target/record/recorder.ts';
import { groupsOf } from '../../contracts/wire/groups.ts';
import { type Acceptance, acceptedBy, readAccepted } from './accepted.ts';
import { difference, remarks, unfit } from './comparable.ts';
import type { History } from './judge-trend.ts';
import type { Night } from './night.ts';
import { readNight, type ReadNight } from './read-night.ts';

/** Folders that are read at most, those whose names sort last. */
const MAX_RUNS = 400;
/** Nights that are compared at most, the newest. */
const MAX_NIGHTS = 120;
const MAX_FILE_BYTES = 33_554_432;
const MAX_BYTES = 268_435_456;
/** Runs that are named with the reason why they were left out. */
const MAX_NAMED = 40;

/** Thrown when a folder of earlier runs cannot be read, or holds none; the message says what to do. */
export class HistoryUnreadable extends MendableError {
  override readonly name = 'HistoryUnreadable';
}

/** A folder of records, read. */
export interface ReadHistory extends Omit<History, 'leftOutMore' | 'accepted'> {
  readonly accepted?: readonly Acceptance[];
}

/**
 * The load runs of a folder that holds a record in each of its folders. Bounded: at most 400 of them,
 * 32 MB each and 256 MB together; links are not followed.
 *
 * @param own name of a folder that is none of an earlier run
 * @throws HistoryUnreadable when it is no folder that may be read
 */
export function readHistory(dir: string, own?: string): ReadHistory {
  const names = foldersIn(dir).filter((name) => name !== own);
  const chosen = names.toSorted().slice(-MAX_RUNS).toReversed();
  const nights: Night[] = [];
  const leftOut: TrendLeftOut[] = [];
  const notes: string[] = [];
  let bytes = 0;
  let others = 0;
  let uncovered = 0;
  for (const [at, name] of chosen.entries()) {
    if (bytes > MAX_BYTES) {
      notes.push(`${chosen.length - at} records were not read: those before them fill the memory.`);
      break;
    }
    const read = readRecord(join(dir, name));
    bytes += read.bytes;
    if (read.kind === 'night') {
      nights.push(slim(read.night));
      if (read.isCovered === undefined) uncovered += 1;
    } else if (read.kind === 'no-load') others += 1;
    else leftOut.push({ run: name, reason: read.reason });
  }
  if (names.length > MAX_RUNS) {
    notes.push(`Of ${names.length} folders the ${MAX_RUNS} whose names sort last were read.`);
  }
  if (others > 0)
    notes.push(`${others === 1 ? 'One folder holds' : `${others} folders hold`} no load run.`);
  if (uncovered > 0)
    notes.push(
      `Nothing covers the figures of ${uncovered} of the ${nights.length} earlier runs, as an earlier version wrote them, or their exchanges are gone: they are believed as they stand.`,
    );
  const { accepted, notes: unread } = readAccepted(dir);
  return {
    nights: nights.toReversed(),
    leftOut,
    notes: [...notes, ...unread],
    accepted,
  };
}

/**
 * The run of one record.
 *
 * @throws HistoryUnreadable when the folder holds no load run
 */
export function readBaseline(dir: string): Night {
  const read = readRecord(dir);
  if (read.kind === 'night') return read.night;
  throw new HistoryUnreadable(
    `${dir} cannot be the baseline: ${read.reason}. Name the record of an earlier run of assay load.`,
  );
}

/**
 * Which nights can be set beside a run, oldest first with the run last; the others are named with the
 * reason. A copy of a night counts once.
 */
export function historyOf(
  run: Night,
  { nights, leftOut, notes, accepted = [] }: ReadHistory,
): History {
  const ids = new Set([run.id]);
  const left = [...leftOut];
  const kept: Night[] = [];
  const beginOf = ({ startedAt }: Night): number => Date.parse(startedAt);
  for (const night of nights.toSorted((a, b) => beginOf(a) - beginOf(b))) {
    // Its own record may lie beside the others already.
    if (night.id === run.id) continue;
    const reason = ids.has(night.id)
      ? 'it is a copy of another one'
      : beginOf(night) >= beginOf(run)
        ? 'it began after this run'
        : (unfit(night) ?? difference(run, night));
    ids.add(night.id);
    if (reason !== undefined) left.push({ run: night.run, reason });
    else kept.push(night);
  }
  const compared = kept.slice(1 - MAX_NIGHTS);
  const remarkable = groupsOf(
    compared.flatMap((night) => remarks(run, night)),
    (words) => words,
  );
  const { accepted: last, notes: ofAccepted } = acceptedBy(accepted, beginOf(run));
  const tooOld = kept.length - compared.length;
  return {
    nights: [...compared, run],
    leftOut: left.slice(0, MAX_NAMED),
    leftOutMore: Math.max(0, left.length - MAX_NAMED),
    ...given({ accepted: last }),
    notes: [
      ...notes,
      ...ofAccepted,
      ...(tooOld === 0
        ? []
        : [`The oldest ${tooOld} runs are not compared, beyond ${MAX_NIGHTS}.`]),
      ...remarkable
        .slice(0, 10)
        .map((same) => `${same.length} of ${compared.length} earlier nights ran with ${same[0]}.`),
    ],
  };
}

/** What a trend looks at; a year of nights would fill the memory with the rest. */
function slim(night: Night): Night {
  const { scenario, engine, whole, steps, operations, invalid, ...rest } = night.load;
  const { machine, part, rounds, countedRounds, limiter, warmUpSeconds } = rest;
  return {
    ...night,
    load: {
      ...{ scenario, engine, invalid, moments: [] },
      whole: { ...whole, histogram: '' },
      steps: steps.map((step) => ({ ...step, histogram: '' })),
      operations: operations.map((row) => ({ ...row, histogram: '' })),
      ...given({ machine, part, rounds, countedRounds, limiter, warmUpSeconds }),
    },
  };
}

function foldersIn(dir: string): string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch (error) {
    const why = systemCode(error) === 'EACCES' ? 'reading it is not permitted' : systemWords(error);
    throw new HistoryUnreadable(
      `${dir} cannot be read as a folder of earlier runs: ${why}. Name a folder whose folders are records of assay load.`,
    );
  }
}

/** What a folder holds; `isCovered` where the last lines of its record name its summary. */
function readRecord(
  dir: string,
): ReadNight & { readonly bytes: number; readonly isCovered?: boolean | undefined } {
  try {
    const text = readRegularFile(join(dir, SUMMARY_FILE), MAX_FILE_BYTES);
    const parsed = parseJson(text);
    if (parsed.kind === 'json') {
      const read = readNight(parsed.value, basename(dir));
      if (read.kind !== 'night') return { ...read, bytes: text.length };
      const isCovered = isJudgedAs(dir, text, () => isNamedInRecord(parsed.value as RunJson));
      return isCovered === false
        ? { kind: 'unreadable', reason: NOT_AS_LEFT, bytes: text.length }
        : { ...read, bytes: text.length, isCovered };
    }
    const reason = `its ${SUMMARY_FILE} is no JSON that can be read`;
    return { kind: 'unreadable', reason, bytes: text.length };
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    // A folder without a summary is no record at all.
    if (error.message === 'there is no such file') {
      return { kind: 'no-load', reason: `it has no ${SUMMARY_FILE}`, bytes: 0 };
    }
    const reason = `its ${SUMMARY_FILE} cannot be read: ${error.message}`;
    return { kind: 'unreadable', reason, bytes: 0 };
  }
}
