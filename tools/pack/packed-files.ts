import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { LIST_OF_FILES } from '../../cli/install.ts';

/** What stands in `dist` and its folders of few files; the others are written whole, so nothing else is in them. */
const BUILT: Readonly<Record<string, readonly string[]>> = {
  '': [
    ...['cli', 'types', 'schemas', 'k6', 'reports'],
    ...['parsed-documents.json', 'rule-places.json', 'sbom.cdx.json', 'packed-files.json'],
    'licenses.txt',
  ],
  k6: ['all.js', 'card.js'],
  reports: ['page.html'],
};

/** Where a command reads from, and what it may read there. */
const READ: readonly (readonly [string, RegExp])[] = [
  ['dist', /^(?!dist\/sbom\.).*\.(?:c?js|json|yaml|html)$/],
  [join('contracts', 'service', 'openapi'), /\.yaml$/],
  [join('contracts', 'service'), /\/clauses\.yaml$/],
  ['reports', /^reports\/[^/]+\.schema\.json$/],
];

/**
 * Removes what earlier builds, or a pack that was broken off, have left among the files that are packed, then lists
 * those that a command may read. Whatever packs next, with scripts or without, packs this build alone.
 *
 * @param root the folder of the package
 */
export function settlePackedFiles(root: string): void {
  for (const [folder, names] of Object.entries(BUILT)) {
    const dir = join(root, 'dist', folder);
    const left = existsSync(dir) ? readdirSync(dir).filter((name) => !names.includes(name)) : [];
    // What another build is about to put in place is not packed.
    for (const name of left) {
      if (!name.endsWith('.part')) rmSync(join(dir, name), { recursive: true });
    }
  }
  rmSync(join(root, 'npm-shrinkwrap.json'), { force: true });
  writeFileSync(join(root, LIST_OF_FILES), `${JSON.stringify(filesRead(root), undefined, 2)}\n`);
}

/** Every packed file that a command may read, as URLs write paths. */
function filesRead(root: string): string[] {
  const files = READ.flatMap(([folder, pattern]) => {
    const isDeep = folder === 'dist';
    return readdirSync(join(root, folder), { recursive: isDeep, encoding: 'utf8' })
      .map((name) =>
        relative(root, join(root, folder, name))
          .split(sep)
          .join('/'),
      )
      .filter((path) => pattern.test(path));
  });
  return [...new Set([...files, LIST_OF_FILES.split(sep).join('/')])].sort();
}
