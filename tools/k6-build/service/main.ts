/** Run by `npm run build`: puts the scripts that k6 runs into `dist/k6`, unless they are there already. */

import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageRoot } from '../../../contracts/document/package-root.ts';
import {
  type JudgesBy,
  judgePath,
  LOADED_DOCUMENTS,
} from '../../../load/service/k6-judge/judge-path.ts';

const root = packageRoot(import.meta.url);
const folder = path.join(root, 'dist', 'k6');

/** When a file was written last; 0 for one that is not there. */
function writtenMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

const wanted: readonly JudgesBy[] = ['card', 'all'];
const newestSourceMs = Math.max(
  writtenMs(path.join(root, 'build/.tsbuildinfo')),
  writtenMs(path.join(root, 'load/k6/script/main.ts')),
  ...['zap', 'trade', 'common'].map((name) =>
    writtenMs(path.join(root, `contracts/service/openapi/${name}.yaml`)),
  ),
);
const isCurrent = wanted.every((by) => writtenMs(path.join(folder, `${by}.js`)) > newestSourceMs);
if (!isCurrent) {
  // Compilers take longer to load than there is often anything to do.
  const { bundleForK6 } = await import('../bundle.ts');
  const { standaloneContract } = await import('../standalone-contract.ts');
  const contract = await standaloneContract(LOADED_DOCUMENTS);
  mkdirSync(folder, { recursive: true });
  for (const by of wanted) {
    writeFileSync(path.join(folder, `${by}.js`), await bundleForK6(judgePath(by), contract));
  }
}
