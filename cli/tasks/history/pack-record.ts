/** Packs the files of a record, which are read packed as well. */

import { createHash } from 'node:crypto';
import {
  appendFileSync,
  createReadStream,
  createWriteStream,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { PACKED, TAIL_BYTES, unpackedChunks } from '../../../target/record/packed.ts';
import { systemWords } from '../../../target/record/record-error.ts';
import { PACKED_FILES } from '../../record/record-names.ts';

/** Smaller files stay as they are. */
const LEAST_BYTES = 1_024;

/**
 * Packs what a run left in a folder, but its summary. A file goes only once its packed one unpacks to the same bytes.
 *
 * @returns why one was not packed, as a clause; undefined if all were
 */
export async function packRecord(folder: string): Promise<string | undefined> {
  try {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      const stats = lstatSync(file);
      if (!PACKED_FILES.includes(name) || !stats.isFile() || stats.size < LEAST_BYTES) continue;
      await packFile(file, stats.size);
    }
    return undefined;
  } catch (error) {
    return systemWords(error);
  }
}

/** The end is packed by itself, as a history reads it alone. */
async function packFile(file: string, size: number): Promise<void> {
  const part = `${file}.part`;
  const packed = `${part}${PACKED}`;
  const from = Math.max(0, size - TAIL_BYTES);
  try {
    rmSync(packed, { force: true });
    // Somebody else's file or link of that name is not written to.
    writeFileSync(packed, '', { flag: 'wx' });
    if (from > 0)
      await pipeline(
        createReadStream(file, { end: from - 1 }),
        createGzip(),
        createWriteStream(packed, { flags: 'a' }),
      );
    const tail: Buffer[] = [];
    for await (const chunk of createReadStream(file, { start: from })) tail.push(chunk as Buffer);
    appendFileSync(packed, gzipSync(Buffer.concat(tail)));
    const [was, is] = [await digestOf(file), await digestOf(part)];
    if (was !== is) throw new Error(`${basename(file)} changed meanwhile`);
    renameSync(packed, `${file}${PACKED}`);
    rmSync(file);
  } finally {
    rmSync(packed, { force: true });
  }
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of unpackedChunks(file)) hash.update(chunk);
  return hash.digest('hex');
}
