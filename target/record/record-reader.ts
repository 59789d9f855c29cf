/** Long because the lines of a record are read, followed along their chain and looked at in one walk. */

import { join } from 'node:path';
import type { Counterexample } from '../../contracts/run/run.ts';
import { member } from '../../contracts/wire/json.ts';
import type { ApiName, Exchange } from '../../contracts/wire/exchange.ts';
import { exchangeFault } from '../../contracts/wire/exchange-form.ts';
import { chainStart, unseal } from './record-chain.ts';
import { repeatedMember } from '../../contracts/wire/repeated-member.ts';
import { afterLargeLine } from '../body/large-bodies.ts';
import { isInRecord, unpackedChunks, unpackedText } from './packed.ts';
import { RecordAltered, RecordCorrupt } from './record-error.ts';
import { Said, type SaidLines } from './said-lines.ts';
import { BEGINNING, COUNTEREXAMPLES_FILE, EXCHANGES_FILE } from './recorder.ts';

/** A longer line is no exchange: the largest body that may be asked for takes six times its bytes in JSON. */
const MAX_LINE_BYTES = 67_108_864;
/** Of the other files of a record. */
const MAX_FILE_BYTES = 134_217_728;

/**
 * The text of a file of a record, which is small beside the exchanges.
 *
 * @throws {RecordCorrupt} when it is no plain file, or larger than any run leaves it
 */
export function readRecordFile(file: string): string {
  return unpackedText(file, MAX_FILE_BYTES);
}

/**
 * What a file of a record says as JSON.
 *
 * @throws {RecordCorrupt} as {@link readRecordFile} does, and when it is not JSON, or says something twice
 */
export function readRecordJson(file: string): unknown {
  const text = readRecordFile(file);
  const value = parsed(text);
  if (value === undefined) throw new RecordCorrupt(file, 1, 'this is not JSON');
  const name = repeatedMember(text);
  if (name === undefined) return value;
  const shown = JSON.stringify(name.slice(0, 100));
  throw new RecordCorrupt(file, 1, `the member ${shown} stands twice in one object`);
}

/**
 * The counterexamples of a run record, none if none were kept; a torn last one is left out.
 *
 * @throws {RecordCorrupt} when a line is none
 */
