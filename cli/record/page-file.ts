import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../package.ts';

/** The page of a run, in its record. */
export const PAGE_FILE = 'report.html';

/** The page that was built with the package, in which reports put what they show. */
export function pageTemplate(): string {
  return readFileSync(join(ROOT, 'dist', 'reports', 'page.html'), 'utf8');
}
