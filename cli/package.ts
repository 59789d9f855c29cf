import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../contracts/document/package-root.ts';
import type { RunJson } from '../contracts/run/run.ts';

/** The folder of this package. */
export const ROOT: string = packageRoot(import.meta.url);

/** Name and version of this program, as its package.json says. */
export function tool(): { readonly name: string; readonly version: string } {
  const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  return { name, version };
}

let digest: string | undefined;

/** Name and version of this program, and a digest of its code and of the documents that it judges by. */
export function judgingTool(): RunJson['tool'] {
  digest ??= digestOf(join(ROOT, 'dist', 'cli'), join(ROOT, 'contracts', 'service', 'openapi'));
  return { ...tool(), sha256: digest };
}

/**
 * SHA-256 of all programs and documents below the folders, whichever line ends Git gave them.
 *
 * @returns in hex
 */
export function digestOf(...dirs: readonly string[]): string {
  const hash = createHash('sha256');
  for (const dir of dirs) {
    const names = readdirSync(dir, { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((one) => /\.(?:js|yaml)$/.test(one)).sort()) {
      hash
        .update(`${name.replaceAll('\\', '/')}\n`)
        .update(withoutCr(readFileSync(join(dir, name))));
    }
  }
  return hash.digest('hex');
}

/** A file with LF in place of CR LF; most have none, and are left as they are. */
function withoutCr(bytes: Buffer): Buffer {
  return bytes.includes('\r\n')
    ? Buffer.from(bytes.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
    : bytes;
}
