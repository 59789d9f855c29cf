import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** An implementation of DSSE that shares no code with ours, and what it checks signatures with. */
const PACKAGES = ['securesystemslib==1.6.0', 'cryptography==50.0.2'];
const PATIENCE_MS = 180_000;

/** Where packages of Python are kept between runs, outside of the repository. */
function folder(): string {
  const { XDG_CACHE_HOME: cache = '' } = process.env;
  return join(cache === '' ? join(homedir(), '.cache') : cache, 'assay', 'securesystemslib-1.6.0');
}

/**
 * The Python that has securesystemslib, installed from PyPI when it is first asked for; undefined where
 * that cannot be done.
 *
 * @throws Error where that cannot be done in CI, where it must
 */
export function pythonWithDsse(): string | undefined {
  const dir = folder();
  const python = join(dir, 'bin', 'python');
  try {
    if (!existsSync(join(dir, 'installed'))) {
      rmSync(dir, { recursive: true, force: true });
      mkdirSync(join(dir, '..'), { recursive: true });
      run('python3', ['-m', 'venv', dir]);
      run(python, ['-m', 'pip', 'install', '--quiet', '--only-binary', ':all:', ...PACKAGES]);
      mkdirSync(join(dir, 'installed'));
    }
    run(python, ['-c', 'import securesystemslib.dsse, cryptography']);
    return python;
  } catch (error) {
    const { CI } = process.env;
    if (CI !== undefined && CI !== '') throw error;
    return undefined;
  }
}

function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { timeout: PATIENCE_MS, stdio: ['ignore', 'ignore', 'pipe'] });
}
