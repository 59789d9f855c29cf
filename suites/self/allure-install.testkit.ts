import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { OFFLINE } from './packed-install.testkit.ts';

const VERSION = '3.18.0';
const PATIENCE_MS = 600_000;

/**
 * A folder in which the real Allure is installed, kept between runs outside of the repository. It has 128
 * packages of 53 MB, which nobody needs who does not look at its page. Undefined if it cannot be installed.
 *
 * @throws Error if that cannot be done in CI, where it must
 */
export function folderWithAllure(): string | undefined {
  const { XDG_CACHE_HOME: cache = '', CI: ci, PATH, HOME } = process.env;
  const dir = join(cache === '' ? join(homedir(), '.cache') : cache, 'assay', `allure-${VERSION}`);
  if (existsSync(join(dir, 'installed'))) return dir;
  try {
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, 'package.json'), '{ "private": true }');
    const quiet = ['--no-audit', '--no-fund', '--silent', '--ignore-scripts', '--save-exact'];
    execFileSync('npm', ['install', ...quiet, `allure@${VERSION}`], {
      ...{ cwd: dir, env: { PATH, HOME, ...OFFLINE }, timeout: PATIENCE_MS },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    mkdirSync(join(dir, 'installed'));
    return dir;
  } catch (error) {
    if (ci !== undefined && ci !== '') throw error;
    return undefined;
  }
}
