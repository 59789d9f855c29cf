/** Run by `npm run docs`: writes the pages of docs/reference that follow from the code. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { print } from '../../cli/output.ts';
import { ROOT } from '../../cli/package.ts';
import { generatedPages } from './pages.ts';

for (const [path, text] of await generatedPages()) {
  writeFileSync(join(ROOT, path), text);
  print(`${path}\n`);
}
