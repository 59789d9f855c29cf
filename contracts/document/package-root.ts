import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The folder of Assay's own package.json, from sources and from `dist` alike: data files stay where
 * they are when the sources are compiled.
 * @param from `import.meta.url` of the caller
 * @throws Error when no folder above holds the package.json named assay
 */
export function packageRoot(from: string): string {
  const start = path.dirname(fileURLToPath(from));
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (isAssay(path.join(folder, 'package.json'))) return folder;
    if (folder === path.dirname(folder)) {
      throw new Error(
        `No package.json named assay in or above ${start}: is Assay installed whole?`,
      );
    }
  }
}

function isAssay(file: string): boolean {
  if (!existsSync(file)) return false;
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { readonly name?: unknown };
  return manifest.name === 'assay';
}
