import { expect } from 'vitest';
import { documentLimits } from '../contract-limits.ts';
import type { SchemaFaults } from '../schema.ts';
import { SchemaCompiler } from './schema-compiler.ts';

const URL_OF_FILE = 'file:///schemas.json';

/** What both compilers say of a value; of one with a text, that for schemas of others. */
export function faultsOf(schema: object, value: unknown, text?: string): SchemaFaults {
  const [foreign, own] = (['foreign', 'own'] as const).map((origin) => {
    const compiler = new SchemaCompiler(origin);
    const files = new Map([[URL_OF_FILE, schema]]);
    compiler.add({
      source: URL_OF_FILE,
      url: URL_OF_FILE,
      files,
      hasDirections: false,
      ...{ sha256s: [], statedDigits: 'none' as const },
      limits: documentLimits([]),
    });
    return compiler.compile(`${URL_OF_FILE}#`)(value, text);
  });
  if (text === undefined) expect(own).toEqual(foreign);
  if (foreign === undefined) throw new Error('no verdict');
  return foreign;
}

/** The places of its faults, each with what is expected there. */
export function places(schema: object, value: unknown, text?: string): string[] {
  return faultsOf(schema, value, text).listed.map(
    ({ pointer, expected, times }) => `${pointer}: ${expected}${times > 1 ? ` (${times})` : ''}`,
  );
}

/** The places of faults of an object that has a text where a schema of so many members wants an integer, the last. */
export function placesOfMembers(count: number): string[] {
  const members = Array.from({ length: count }, (_, at) => [`m${at}`, { type: 'integer' }]);
  const schema = {
    properties: { a: { $ref: '#/$defs/Large' } },
    $defs: { Large: { properties: Object.fromEntries(members) as object } },
  };
  return places(schema, { a: { m0: 1, [`m${count - 1}`]: 'x' } });
}
