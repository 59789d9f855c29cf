import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadContractOf } from '../load-contract.ts';
import { sharedData } from '../shared-data.testkit.ts';
import { PLAIN_ERRORS } from '../../wire/error-reading.ts';

const folder = sharedData('openapi');

/** How many operations they have. */
const OPERATIONS: Readonly<Record<string, number>> = {
  'asana.yaml': 152,
  'ent.json': 12,
  'firecracker.json': 26,
  'lxkns.yaml': 3,
  'manga.json': 6,
  'pokemon.json': 1,
  'superset.json': 140,
  'techempower.json': 5,
  'tempo.yaml': 8,
  'tinkoff.json': 21,
  'wikimedia.yaml': 1,
};

/** Documents that are not used, each with its own mistake. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  // A parameter has a schema or content, not both (OpenAPI 3.1, section 4.8.12.2).
  'burgershop.yaml':
    /at #\/paths\/~1burgers~1\{burgerId\}\/get\/parameters\/1: it must have exactly one of schema, content\.$/,
};

describe.skipIf(folder === undefined)('a public OpenAPI document', () => {
  const names = folder === undefined ? [] : readdirSync(folder);
  test.each(names)(
    '%s is read whole',
    async (name) => {
      const overrides = [{ api: 'public', source: join(folder ?? '', name) }];
      const base = { documents: [], errors: PLAIN_ERRORS };
      const loading = loadContractOf(base, { overrides });
      const problem = REFUSED[name];
      if (problem !== undefined) {
        await expect(loading).rejects.toThrow(problem);
        return;
      }
      const { operations, notices } = await loading;
      expect([operations.length, notices]).toEqual([OPERATIONS[name], []]);
      for (const { inputs } of operations) {
        const schemas = [inputs.body?.schema, ...inputs.parameters.map(({ schema }) => schema)];
        for (const schema of schemas) expect(() => schema?.accepts(undefined)).not.toThrow();
      }
    },
    30_000,
  );
});
