import { existsSync } from 'node:fs';
import { basename, dirname, extname, resolve } from 'node:path';
import { readRegularFile, requireRegularFile } from '../../contracts/document/regular-file.ts';
import { CONFIG_YAML, parseYaml, YamlProblem } from '../../contracts/document/yaml/yaml.ts';
import { ConfigError, type ConfigProblem } from './config-error.ts';
import { importConfig } from './config-module.ts';
import { withoutPasswords } from './without-password.ts';

/** Extensions of a configuration file. */
const EXTENSIONS = ['ts', 'js', 'mjs', 'json', 'yaml', 'yml'] as const;
const MODULES: readonly string[] = ['.ts', '.js', '.mjs'];
const NAMES = EXTENSIONS.map((extension) => `assay.config.${extension}`);

/** A configuration file that was read. */
export interface ConfigFile {
  /** Name for messages. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** Folder that its relative paths are relative to. */
  readonly dir: string;
  /** The environment whose values stand in place of its own. */
  readonly env?: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Which file is read. */
export interface ConfigChoice {
  readonly cwd: string;
  /** The one that somebody named; else `assay.config.*` of the folder. */
  readonly named?: string | undefined;
  /** No file is looked for in the folder, which somebody else may have made. */
  readonly onlyNamed?: boolean | undefined;
}

/**
 * The absolute path of the file that is read, if there is one to be read.
 *
 * @throws {ConfigError} when nobody named one and the folder has several
 */
export function configPathOf({ cwd, named, onlyNamed = false }: ConfigChoice): string | undefined {
  if (named !== undefined) return resolve(cwd, named);
  return onlyNamed ? undefined : findIn(cwd);
}

/** Whether a file is code, which is run when it is read. */
export function isModule(path: string): boolean {
  return MODULES.includes(extname(path));
}

/**
 * Reads the configuration file of a choice, if there is one.
 *
 * @throws {ConfigError} when it is missing, not readable, or not an object, or when there are several
 */
export async function readConfigFile(choice: ConfigChoice): Promise<ConfigFile | undefined> {
  const { named } = choice;
  const path = configPathOf(choice);
  if (path === undefined) return undefined;
  const name = named ?? basename(path);
  if (!existsSync(path)) throw problem(name, 'a file that exists', path);
  let values: unknown;
  try {
    values = await load(path);
  } catch (error) {
    throw problem(name, 'a file that can be read', withoutPasswords(reasonOf(error)));
  }
  // An empty YAML file is null.
  values ??= {};
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw problem(name, 'an object; of a module, as its default export', typeof values);
  }
  if (Object.keys(values).length === 0) {
    throw problem(name, 'at least one key; "assay init" writes a file to begin with', 'nothing');
  }
  return { name, path, dir: dirname(path), values: values as Readonly<Record<string, unknown>> };
}

function findIn(cwd: string): string | undefined {
  const found = NAMES.filter((name) => existsSync(resolve(cwd, name)));
  const [first, second] = found;
  if (second !== undefined) {
    throw problem(found.join(', '), 'one configuration file; name it with --config', cwd);
  }
  return first === undefined ? undefined : resolve(cwd, first);
}

async function load(path: string): Promise<unknown> {
  requireRegularFile(path);
  switch (extname(path)) {
    case '.json':
    case '.yaml':
    case '.yml':
      // JSON is YAML.
      return parseYaml(readRegularFile(path, CONFIG_YAML.mostBytes), { limits: CONFIG_YAML });
    default:
      if (isModule(path)) return importConfig(path);
      throw new Error(`its name must end in one of ${EXTENSIONS.join(', ')}`);
  }
}

/** One sentence: what is wrong, and where. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof YamlProblem) || error.place === undefined) return error.message;
  const { message, place } = error;
  return `${message} at line ${place.line}, column ${place.column}`;
}

function problem(name: string, wanted: string, value: string): ConfigError {
  const problems: ConfigProblem[] = [{ key: 'config', from: `file ${name}`, value, wanted }];
  return new ConfigError(problems);
}
