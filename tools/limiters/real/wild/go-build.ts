import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, need } from './installing.ts';
import type { WildTool } from './wild-limiter.ts';

/** A program in Go and the modules, or packages of modules, that it needs. */
export function goProgram(source: string, modules: readonly string[]): WildTool {
  return {
    prepare: async (folder, signal) => {
      await need('go', ['version'], 'apt-get install golang-go', signal);
      const sources = join(folder, 'go');
      mkdirSync(sources);
      writeFileSync(join(sources, 'main.go'), source);
      writeFileSync(join(sources, 'go.mod'), 'module limiters\n\ngo 1.21\n');
      const binary = join(folder, 'go-limiters');
      await build(
        [
          ['go', 'get', ...modules],
          ['go', 'build', '-p', '1', '-o', binary, '.'],
        ],
        sources,
        signal,
      );
      return binary;
    },
  };
}
