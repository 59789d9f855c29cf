import { join } from 'node:path';
import { build, MAX_BUILD_MS, run } from './installing.ts';
import { WildMissing } from './wild-limiter.ts';

const PACKAGES = [
  'limits==5.8.0',
  'slowapi==0.1.10',
  'fastapi==0.121.3',
  'uvicorn==0.38.0',
  'Flask-Limiter==4.1.1',
  'django==5.2.8',
  'django-ratelimit==4.1.0',
];

/** A Python of its own that has the libraries. */
export async function makeVenv(folder: string, signal: AbortSignal): Promise<string> {
  const venv = join(folder, 'venv');
  await run('python3', ['-m', 'venv', venv], { timeout: MAX_BUILD_MS, signal }).catch(() => {
    throw new WildMissing(
      'there is no python3 with venv; install it with: apt-get install python3-venv',
    );
  });
  const python = join(venv, 'bin', 'python');
  await build([[python, '-m', 'pip', 'install', '--quiet', ...PACKAGES]], folder, signal);
  return python;
}
