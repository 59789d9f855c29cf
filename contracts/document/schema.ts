import type { ErrorReading } from '../wire/error-reading.ts';
import type { ApiName } from '../wire/exchange.ts';
import type { OperationServers } from './paths/operation-servers.ts';

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
  /** How often it was found, places that differ only in array positions and numeric keys added up. */
  readonly times: number;
}

/** The departures of a body from its schema. */
export interface SchemaFaults {
  /** In the order in which they were found, each at the first place where it was. */
  readonly listed: readonly SchemaFault[];
  /** Whether the whole body was looked at; if not, nothing listed means that nothing is known. */
  readonly isComplete: boolean;
}

/** Those of a body that keeps to its schema. */
export const NO_SCHEMA_FAULTS: SchemaFaults = { listed: [], isComplete: true };

/** Those of a body that takes too much to hold against its schema. */
export const UNKNOWN_SCHEMA_FAULTS: SchemaFaults = { listed: [], isComplete: false };

/** A JSON Schema where it stands, with what its references need. */
export interface PlacedSchema {
  /** In the dialect of JSON Schema 2020-12, references kept: an object, or true or false. */
  readonly schema: unknown;
  /** Where a `$ref` in it leads; undefined if there is nothing. */
  readonly resolve: (ref: string) => PlacedSchema | undefined;
  /**
   * Whether a value satisfies it.
   * @throws ContractError when it does not compile
   */
  readonly accepts: (value: unknown) => boolean;
}

/** A parameter of an operation. */
export interface OperationParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  /** e.g. `form`, `simple` (OpenAPI 3.1, section 4.8.12.2); `json` where the value is JSON text. */
  readonly style: string;
  readonly explode: boolean;
  /** Undefined if the contract states none. */
  readonly schema: PlacedSchema | undefined;
  readonly examples: readonly unknown[];
}

/** What a request of an operation is made of. */
export interface OperationInputs {
  readonly parameters: readonly OperationParameter[];
  readonly body: RequestBody | undefined;
}

/** The body of a request. */
export interface RequestBody {
  readonly required: boolean;
  /** The JSON media type to send; undefined if the contract states no JSON. */
  readonly mediaType: string | undefined;
  readonly schema: PlacedSchema | undefined;
  readonly examples: readonly unknown[];
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
  /** Where the contract says that it is. */
  readonly servers: OperationServers;
  /** Whether the contract states a body schema for this status, of whatever media type. */
  statesBody(status: number): boolean;
  /**
   * Whether it states one for a body of this status and this media type.
   * @param contentType as the answer says; undefined if it does not
   */
  statesBodyAs(status: number, contentType: string | undefined): boolean;
  /**
   * The media types that the contract states for this status, none if it states no body.
   * Undefined if it does not state the status, not by its class or `default` either.
   */
  mediaTypesOf(status: number): readonly string[] | undefined;
  /**
   * Whether it states raw octets for a body of this status and this media type, of which nothing can be
   * judged.
   */
  statesOctetsAs(status: number, contentType: string | undefined): boolean;
  /** Whether the contract states this status by itself or by its class, not by `default`. */
  namesStatus(status: number): boolean;
  /** Whether it requires header fields of answers of any status. */
  readonly requiresHeaders: boolean;
  /** The header fields that an answer of this status must have, if the contract names the status. */
  requiredHeadersOf(status: number): readonly string[];
  /** What its requests are made of, as its latest document states it. */
  readonly inputs: OperationInputs;
  /**
   * The same as the first document states it that has the operation: that of the service, where it is
   * one of its own. What others say of it takes no field away.
   */
  readonly firstInputs: OperationInputs;
  /**
   * Where a parsed response body departs from the schema for its status and its media type; none when
   * not stated.
   *
   * @param text the body, by which numbers are judged that a double does not hold
   */
  faultsOf(status: number, json: unknown, contentType?: string, text?: string): SchemaFaults;
  /** Where a parsed request body departs from the schema for its media type; none when not stated. */
  requestFaultsOf(json: unknown, contentType?: string): SchemaFaults;
}

/** What the service promises, operation by operation. */
export interface Contract {
  /** Digest, in hex, of every contract file that was loaded; the same on every machine. */
  readonly sha256: string;
  readonly operations: readonly ContractOperation[];
  /**
   * The operation that a request addresses. HEAD addresses GET if the contract states no HEAD.
   * @param path path below the API's base URL; a query is left out; a trailing slash counts
   */
  find(api: ApiName, method: string, path: string): ContractOperation | undefined;
  /** The operation of an id, e.g. `zap.quote`. */
  operation(id: string): ContractOperation | undefined;
  /** Sentences on what of contracts of others is not checked, and why. */
  readonly notices: readonly string[];
  /** How the errors of the service read. */
  readonly errors: ErrorReading;
}

/** An OpenAPI 3.0 or 3.1 document to judge by, in place of the built-in operations it also has. */
export interface ContractOverride {
  readonly api: ApiName;
  /** File path or URL. */
  readonly source: string;
}
