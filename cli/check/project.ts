/** The project that a folder is of: the root of its repository, and the package manager that it is installed by. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { member } from '../../contracts/wire/json.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';

/** How a package manager is asked for things. */
export interface PackageManager {
  readonly name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** What it installs by, the first one as it writes it. */
  readonly lockfiles: readonly [string, ...string[]];
  /** Commands that install by the lockfile on a machine that has Node and npm. */
  readonly install: readonly string[];
  /** What runs a program that is installed, and fetches nothing. */
  readonly call: string;
}

const NPX = 'npx --no -- assay';
const NPM: PackageManager = {
  name: 'npm',
  lockfiles: ['package-lock.json', 'npm-shrinkwrap.json'],
  install: ['npm ci'],
  call: NPX,
};
const PNPM: PackageManager = {
  name: 'pnpm',
  lockfiles: ['pnpm-lock.yaml'],
  install: ['corepack enable', 'pnpm install --frozen-lockfile'],
  call: 'pnpm exec assay',
};
/** Of version 2 on; it may have no node_modules folder, which npx looks into. */
const YARN: PackageManager = {
  name: 'yarn',
  lockfiles: ['yarn.lock'],
  install: ['corepack enable', 'yarn install --immutable'],
  call: 'yarn assay',
};
const YARN_1: PackageManager = {
  ...YARN,
  install: ['corepack enable', 'yarn install --frozen-lockfile'],
  call: NPX,
};
const BUN: PackageManager = {
  name: 'bun',
  lockfiles: ['bun.lock', 'bun.lockb'],
  install: ['npm install --global bun', 'bun install --frozen-lockfile'],
  call: NPX,
};

/** What a folder belongs to. */
export interface Project {
  /** Absolute: of the repository, else of the workspace, else the folder itself. */
  readonly root: string;
  readonly manager: PackageManager;
  /** Whether there is something to install by. */
  readonly isLocked: boolean;
}

/** The project of a folder. */
export function projectOf(cwd: string): Project {
  const above = upFrom(cwd);
  const root = above.find((dir) => existsSync(join(dir, '.git'))) ?? above.find(isWorkspace) ?? cwd;
  const within = above.slice(0, above.indexOf(root) + 1);
  const manager = within.map(managerIn).find((one) => one !== undefined) ?? NPM;
  const isLocked = within.some((dir) => lockfileIn(dir, manager) !== undefined);
  return { root, manager, isLocked };
}

/** The folder and all above it. */
function upFrom(dir: string): string[] {
  const parent = dirname(dir);
  return parent === dir ? [dir] : [dir, ...upFrom(parent)];
}

function isWorkspace(dir: string): boolean {
  return (
    existsSync(join(dir, 'pnpm-workspace.yaml')) || manifestOf(dir, 'workspaces') !== undefined
  );
}

/** The manager that a folder names, else the one whose lockfile it has. */
function managerIn(dir: string): PackageManager | undefined {
  const named = manifestOf(dir, 'packageManager');
  const [, name, major = ''] = /^(npm|pnpm|yarn|bun)@(\d+)/.exec(String(named)) ?? [];
  if (name === 'yarn') return Number(major) > 1 ? YARN : YARN_1;
  const found = [NPM, PNPM, YARN, BUN].find((one) => one.name === name);
  if (found !== undefined) return found;
  const locked = [NPM, PNPM, YARN, BUN].find((one) => lockfileIn(dir, one) !== undefined);
  if (locked !== YARN) return locked;
  const isOfBerry = readFileSync(join(dir, 'yarn.lock'), 'utf8').includes('\n__metadata:');
  return isOfBerry ? YARN : YARN_1;
}

function lockfileIn(dir: string, { lockfiles }: PackageManager): string | undefined {
  return lockfiles.find((name) => existsSync(join(dir, name)));
}

function manifestOf(dir: string, name: string): unknown {
  const file = join(dir, 'package.json');
  return existsSync(file) ? member(jsonOrUndefined(readFileSync(file, 'utf8')), name) : undefined;
}
