/** Run by `npm run build`: makes `dist/reports/page.html`, unless it is there and nothing has changed since. */

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../contracts/document/package-root.ts';

const root = packageRoot(import.meta.url);
const page = path.join(root, 'dist', 'reports', 'page.html');
/** What the page was made of, by digest. */
const made = path.join(root, 'build', 'reports', 'page.json');

interface Made {
  readonly digest: string;
  /** Sources below the root that are not in the folder of the page. */
  readonly files: readonly string[];
}

/** SHA-256 of the sources, and of what builds them. */
function digestOf(files: readonly string[]): string {
  const folder = path.join(root, 'reports', 'page');
  const own = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => path.extname(name) !== '')
    .map((name) => path.join('reports', 'page', name));
  const packages = ['preact', 'vite'].map((name) =>
    path.join('node_modules', name, 'package.json'),
  );
  const builder = path.join('build', 'reports', 'page-build', 'bundle.js');
  const hash = createHash('sha256');
  for (const file of [...own, ...files, ...packages, builder].sort()) {
    const where = path.join(root, file);
    hash.update(`${file}\n`).update(existsSync(where) ? readFileSync(where) : '');
  }
  return hash.digest('hex');
}

function isCurrent(): boolean {
  if (!existsSync(page) || !existsSync(made)) return false;
  const { digest, files } = JSON.parse(readFileSync(made, 'utf8')) as Made;
  return digest === digestOf(files);
}

if (!isCurrent()) {
  // The bundler takes longer to load than there is often anything to do.
  const { bundlePage } = await import('./bundle.ts');
  const { html, files } = await bundlePage(root);
  mkdirSync(path.dirname(page), { recursive: true });
  writeFileSync(`${page}.part`, html);
  renameSync(`${page}.part`, page);
  writeFileSync(made, JSON.stringify({ digest: digestOf(files), files } satisfies Made));
}
