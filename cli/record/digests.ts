import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isInRecord } from '../../target/record/packed.ts';
import { readRecordFile } from '../../target/record/record-reader.ts';
import { SEALED_FILES } from './record-names.ts';

/** Digests, by name, of files of a record that are there: of those beside the exchanges that the summary seals. */
export function digestsOf(
  dir: string,
  names: readonly string[] = SEALED_FILES,
): Record<string, string> {
  return Object.fromEntries(
    names
      .filter((name) => isInRecord(join(dir, name)))
      .map((name) => {
        const text = readRecordFile(join(dir, name));
        return [name, createHash('sha256').update(text).digest('hex')];
      }),
  );
}
