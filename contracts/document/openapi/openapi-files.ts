import type { StatedDigits } from '../stated-digits.ts';
import type { DocumentLimits } from '../contract-limits.ts';

/** An OpenAPI document and all files that it refers to. */
export interface OpenApiDocument {
  /** As the caller gave it. */
  readonly source: string;
  /** Absolute URL of the root file. */
  readonly url: string;
  /** Parsed files by absolute URL, schemas in the dialect of JSON Schema 2020-12. */
  readonly files: ReadonlyMap<string, unknown>;
  /** Whether some schema is `readOnly` or `writeOnly`. */
  readonly hasDirections: boolean;
  /** Whether some schema has a number that a double does not hold, such as `9223372036854775807`. */
  readonly statedDigits: StatedDigits;
  /** Digests in hex of the files' texts, sorted, so that they depend on no path. */
  readonly sha256s: readonly string[];
  /** What it may hold. */
  readonly limits: DocumentLimits;
}