export function readCounterexamples(dir: string): Counterexample[] {
  const file = join(dir, COUNTEREXAMPLES_FILE);
  if (!isInRecord(file)) return [];
  return readRecordFile(file)
    .split('\n')
    .slice(0, -1)
    .map((line, at) => {
      const found = parsed(line) as Partial<Counterexample> | undefined;
      const isOne =
        typeof found?.rule === 'string' &&
        [found.exchanges, found.curl, found.differsIn].every(isTexts) &&
        typeof found.replay === 'string' &&
        typeof found.reproduced?.times === 'number' &&
        typeof found.reproduced.of === 'number';
      if (!isOne) throw new RecordCorrupt(file, at + 1, 'this is no counterexample');
      return found as Counterexample;
    });
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The exchanges of a recorded run, read as they are asked for. */
export interface ExchangeReader extends AsyncIterable<Exchange> {
  /** Exchanges cut off by the end of a killed run, 0 or 1; known once the exchanges are read. */
  readonly tornLines: number;
  /** Whole lines read so far. */
  readonly read: number;
  /** Exchanges read so far, also those that nobody wants. */
  readonly lines: number;
  /** The digest of the last line read, or of that on the end of the run, if it was read. */
  readonly head: string;
  /** What the record says besides: as it stands there, or undefined; known once the exchanges are read. */
  readonly said: SaidLines;
}

const NEWLINE = 0x0a;

/** How an exchange begins that a run wrote; longer ids there are none. */
const ID = /^\{"id":"([\w.-]{1,64})"/;
const MAX_ID_BYTES = 80;
const SAYS = /^\{"(run|end|judged)":/;

/** Whether to make an exchange of a line, by its id. */
type IsWanted = (id: string) => boolean;

/** What of a record is read. */
export interface ReadOptions {
  /** The others are part of the chain, and are not looked into; all are wanted when absent. */
  readonly isWanted?: IsWanted;
  /** The APIs that exchanges may be of: those that the run was given URLs of; any when absent. */
  readonly apis?: readonly ApiName[];
}

/** Whether a line is certainly of an exchange that nobody wants; then nothing is made of it. */
function isUnwanted(line: Buffer, isWanted: IsWanted): boolean {
  const [, id] = ID.exec(line.toString('latin1', 0, MAX_ID_BYTES)) ?? [];
  return id !== undefined && !isWanted(id);
}

/**
 * Reads the exchanges of a run record in the order in which they ended; no more than one exchange
 * is held at a time. Reading fails with {@link RecordAltered} if a line does not continue the
 * chain, with {@link RecordCorrupt} if it is no exchange, or as the file system does.
 *
 * @param recordId as in the run's summary
 */
export function readExchanges(
  dir: string,
  recordId: string,
  { isWanted = () => true, apis }: ReadOptions = {},
): ExchangeReader {
  const file = join(dir, EXCHANGES_FILE);
  let tornLines = 0;
  let lines = 0;
  let at = 0;
  let head = chainStart(recordId);
  let said = new Said(file);

  async function* read(): AsyncGenerator<Exchange> {
    [tornLines, lines, at] = [0, 0, 0];
    [head, said] = [chainStart(recordId), new Said(file)];
    let last = head;
    for await (const { line, ended } of linesOf(file)) {
      if (!ended) {
        if (!said.tears(line.toString('latin1', 0, MAX_ID_BYTES))) tornLines = 1;
        return;
      }
      at += 1;
      const unsealed = unseal(line, last);
      if (unsealed === undefined) throw brokenChain(file, at, line, last);
      last = unsealed.head;
      if (said.end === undefined) head = last;
      const [, name] = SAYS.exec(line.toString('latin1', 0, MAX_ID_BYTES)) ?? [];
      if (name !== undefined) {
        said.add(at, name, parsed(unsealed.json));
        continue;
      }
      lines += 1;
      if (isUnwanted(line, isWanted)) {
        said.refuseAfterEnd(at);
        afterLargeLine(line);
        continue;
      }
      const exchange = parsed(unsealed.json);
      const fault = exchange === undefined ? 'this is not JSON' : exchangeFault(exchange, apis);
      if (fault !== undefined) throw new RecordCorrupt(file, at, `this is no exchange: ${fault}`);
      said.refuseAfterEnd(at);
      yield said.withoutOffset(at, exchange as Exchange);
    }
  }

  return {
    [Symbol.asyncIterator]: read,
    get tornLines(): number {
      return tornLines;
    },
    get read(): number {
      return at;
    },
    get lines(): number {
      return lines;
    },
    get head(): string {
      return head;
    },
    get said(): SaidLines {
      return said;
    },
  };
}

/**
 * The first line of a record, if it says what the run began with; undefined in records of earlier versions.
 *
 * @throws RecordAltered when it does not begin the chain of the record
 */
export async function readBeginning(dir: string, recordId: string): Promise<unknown> {
  const file = join(dir, EXCHANGES_FILE);
  for await (const { line, ended } of linesOf(file)) {
    if (!ended || !line.toString('latin1', 0, MAX_ID_BYTES).startsWith(BEGINNING)) return undefined;
    const unsealed = unseal(line, chainStart(recordId));
    if (unsealed === undefined) throw brokenChain(file, 1, line, chainStart(recordId));
    return member(parsed(unsealed.json), 'run');
  }
  return undefined;
}

const CARRIAGE_RETURN = 0x0d;

/** Why a line does not continue the chain, by its bytes and the digest of the line before. */
function brokenChain(file: string, number: number, line: Buffer, head: string): RecordAltered {
  const isTurned = line.at(-1) === CARRIAGE_RETURN && unseal(line.subarray(0, -1), head);
  if (isTurned) {
    return new RecordAltered(
      `${file}, line ${number} ends in CR LF, which no run writes: Git, or a program that copied it, turned its line ends`,
      'Restore the record from where it was written, and keep it in Git by a line such as "assay-out/** -text" of .gitattributes.',
    );
  }
  return new RecordAltered(
    `${file}, line ${number} does not continue the chain of the lines before it: it was altered, or lines were removed, added or moved here, or they are those of another run`,
  );
}

/** Reads a whole record into memory. */
export async function readAllExchanges(
  dir: string,
  recordId: string,
): Promise<{ readonly exchanges: readonly Exchange[]; readonly tornLines: number }> {
  const reader = readExchanges(dir, recordId);
  const exchanges: Exchange[] = [];
  for await (const exchange of reader) exchanges.push(exchange);
  return { exchanges, tornLines: reader.tornLines };
}

/** Only a line feed ends a line: JSON may hold the other characters that line readers break at. */
async function* linesOf(file: string): AsyncGenerator<{ line: Buffer; ended: boolean }> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  let lines = 0;
  for await (const chunk of unpackedChunks(file)) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      yield { line: Buffer.concat([...pieces, chunk.subarray(from, at)]), ended: true };
      lines += 1;
      pieces = [];
      bytes = 0;
      from = at + 1;
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > MAX_LINE_BYTES) {
      throw new RecordCorrupt(file, lines + 1, `this line has more than ${MAX_LINE_BYTES} bytes`);
    }
  }
  if (pieces.length > 0) yield { line: Buffer.concat(pieces), ended: false };
}
