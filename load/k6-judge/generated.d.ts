/** Modules that are made or chosen when scripts are bundled (`tools/k6-build/bundle.ts`). */

// A module of no file can import no other by a relative name.
declare module 'assay:contract' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports
  export const OPERATIONS: readonly import('./generated-contract.ts').GeneratedOperation[];
}

/** Loads it when it is called; a bundle has it in one file with the script. */
// eslint-disable-next-line @typescript-eslint/consistent-type-imports
declare function require(name: 'assay:judge'): typeof import('assay:judge');

/** Judges by the card's rules, or by all. */
declare module 'assay:judge' {
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports
  export const judge: import('../k6/exchange.ts').JudgeInK6;
}
