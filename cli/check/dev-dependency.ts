import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import { UsageError } from '../exit-code.ts';
import { ROOT, tool } from '../package.ts';

/** What npm noted of each package that it put into a folder `node_modules`. */
const NOTES = '.package-lock.json';

interface Notes {
  readonly packages?: Readonly<
    Record<string, { readonly resolved?: string; readonly link?: boolean } | undefined>
  >;
}

/**
 * Where a package was installed from, as a package.json in a folder names it: a tarball, a git URL or a folder, never
 * a name, which anybody may have in a registry.
 *
 * @param root the folder of the package
 */
export function installedFrom(cwd: string, root: string = ROOT): string {
  const modules = dirname(root);
  if (basename(modules) !== 'node_modules') return fileSpec(cwd, root);
  const file = join(modules, NOTES);
  const notes = existsSync(file) ? (jsonOrUndefined(readFileSync(file, 'utf8')) as Notes) : {};
  const { resolved = '', link = false } = notes.packages?.[`node_modules/${basename(root)}`] ?? {};
  if (resolved === '') return fileSpec(cwd, root);
  if (/^[a-z+]+:\/\//.test(resolved)) return resolved;
  const path = resolved.replace(/^file:/, '');
  return fileSpec(cwd, link ? realpathSync(root) : resolve(dirname(modules), path));
}

function fileSpec(cwd: string, path: string): string {
  return `file:${relative(cwd, path).split(sep).join('/')}`;
}

/** Whether a spec names something that only this machine has. */
export function isOfThisMachine(spec: string): boolean {
  const path = spec.startsWith('file:') ? spec.slice(5) : '';
  return path.startsWith('..') || isAbsolute(path);
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** How a package.json names the package; undefined if it does not. */
export function specIn(text: string): string | undefined {
  const { dependencies, devDependencies } = jsonOrUndefined(text) as Manifest;
  return { ...dependencies, ...devDependencies }[tool().name];
}

/**
 * The text of a package.json with the package among its devDependencies; undefined if it is a dependency already.
 *
 * @param text what is there; undefined if there is no such file
 * @throws UsageError if it is no JSON object
 */
export function withDevDependency(text: string | undefined, spec: string): string | undefined {
  const found: unknown = text === undefined ? { private: true } : jsonOrUndefined(text);
  if (typeof found !== 'object' || found === null || Array.isArray(found)) {
    throw new UsageError('package.json holds no JSON object; nothing was written.');
  }
  const manifest = found as Manifest;
  const { name } = tool();
  if ({ ...manifest.dependencies, ...manifest.devDependencies }[name] !== undefined)
    return undefined;
  const indent = /^\{\r?\n([ \t]+)"/.exec(text ?? '')?.[1] ?? '  ';
  const devDependencies = { ...manifest.devDependencies, [name]: spec };
  return `${JSON.stringify({ ...manifest, devDependencies }, undefined, indent)}\n`;
}

/** What the lockfile may take. */
const LOCKING_MS = 120_000;

/** Has npm write the lockfile of a folder, without installing anything; whether it did. */
export async function writeLockfile(cwd: string): Promise<boolean> {
  const args = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'];
  try {
    await promisify(execFile)('npm', [...args, '--prefer-offline'], { cwd, timeout: LOCKING_MS });
    return true;
  } catch {
    return false;
  }
}
