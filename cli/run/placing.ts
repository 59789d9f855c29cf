import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OperationLine } from '../../contracts/document/openapi/operation-lines.ts';
import { readRegularFile } from '../../contracts/document/regular-file.ts';
import type { ContractFileRow } from '../../contracts/run/run.ts';
import { MAX_FILE_BYTES } from '../../contracts/document/contract-limits.ts';
import type { Placing, SourceLine } from '../../reports/forge/placing.ts';

/** What is known of contracts. */
interface ContractPlaces {
  readonly contractFiles: readonly ContractFileRow[];
  readonly lines: readonly OperationLine[];
}

/** Where the program runs. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The configuration file that was named, if one was. */
  readonly config?: unknown;
}

const CONFIGURATIONS = ['ts', 'js', 'mjs', 'json', 'yaml', 'yml'].map(
  (extension) => `assay.config.${extension}`,
);

/**
 * Where findings stand in the user's checkout: at their operation, where the contract is a file of the
 * checkout that is as the run read it; else in the configuration, or in the file of the CI system.
 */
export function placingOf(places: readonly ContractPlaces[], around: Surroundings): Placing {
  const root = rootOf(around);
  const operations = new Map<string, SourceLine>();
  for (const { contractFiles, lines } of places) {
    const paths = new Map(contractFiles.map((file) => [file.url, asRead(file, root)]));
    for (const { operation, url, line } of lines) {
      const path = paths.get(url);
      if (path !== undefined) operations.set(operation, { path, line });
    }
  }
  const otherwise = fallback(root, around);
  return {
    operations,
    ...(otherwise === undefined ? {} : { otherwise: { path: otherwise, line: 1 } }),
  };
}

/** The folder that a CI system checked out; elsewhere the one that Assay runs in. */
function rootOf({ cwd, env }: Surroundings): string {
  const reported = [env.GITHUB_WORKSPACE, env.CI_PROJECT_DIR].find(
    (dir) => dir !== undefined && isAbsolute(dir) && within(cwd, dir) !== undefined,
  );
  return reported ?? cwd;
}

/** The path of a contract in the checkout, if its file is as it was read. */
function asRead({ url, sha256 }: ContractFileRow, root: string): string | undefined {
  if (!url.startsWith('file:')) return undefined;
  try {
    const file = fileURLToPath(url);
    const path = within(file, root);
    if (path === undefined) return undefined;
    const text = readRegularFile(file, MAX_FILE_BYTES);
    return createHash('sha256').update(text).digest('hex') === sha256 ? path : undefined;
  } catch {
    // Not there any more, or not to be read: then nothing can be pointed at.
    return undefined;
  }
}

function fallback(root: string, { cwd, env, config }: Surroundings): string | undefined {
  const named = typeof config === 'string' ? config : env.ASSAY_CONFIG;
  const configurations = named === undefined || named === '' ? CONFIGURATIONS : [named];
  const ofCi = [workflowOf(env.GITHUB_WORKFLOW_REF), env.CI_CONFIG_PATH, '.gitlab-ci.yml'];
  const files = [
    ...configurations.map((name) => resolve(cwd, name)),
    ...ofCi.flatMap((name) => (name === undefined || name === '' ? [] : resolve(root, name))),
  ];
  return files.filter((file) => existsSync(file)).flatMap((file) => within(file, root) ?? [])[0];
}

/** The file of `owner/repository/.github/workflows/name.yml@ref`. */
function workflowOf(ref: string | undefined): string | undefined {
  return ref === undefined ? undefined : /^[^/]+\/[^/]+\/([^@]+)@/.exec(ref)?.[1];
}

/** A path below a folder, with `/`; undefined if it leads elsewhere. */
function within(path: string, folder: string): string | undefined {
  const way = relative(folder, path);
  const isBelow = way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  return isBelow ? way.replaceAll(sep, '/') : undefined;
}
