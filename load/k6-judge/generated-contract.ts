import type { ErrorObject } from 'ajv';
import { schemaFaults } from '../../contracts/document/validation/schema-faults.ts';
import { NO_SERVERS } from '../../contracts/document/paths/operation-servers.ts';
import type { ContractOperation, SchemaFaults } from '../../contracts/document/schema.ts';
import { NO_SCHEMA_FAULTS } from '../../contracts/document/schema.ts';
import { pointedErrors } from '../../contracts/document/validation/script-path.ts';
import type { ApiName } from '../../contracts/wire/exchange.ts';

/** What ajv's standalone code exports: it ends at the first error. */
export interface Validator {
  (value: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** An operation as it is generated from the built-in contract; `V` stands for its validators. */
export interface GeneratedOperation<V = Validator> {
  readonly id: string;
  readonly api: ApiName;
  /** In capitals. */
  readonly method: string;
  readonly pathTemplate: string;
  /** By `200`, `2XX` or `DEFAULT`. */
  readonly mediaTypes: readonly (readonly [status: string, types: readonly string[]])[];
  readonly responses: readonly (readonly [status: string, validator: V | null])[];
  readonly request: V | null;
}

/**
 * An operation for rules, by validators that were made ahead of time; inputs are not part of it, and a
 * status has one media type.
 */
export function operationOf(generated: GeneratedOperation): ContractOperation {
  const { id, api, method, pathTemplate, request } = generated;
  const responses = new Map(generated.responses);
  const mediaTypes = new Map(generated.mediaTypes);
  const validatorAt = (status: number): Validator | null =>
    status < 100 ? null : (ofStatus(responses, status) ?? null);
  return {
    id,
    api,
    method,
    pathTemplate,
    inputs: { parameters: [], body: undefined },
    firstInputs: { parameters: [], body: undefined },
    servers: NO_SERVERS,
    statesBody: (status) => validatorAt(status) !== null,
    statesBodyAs: (status) => validatorAt(status) !== null,
    statesOctetsAs: () => false,
    mediaTypesOf: (status) => ofStatus(mediaTypes, status),
    namesStatus: (status) => namesOf(status).some((name) => mediaTypes.has(name)),
    // No rule on the built-in documents asks for them.
    requiresHeaders: false,
    requiredHeadersOf: () => [],
    faultsOf: (status, json) => faultsBy(validatorAt(status), json),
    requestFaultsOf: (json) => faultsBy(request, json),
  };
}

/** OpenAPI 3.1, section 4.8.16: the exact status, then its class, then `default`. */
function ofStatus<T>(stated: ReadonlyMap<string, T>, status: number): T | undefined {
  const name = [...namesOf(status), 'DEFAULT'].find((one) => stated.has(one));
  return name === undefined ? undefined : stated.get(name);
}

function namesOf(status: number): string[] {
  return [String(status), `${Math.floor(status / 100)}XX`];
}

/** The fault that decided; what else is wrong with the body is not looked for here. */
function faultsBy(validator: Validator | null, json: unknown): SchemaFaults {
  if (validator === null || validator(json)) return NO_SCHEMA_FAULTS;
  const errors = pointedErrors(validator.errors ?? [], json);
  // The errors hold on to all of the value for as long as the function keeps them.
  validator.errors = null;
  return schemaFaults(errors, false);
}
