import type { Stats } from 'node:fs';
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** Thrown when a file cannot be read as a text; the message is a clause: `it is a folder`. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  readonly isTooLarge: boolean;

  constructor(message: string, options: ErrorOptions = {}, isTooLarge = false) {
    super(message, options);
    this.isTooLarge = isTooLarge;
  }
}

const CHUNK_BYTES = 65_536;

/**
 * The text of a file, if it is a regular one. Of a pipe, a device or a socket nothing is ever read,
 * since that might wait for ever, or never end.
 *
 * @param mostBytes larger files are refused
 * @throws UnreadableFile
 */
export function readRegularFile(path: string, mostBytes: number): string {
  return new TextDecoder().decode(readRegularBytes(path, mostBytes));
}

/**
 * Whether a file may be read at all, for those that others read.
 *
 * @throws UnreadableFile when it is not there or no regular file
 */
export function requireRegularFile(path: string): void {
  try {
    requireRegular(statSync(path));
  } catch (error) {
    throw asUnreadable(error);
  }
}

/**
 * The bytes of a file, if it is a regular one.
 *
 * @param mostBytes larger files are refused
 * @throws UnreadableFile
 */
export function readRegularBytes(path: string, mostBytes: number): Uint8Array {
  let descriptor: number;
  try {
    // Opening alone may have an effect on a device.
    requireRegular(statSync(path));
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw asUnreadable(error);
  }
  try {
    requireRegular(fstatSync(descriptor));
    const chunks: Buffer[] = [];
    let total = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const count = readSync(descriptor, chunk, 0, CHUNK_BYTES, null);
      if (count === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, count));
      total += count;
      if (total > mostBytes) {
        throw new UnreadableFile(`it has more than ${mostBytes} bytes`, {}, true);
      }
    }
  } catch (error) {
    throw asUnreadable(error);
  } finally {
    closeSync(descriptor);
  }
}

function requireRegular(stats: Stats): void {
  if (!stats.isFile()) throw new UnreadableFile(`it is ${kindOf(stats)}`);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a folder';
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return stats.isCharacterDevice() || stats.isBlockDevice() ? 'a device' : 'no regular file';
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EACCES: 'reading it is not permitted',
  EPERM: 'reading it is not permitted',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
};

function asUnreadable(error: unknown): UnreadableFile {
  if (error instanceof UnreadableFile) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new UnreadableFile(REASONS[code] ?? message, { cause: error });
}
