import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, need } from './installing.ts';
import { RUST_PACKAGE, RUST_SOURCE } from './rust-source.ts';

/** Builds the server with one processor, and answers its binary. */
export async function buildRust(folder: string, signal: AbortSignal): Promise<string> {
  await need('cargo', ['--version'], 'apt-get install cargo', signal);
  const sources = join(folder, 'src');
  mkdirSync(sources);
  writeFileSync(join(sources, 'main.rs'), RUST_SOURCE);
  writeFileSync(join(folder, 'Cargo.toml'), RUST_PACKAGE);
  await build([['cargo', 'build', '-j1', '--release', '--quiet']], folder, signal);
  return join(folder, 'target', 'release', 'limiters');
}
