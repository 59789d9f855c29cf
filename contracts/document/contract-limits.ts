/** What the contracts of a run may take. */
export interface ContractLimits {
  /** For all that is fetched. */
  readonly mostMs: number;
  readonly mostFiles: number;
  /** Of all files; one file is bounded by the limits on YAML. */
  readonly mostBytes: number;
}

export const CONTRACT_LIMITS: ContractLimits = {
  mostMs: 20_000,
  mostFiles: 64,
  mostBytes: 16_777_216,
};

/** Operations of one document; public ones have some 1,000. */
export const MAX_OPERATIONS = 2_000;
/** Parameters and responses of all operations of one document. */
export const MAX_PARTS = 30_000;
/** Schemas, at any depth, that operations of one document lead to. */
export const MAX_SCHEMAS = 40_000;
/** Values of a document with references outside of its schemas written out. */
export const MAX_STRUCTURE = 400_000;
/** Patterns of names of one schema: each is tried on each name. */
export const MAX_NAME_PATTERNS = 200;
/** Longer paths are not read. */
export const MAX_PATH_CHARACTERS = 1_000;
