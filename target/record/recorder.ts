import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  statSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { RecordBeginning, RecordLine } from '../../contracts/run/record-lines.ts';
import type { Counterexample } from '../../contracts/run/run.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { BudgetExceeded } from '../budget/governor.ts';
import { appendPlain, takeBack } from './append-plain.ts';
import { FolderNotMade, makeFolder } from './make-folder.ts';
import { isInRecord, lyingFile, PACKED } from './packed.ts';
import { chainStart, seal, unseal } from './record-chain.ts';
import { RecordExists, RecordNotWritten, RecordRefused, systemWords } from './record-error.ts';

/** The file of a run record that holds the exchanges, one JSON text per line, as a hash chain. */
export const EXCHANGES_FILE = 'exchanges.ndjson';
/** The file of a run record that holds the smallest requests that show each broken rule. */
export const COUNTEREXAMPLES_FILE = 'counterexamples.ndjson';
/** The summary of a run, written by whoever judges it. */
export const SUMMARY_FILE = 'run.json';

/** How the line begins that says what the run begins with. */
export const BEGINNING = '{"run":';

/** This much of a disk is left alone, for what is written of a run at its end. */
const RESERVE_BYTES = 33_554_432;
/** After this many bytes the free space of the disk is checked again. */
const LOOKED_EVERY_BYTES = 16_777_216;

/** Writes exchanges as they happen. */
export interface Recorder {
  /**
   * Appends one exchange; it has reached the operating system when this returns.
   *
   * @throws {BudgetExceeded} when the record would grow past its bytes; nothing is appended then
   * @throws {RecordNotWritten} when the system refuses
   */
  readonly record: (exchange: Exchange) => void;
  /** Appends a counterexample. */
  readonly keep: (found: Counterexample) => void;
  /** What it has recorded by now, by which whoever reads the file knows that it is the one. */
  readonly recorded: () => Recorded;
  readonly close: () => void;
}

/** How much was recorded. */
export interface Recorded {
  readonly exchanges: number;
  /** The digest that the chain ends with. */
  readonly head: string;
}

/** What a record is opened with. */
export interface RecorderOptions {
  /** The id of the record, which its chain begins with. */
  readonly recordId: string;
  /** Bytes of exchanges at the most; unlimited when absent, except for the disk. */
  readonly maxRecordBytes?: number;
}

/**
 * Makes a folder for what is written of a run.
 *
 * @throws {RecordExists} when it holds a record already, be it only its summary
 * @throws {RecordRefused} when there can be no such folder
 */
export function makeRecordFolder(dir: string): void {
  try {
    makeFolder(dir);
  } catch (error) {
    if (error instanceof FolderNotMade) throw new RecordRefused(dir, error.message);
    throw error;
  }
  for (const name of [SUMMARY_FILE, EXCHANGES_FILE]) {
    if (isInRecord(join(dir, name))) throw new RecordExists(join(dir, name));
  }
}

/**
 * Begins the record of a new run. Creates its folder, and in it the file for the exchanges, whose first line
 * is what the run begins with.
 *
 * @throws {RecordExists} when the folder holds a record, be it only its summary
 * @throws {RecordRefused} when there can be no such folder, or nothing may be written there
 * @throws {RecordNotWritten} when the disk is nearly full
 */
export function createRecord(
  dir: string,
  first?: { readonly recordId: string; readonly run: RecordBeginning },
): void {
  makeRecordFolder(dir);
  if (spareBytes(dir) <= 0) {
    throw new RecordNotWritten(
      join(dir, EXCHANGES_FILE),
      `the disk has less than ${RESERVE_BYTES / 2 ** 20} MiB left, so that the record could not be kept`,
    );
  }
  try {
    // Exclusively, so that of two runs that begin at once only one has the folder.
    closeSync(openSync(join(dir, EXCHANGES_FILE), 'wx'));
  } catch (error) {
    throw new RecordRefused(dir, systemWords(error));
  }
  if (first === undefined) return;
  appendLine(dir, chainStart(first.recordId), { run: first.run });
}

/**
 * Appends a line that is no exchange, while nobody else writes.
 *
 * @param head the digest that the chain ends with
 * @returns the digest that it ends with then
 * @throws {RecordNotWritten} when the system refuses
 */
export function appendLine(dir: string, head: string, line: RecordLine): string {
  const file = join(dir, EXCHANGES_FILE);
  if (lyingFile(file)?.isPacked === true)
    throw new RecordNotWritten(file, `it is packed: unpack ${file}${PACKED} first`);
  const sealed = seal(JSON.stringify(line), head);
  appendPlain(file, sealed.line, true);
  return sealed.head;
}

/**
 * Opens the record of a new run, which `createRecord` has begun. Exchanges are appended as they end,
 * so their ids need not be in order. A run that is killed leaves all finished exchanges, and a chain
 * that is whole up to there; at worst the last line is torn.
 *
 * Each line says besides how many milliseconds after this it was appended, on a clock that nobody sets.
 *
 * @throws {RecordExists} when the folder holds exchanges already
 */
export function openRecorder(
  dir: string,
  { recordId, maxRecordBytes = Infinity }: RecorderOptions,
): Recorder {
  const file = join(dir, EXCHANGES_FILE);
  let head = headOfBeginning(file, recordId);
  const descriptor = openSync(file, 'a');
  const openedMs = performance.now();
  let open = true;
  let exchanges = 0;
  let written = 0;
  let allowedUntil = 0;

  function requireSpace(bytes: number): void {
    if (written + bytes > maxRecordBytes) throw new BudgetExceeded('record bytes', maxRecordBytes);
    if (written + bytes <= allowedUntil) return;
    if (bytes > spareBytes(dir)) throw new RecordNotWritten(file, 'the disk is nearly full');
    allowedUntil = written + bytes + LOOKED_EVERY_BYTES;
  }

  return {
    record(exchange) {
      const offsetMs = Math.floor(performance.now() - openedMs);
      const sealed = seal(JSON.stringify({ ...exchange, offsetMs }), head);
      requireSpace(sealed.line.length);
      writeWhole(descriptor, sealed.line, file);
      written += sealed.line.length;
      head = sealed.head;
      exchanges += 1;
    },
    keep(found) {
      appendPlain(join(dir, COUNTEREXAMPLES_FILE), `${JSON.stringify(found)}\n`);
    },
    recorded: () => ({ exchanges, head }),
    close() {
      if (open) closeSync(descriptor);
      open = false;
    },
  };
}

/**
 * What the first exchange continues: the line on what the run begins with, if there is one.
 *
 * @throws {RecordExists} when more than that is there
 */
function headOfBeginning(file: string, recordId: string): string {
  const start = chainStart(recordId);
  if (!existsSync(file) || statSync(file).size === 0) return start;
  const text = readFileSync(file);
  const unsealed =
    text.indexOf(0x0a) === text.length - 1 ? unseal(text.subarray(0, -1), start) : undefined;
  if (unsealed?.json.startsWith(BEGINNING) !== true) throw new RecordExists(file);
  return unsealed.head;
}

/** What may be written to the disk of a folder beyond the reserve. */
function spareBytes(dir: string): number {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize - RESERVE_BYTES;
}

/** Writes all of the line, also if the system takes it in pieces, or none of it. */
function writeWhole(descriptor: number, line: Buffer, file: string): void {
  let from = 0;
  try {
    while (from < line.length) from += writeSync(descriptor, line, from);
  } catch (error) {
    takeBack(descriptor, fstatSync(descriptor).size - from);
    throw new RecordNotWritten(file, systemWords(error));
  }
}
