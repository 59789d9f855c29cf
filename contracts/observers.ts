import type { Observer } from './ledger.ts';

/** All observers, in the order of the document. */
export const OBSERVERS: readonly Observer[] = [];
