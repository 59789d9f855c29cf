import path from 'node:path';
import { packageRoot } from '../../../contracts/document/package-root.ts';
import type { ContractOverride } from '../../../contracts/document/schema.ts';
import { BUILT_IN } from '../../../contracts/service/load-contract.ts';

/** What the script of k6 judges by: the card's rules, or all that look at single exchanges. */
export type JudgesBy = 'card' | 'all';

/** The module that the script judges by, in a checkout. */
export function judgePath(by: JudgesBy): string {
  return path.join(packageRoot(import.meta.url), 'load/service/k6-judge', `judge-by-${by}.ts`);
}

/** The documents of the APIs that load is made on. */
export const LOADED_DOCUMENTS: readonly ContractOverride[] = BUILT_IN.documents.filter(
  ({ api }) => api === 'zap' || api === 'trade',
);
