import { MendableError } from '../../../contracts/wire/mendable-error.ts';
import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

/** The version that scripts and options are made for, and how to get it. */
const K6_VERSION = '1.8.1';
export const INSTALL_K6 = 'go install go.k6.io/k6@v1.8.1';

/** Thrown when k6 is not there, or is not one that can be used; the message says what to do. */
export class K6Missing extends MendableError {
  override readonly name = 'K6Missing';
}

/** A k6 that can be run. */
export interface K6Binary {
  readonly file: string;
  /** e.g. `1.8.1`. */
  readonly version: string;
}

const MAX_MS = 20_000;
const MAX_BYTES = 65_536;

/**
 * Finds k6: where the user says, else on the PATH.
 *
 * @param given path of `--k6`
 * @throws {K6Missing}
 */
export async function findK6(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<K6Binary> {
  // It runs in a folder of its own: a relative path would be another one there.
  const file = given === undefined ? onPath(env.PATH ?? '') : path.resolve(given);
  if (file === undefined) {
    throw new K6Missing(
      `k6 is not on the PATH. Install it with \`${INSTALL_K6}\` (needs Go and some minutes; it lies in ~/go/bin then), or say where it is with --k6 PATH.`,
    );
  }
  const another = `Give --k6 the path of k6; it is installed with \`${INSTALL_K6}\`.`;
  if (!isExecutable(file)) {
    throw new K6Missing(`${file} is no program that can be run. ${another}`);
  }
  const version = /\bk6(?:\.exe)? v(\d+\.\d+\.\d+\S*)/.exec(await versionText(file))?.[1];
  if (version === undefined) {
    throw new K6Missing(`${file} does not say which k6 it is. ${another}`);
  }
  if (version.startsWith('0.')) {
    throw new K6Missing(
      `${file} is k6 ${version}, which is too old. Install ${K6_VERSION} with \`${INSTALL_K6}\`.`,
    );
  }
  return { file, version };
}

function onPath(folders: string): string | undefined {
  return folders
    .split(path.delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => path.resolve(folder, process.platform === 'win32' ? 'k6.exe' : 'k6'))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** What it says of itself; empty when it says nothing in time. */
async function versionText(file: string): Promise<string> {
  const options = {
    timeout: MAX_MS,
    maxBuffer: MAX_BYTES,
    killSignal: 'SIGKILL' as const,
    env: { K6_NO_USAGE_REPORT: 'true', K6_AUTO_EXTENSION_RESOLUTION: 'false' },
  };
  const saying = promisify(execFile)(file, ['version'], options);
  return await saying.then(
    ({ stdout }) => stdout,
    () => '',
  );
}
