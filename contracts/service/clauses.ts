import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../document/package-root.ts';
import type { Clause } from '../judging/clause.ts';

/** Every clause of the document, in its order, from contracts/service/clauses.yaml. */
export function loadClauses(): readonly Clause[] {
  const file = path.join(packageRoot(import.meta.url), 'contracts', 'service', 'clauses.yaml');
  return parse(readFileSync(file, 'utf8')) as readonly Clause[];
}
