import type { Observer } from './ledger.ts';
import { DOCS_OBSERVERS } from './observers-docs.ts';
import { ERROR_OBSERVERS } from './observers-errors.ts';
import { HTTP_OBSERVERS } from './observers-http.ts';

/** All observers, in the order of the document. */
export const OBSERVERS: readonly Observer[] = [
  ...HTTP_OBSERVERS,
  ...DOCS_OBSERVERS,
  ...ERROR_OBSERVERS,
];
