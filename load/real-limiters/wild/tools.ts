/** Finds or builds what the limiters run in. */

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { GO_MODULES, GO_SOURCE } from './go-source.ts';
import { WildMissing, type WildFamily, type WildTool } from './wild-limiter.ts';

const run = promisify(execFile);
/** Fetching and compiling; a minute on a busy machine. */
const MAX_BUILD_MS = 300_000;

/** Each family's. */
export const WILD_TOOLS: Readonly<Record<WildFamily, WildTool>> = {
  npm: {
    prepare: () => Promise.resolve(fileURLToPath(new URL('./npm-server.js', import.meta.url))),
  },
  nginx: installed('nginx', ['-v'], 'apt-get install nginx-light'),
  haproxy: installed('haproxy', ['-v'], 'apt-get install haproxy'),
  go: { prepare: buildGo },
  python: { prepare: makeVenv },
};

function installed(program: string, args: readonly string[], how: string): WildTool {
  return {
    prepare: async (_, signal) => {
      await run(program, [...args], { signal }).catch(() => {
        throw new WildMissing(`there is no ${program}; install it with: ${how}`);
      });
      return program;
    },
  };
}

async function buildGo(folder: string, signal: AbortSignal): Promise<string> {
  const source = join(folder, 'go');
  mkdirSync(source);
  writeFileSync(join(source, 'main.go'), GO_SOURCE);
  writeFileSync(join(source, 'go.mod'), 'module limiters\n\ngo 1.21\n');
  const binary = join(folder, 'go-limiters');
  const inSource = { cwd: source, timeout: MAX_BUILD_MS, signal };
  await run('go', ['version'], { signal }).catch(() => {
    throw new WildMissing('there is no go; install it with: apt-get install golang-go');
  });
  try {
    await run('go', ['get', ...GO_MODULES], inSource);
    await run('go', ['build', '-o', binary, '.'], inSource);
  } catch (error) {
    throw new WildMissing(`its modules could not be fetched or built: ${firstLine(error)}`);
  }
  return binary;
}

async function makeVenv(folder: string, signal: AbortSignal): Promise<string> {
  const venv = join(folder, 'venv');
  const within = { timeout: MAX_BUILD_MS, signal };
  const python = join(venv, 'bin', 'python');
  await run('python3', ['-m', 'venv', venv], within).catch(() => {
    throw new WildMissing(
      'there is no python3 with venv; install it with: apt-get install python3-venv',
    );
  });
  const install = ['-m', 'pip', 'install', '--quiet', 'limits==5.8.0'];
  await run(python, install, within).catch((error: unknown) => {
    throw new WildMissing(`limits could not be installed by pip: ${firstLine(error)}`);
  });
  return python;
}

function firstLine(error: unknown): string {
  const { stderr } = error as { readonly stderr?: unknown };
  const text = typeof stderr === 'string' && stderr !== '' ? stderr : String(error);
  return text.trim().split('\n')[0]?.slice(0, 200) ?? '';
}
