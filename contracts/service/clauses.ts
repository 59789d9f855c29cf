import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { packageRoot } from '../document/package-root.ts';
import { valueAtBuild } from '../document/parsed-file.ts';
import type { Clause } from '../judging/clause.ts';

/** Every clause of the document, in its order, from contracts/service/clauses.yaml. */
export function loadClauses(): readonly Clause[] {
  const { sha256, value } = clausesNow();
  return (valueAtBuild(sha256) ?? value()) as readonly Clause[];
}

/**
 * The same file whatever the build has parsed, and the digest of its text.
 *
 * @public for build.mjs
 */
export function clausesNow(): { readonly sha256: string; readonly value: () => unknown } {
  const file = path.join(packageRoot(import.meta.url), 'contracts', 'service', 'clauses.yaml');
  const text = readFileSync(file, 'utf8');
  return {
    sha256: createHash('sha256').update(text).digest('hex'),
    value: () => parse(text) as unknown,
  };
}
