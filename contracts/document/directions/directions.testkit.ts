import { contractOfFiles, openapi, success } from '../contract-of.testkit.ts';
import type { Contract, ContractOperation } from '../schema.ts';

export const TEXT: object = { type: 'string' };
export const READ: object = { ...TEXT, readOnly: true };
export const WRITE: object = { ...TEXT, writeOnly: true };
/** A reference to a schema by its name. */
export const ref: (name: string) => object = (name) => ({ $ref: `#/components/schemas/${name}` });

/** A contract in which one schema is that of requests and of answers. */
export function contractWith(
  schema: object,
  schemas: object = {},
  version = '3.1.0',
): Promise<Contract> {
  const requestBody = { content: { 'application/json': { schema } } };
  const paths = { '/x': { post: { requestBody, responses: success(schema) } } };
  return contractOfFiles({ 'a.json': openapi(version, paths, { schemas }) });
}

/** Its operation. */
export async function operationWith(
  schema: object,
  schemas?: object,
  version?: string,
): Promise<ContractOperation> {
  const operation = (await contractWith(schema, schemas, version)).find('ai', 'POST', '/x');
  if (operation === undefined) throw new Error('there is no such operation');
  return operation;
}

type Misses = (operation: ContractOperation, json: unknown) => string[];

/** Where a request is wrong. */
export const requestMisses: Misses = (operation, json) =>
  operation.requestFaultsOf(json).listed.map(({ pointer }) => pointer);
/** Where an answer is wrong. */
export const answerMisses: Misses = (operation, json) =>
  operation.faultsOf(200, json).listed.map(({ pointer }) => pointer);
