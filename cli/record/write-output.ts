import * as fs from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { RecordNotWritten, systemCode, systemWords } from '../../target/record/record-error.ts';
import { writeWhole } from './write-whole.ts';

/** So long a pipe may be without anybody who reads it. */
const READER_MS = 10_000;
const STEP_MS = 20;
/** The system follows no more links either. */
const MAX_LINKS = 40;

/**
 * Writes a file that somebody named on the command line. A plain file is written in one step; a device, a pipe, or
 * what this process has open (`/dev/fd/3`), is written to: nothing takes its place.
 *
 * @throws RecordNotWritten when the system refuses, or nobody reads a pipe
 */
export async function writeOutput(file: string, text: string): Promise<void> {
  const descriptor = openDescriptorOf(file);
  if (descriptor === undefined && isPlain(file)) {
    writeWhole(file, text);
    return;
  }
  try {
    if (descriptor === undefined) await writeThrough(file, text);
    else await writeAll(descriptor, text);
  } catch (error) {
    throw new RecordNotWritten(file, wordsOf(error), { cause: error });
  }
}

/** The descriptor of this process that a path means, as `/dev/stdout` does; undefined of any other path. */
export function openDescriptorOf(file: string): number | undefined {
  let at = resolve(file);
  try {
    for (let links = 0; links < MAX_LINKS; links += 1) {
      at = join(fs.realpathSync(dirname(at)), basename(at));
      const own = /^\/proc\/(\d+)(?:\/task\/\d+)?\/fd\/(\d+)$/.exec(at);
      if (own !== null) return Number(own[1]) === process.pid ? Number(own[2]) : undefined;
      if (!fs.lstatSync(at).isSymbolicLink()) return undefined;
      at = resolve(dirname(at), fs.readlinkSync(at));
    }
  } catch {
    // There is no such path: whoever writes says so.
  }
  return undefined;
}

/** What is not there, or is a folder, is left to whoever writes plain files. */
function isPlain(file: string): boolean {
  try {
    const found = fs.statSync(file);
    return found.isFile() || found.isDirectory();
  } catch {
    return true;
  }
}

async function writeThrough(file: string, text: string): Promise<void> {
  const descriptor = await opened(file);
  try {
    // Somebody may have put a file there since.
    if (fs.fstatSync(descriptor).isFile()) throw new Error('it was replaced by a file just now');
    await writeAll(descriptor, text);
  } finally {
    await promisify(fs.close)(descriptor);
  }
}

/** Without O_NONBLOCK, opening a pipe that nobody reads would wait for ever. */
async function opened(file: string): Promise<number> {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = fs.constants;
  for (let waitedMs = 0; ; waitedMs += STEP_MS) {
    try {
      return await promisify(fs.open)(file, O_WRONLY | O_NONBLOCK | O_NOCTTY);
    } catch (error) {
      const mayCome = systemCode(error) === 'ENXIO' && fs.statSync(file).isFIFO();
      if (!mayCome || waitedMs >= READER_MS) throw error;
      await sleep(STEP_MS);
    }
  }
}

/** A reader that has read enough changes nothing, as on standard output. */
async function writeAll(descriptor: number, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length;) {
    try {
      at += fs.writeSync(descriptor, bytes, at);
    } catch (error) {
      if (systemCode(error) === 'EPIPE') return;
      if (systemCode(error) !== 'EAGAIN') throw error;
      await sleep(STEP_MS);
    }
  }
}

function wordsOf(error: unknown): string {
  return systemCode(error) === 'ENXIO' ? 'nobody reads it' : systemWords(error);
}
