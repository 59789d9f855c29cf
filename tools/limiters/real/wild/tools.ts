/** Finds or builds what the limiters run in. */

import { fileURLToPath } from 'node:url';
import { findApache } from './apache-configuration.ts';
import { CADDY_MODULES, CADDY_SOURCE } from './caddy-source.ts';
import { goProgram } from './go-build.ts';
import { GO_MODULES, GO_SOURCE } from './go-source.ts';
import { installed } from './installing.ts';
import { buildJava } from './java-build.ts';
import { makeVenv } from './python-venv.ts';
import { buildRust } from './rust-build.ts';
import type { WildFamily, WildTool } from './wild-limiter.ts';

/** Each family's. */
export const WILD_TOOLS: Readonly<Record<WildFamily, WildTool>> = {
  npm: compiled('./npm-server.js'),
  workers: compiled('./workers-server.js'),
  nginx: installed('nginx', ['-v'], 'apt-get install nginx-light'),
  haproxy: installed('haproxy', ['-v'], 'apt-get install haproxy'),
  apache: { prepare: findApache },
  caddy: goProgram(CADDY_SOURCE, CADDY_MODULES),
  go: goProgram(GO_SOURCE, GO_MODULES),
  python: { prepare: makeVenv },
  java: { prepare: buildJava },
  rust: { prepare: buildRust },
};

/** A server of this package. */
function compiled(path: string): WildTool {
  return { prepare: () => Promise.resolve(fileURLToPath(new URL(path, import.meta.url))) };
}
