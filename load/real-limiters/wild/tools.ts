/** Finds or builds what the limiters run in. */

import { fileURLToPath } from 'node:url';
import { goProgram } from './go-build.ts';
import { GO_MODULES, GO_SOURCE } from './go-source.ts';
import { installed } from './installing.ts';
import { makeVenv } from './python-venv.ts';
import type { WildFamily, WildTool } from './wild-limiter.ts';

/** Each family's. */
export const WILD_TOOLS: Readonly<Record<WildFamily, WildTool>> = {
  npm: compiled('./npm-server.js'),
  nginx: installed('nginx', ['-v'], 'apt-get install nginx-light'),
  haproxy: installed('haproxy', ['-v'], 'apt-get install haproxy'),
  go: goProgram(GO_SOURCE, GO_MODULES),
  python: { prepare: makeVenv },
};

/** A server of this package. */
function compiled(path: string): WildTool {
  return { prepare: () => Promise.resolve(fileURLToPath(new URL(path, import.meta.url))) };
}
