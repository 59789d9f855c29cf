import { expect } from 'vitest';
import { openapi, success } from '../contract-of.testkit.ts';
import type { Contract } from '../schema.ts';

/** The files of a document by their names. */
export type Files = Readonly<Record<string, object>>;

export const PATH = '/x';

/** A document with one operation that answers and takes what a schema says. */
export function root(schema: object, components: object = {}, version = '3.1.0'): object {
  const requestBody = { content: { 'application/json': { schema } } };
  const paths = { [PATH]: { post: { requestBody, responses: success(schema) } } };
  return openapi(version, paths, components);
}

/** Whether answers and generators take a value, which has to be the same. */
export function takes(contract: Contract, value: unknown): boolean {
  const operation = contract.find('ai', 'POST', PATH);
  const isValid = operation?.faultsOf(200, value).listed.length === 0;
  expect(operation?.requestFaultsOf(value).listed.length === 0).toBe(isValid);
  expect(operation?.inputs.body?.schema?.accepts(value)).toBe(isValid);
  return isValid;
}

export const TEXT = { type: 'string' };
export const NUMBER = { type: 'number' };
/** A reference. */
export const REF = (to: string): object => ({ $ref: to });
export const HERE = '#/components/schemas';
