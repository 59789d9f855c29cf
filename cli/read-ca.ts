import { X509Certificate } from 'node:crypto';
import { readRegularFile, UnreadableFile } from '../contracts/document/regular-file.ts';
import { UsageError } from './exit-code.ts';

const MAX_BYTES = 4_194_304;

/**
 * The certificate authorities of a file, in PEM; undefined if none is named.
 *
 * @throws UsageError when the file cannot be read, or holds no certificate
 */
export function readCa(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    const pem = readRegularFile(file, MAX_BYTES);
    // Throws if the first is none.
    new X509Certificate(pem);
    return pem;
  } catch (error) {
    const reason =
      error instanceof UnreadableFile ? error.message : 'it holds no certificate in PEM';
    throw new UsageError(`--ca ${file} cannot be used: ${reason}.`);
  }
}
