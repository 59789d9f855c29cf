import { expect, test } from 'vitest';
import { contractOfFiles, openapi, success } from '../contract-of.testkit.ts';
import type { Contract } from '../schema.ts';

const TEXT = { type: 'string' };
const REF = (to: string): object => ({ $ref: to });

function root(schema: object, components: object = {}): object {
  return openapi('3.0.3', { '/x': { get: { responses: success(schema) } } }, components);
}

function takes(contract: Contract, value: unknown): boolean {
  return contract.find('ai', 'GET', '/x')?.faultsOf(200, value).listed.length === 0;
}

test.each(['definitions', '$defs', 'components'])(
  'a reference leads into %s of a schema',
  async (name) => {
    const pet = { properties: { tag: REF(`#/${name}/Tag`) }, [name]: { Tag: TEXT } };
    for (const files of [
      { 'a.json': root(REF('pet.json')), 'pet.json': pet },
      {
        'a.json': root(REF(`#/components/schemas/X/${name}/Tag`), {
          schemas: { X: { ...TEXT, [name]: { Tag: { properties: { tag: TEXT } } } } },
        }),
      },
    ]) {
      const contract = await contractOfFiles(files);
      expect([takes(contract, { tag: 'a' }), takes(contract, { tag: 1 })]).toEqual([true, false]);
    }
  },
);

test.each(['#Pet', 'common.json#Pet'])(
  'a reference to %s takes nothing from the document, and is reported as the one that is wrong',
  async ($ref) => {
    const files = {
      'a.json': root({ properties: { cat: REF('common.json#/Cat'), pet: { $ref } } }),
      'common.json': { Cat: TEXT },
    };
    await expect(contractOfFiles(files)).rejects.toThrow(
      /refers to \S*#Pet at .*, which leads nowhere/,
    );
  },
);

test('a reference to all of a document leaves its operations', async () => {
  const components = { schemas: { Odd: REF('') } };
  const contract = await contractOfFiles({ 'a.json': root(TEXT, components) });
  expect(takes(contract, 'a')).toBe(true);
});
