import type { ApiName } from './wire/exchange.ts';

/** One departure of a response body from its schema. */
export interface SchemaFault {
  /** JSON pointer into the response body. */
  readonly pointer: string;
  /** What the contract asks for there, in words. */
  readonly expected: string;
  /**
   * The kind of value that the contract marks with `x-facet` (e.g. `base-units`): a fault there
   * belongs to the rule on that kind of value, not to the rule on the response's shape.
   */
  readonly facet: string | undefined;
}

/** One operation of the contract, its response schemas compiled when first used. */
export interface ContractOperation {
  /** e.g. `zap.quote`. */
  readonly id: string;
  readonly api: ApiName;
  /** In capitals. */
  readonly method: string;
  /** e.g. `/v1/pools`; `{name}` stands for one segment. */
  readonly pathTemplate: string;
  /** Whether the contract states a body schema for this status. */
  statesBody(status: number): boolean;
  /** Where a parsed response body departs from the schema for its status; none when not stated. */
  faultsOf(status: number, json: unknown): readonly SchemaFault[];
  /** Where a parsed request body departs from the schema of requests; none when not stated. */
  requestFaultsOf(json: unknown): readonly SchemaFault[];
}

/** What the service promises, operation by operation. */
export interface Contract {
  /** Digest, in hex, of every contract file that was loaded; the same on every machine. */
  readonly sha256: string;
  readonly operations: readonly ContractOperation[];
  /**
   * The operation that a request addresses.
   * @param path path below the API's base URL; a query is left out; a trailing slash counts
   */
  find(api: ApiName, method: string, path: string): ContractOperation | undefined;
  /** The operation of an id, e.g. `zap.quote`. */
  operation(id: string): ContractOperation | undefined;
}

/** An OpenAPI 3.0 or 3.1 document to judge by, in place of the built-in operations it also has. */
export interface ContractOverride {
  readonly api: ApiName;
  /** File path or URL. */
  readonly source: string;
}
