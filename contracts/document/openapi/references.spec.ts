/** Long because it is a table of all ways in which a reference may lead to a schema. */

import { describe, expect, test } from 'vitest';
import { ContractError } from '../contract-error.ts';
import { contractOfFiles, openapi, success } from '../contract-of.testkit.ts';
import { type Files, HERE, NUMBER, PATH, REF, root, takes, TEXT } from './references.testkit.ts';

async function problemOf(files: Files): Promise<string> {
  const error: unknown = await contractOfFiles(files).catch((reason: unknown) => reason);
  if (!(error instanceof ContractError)) throw new Error(`no ContractError: ${String(error)}`);
  return error.message;
}

describe('a reference leads to the schema that JSON Schema names', () => {
  test.each<[what: string, files: Files, good: unknown, bad: unknown]>([
    [
      'by an absolute $id',
      {
        'a.json': root(REF('https://x.invalid/s/b.json'), {
          schemas: { B: { $id: 'https://x.invalid/s/b.json', ...TEXT } },
        }),
      },
      'a',
      1,
    ],
    [
      'relative to the innermost $id, though a file of that name is there',
      {
        'a.json': root(REF(`${HERE}/A`), {
          schemas: {
            A: { $id: 'https://x.invalid/s/a.json', $ref: 'b.json' },
            B: { $id: 'https://x.invalid/s/b.json', ...TEXT },
          },
        }),
        'b.json': NUMBER,
      },
      'a',
      1,
    ],
    [
      'relative to an $id, in a file beside it that says no dialect',
      {
        'a.json': root(REF('s.json')),
        's.json': { $id: 'https://x.invalid/s/s.json', ...REF('t.json') },
        't.json': { $id: 'https://x.invalid/s/t.json', ...TEXT },
      },
      'a',
      1,
    ],
    [
      'by a relative $id of the document',
      { 'a.json': root(REF('b.json'), { schemas: { B: { $id: 'b.json', ...TEXT } } }) },
      'a',
      1,
    ],
    [
      'to the whole of a schema with an $id',
      {
        'a.json': root(REF(`${HERE}/A`), {
          schemas: {
            A: {
              $id: 'https://x.invalid/a',
              type: ['object', 'string'],
              additionalProperties: REF('#'),
            },
          },
        }),
      },
      { a: { b: 'c' } },
      { a: { b: 1 } },
    ],
    [
      'by a pointer into a schema with an $id',
      {
        'a.json': root(REF(`${HERE}/A`), {
          schemas: {
            A: { $id: 'https://x.invalid/a', $ref: '#/$defs/t', $defs: { t: TEXT } },
          },
        }),
      },
      'a',
      1,
    ],
    [
      'by an anchor',
      { 'a.json': root(REF('#text'), { schemas: { A: { $anchor: 'text', ...TEXT } } }) },
      'a',
      1,
    ],
    [
      'by an anchor of an $id, which is another one elsewhere',
      {
        'a.json': root(REF('https://x.invalid/a#it'), {
          schemas: {
            A: { $id: 'https://x.invalid/a', $defs: { t: { $anchor: 'it', ...TEXT } } },
            B: { $id: 'https://x.invalid/b', $defs: { t: { $anchor: 'it', ...NUMBER } } },
          },
        }),
      },
      'a',
      1,
    ],
    [
      'by an anchor of another file',
      { 'a.json': root(REF('b.json#it')), 'b.json': { $defs: { t: { $anchor: 'it', ...TEXT } } } },
      'a',
      1,
    ],
    [
      'to an $id in another file',
      {
        'a.json': root({ anyOf: [REF('b.json'), REF('https://x.invalid/t')] }),
        'b.json': { type: 'boolean', $defs: { t: { $id: 'https://x.invalid/t', ...TEXT } } },
      },
      'a',
      1,
    ],
    [
      'by a dynamic anchor',
      { 'a.json': root(REF('#text'), { schemas: { A: { $dynamicAnchor: 'text', ...TEXT } } }) },
      'a',
      1,
    ],
    [
      'in a file in another folder',
      {
        'a.json': root(REF('parts/b.json#/b')),
        'parts/b.json': { b: REF('../more/c.json#/c') },
        'more/c.json': { c: REF('#/d'), d: TEXT },
      },
      'a',
      1,
    ],
    [
      'in a file in another folder that is a reference itself',
      {
        'a.json': root(REF('parts/b.json')),
        'parts/b.json': REF('c.json'),
        'parts/c.json': { items: REF('#/$defs/t'), $defs: { t: TEXT } },
      },
      ['a'],
      [1],
    ],
    [
      'by an escaped pointer',
      {
        'a.json': openapi('3.1.0', {
          [PATH]: {
            post: {
              requestBody: {
                content: {
                  'application/json': {
                    schema: REF(
                      '#/paths/~1a~1%7Bb%7D~1100%25/get/responses/200/content/application~1json/schema',
                    ),
                  },
                },
              },
              responses: success(
                REF('#/paths/~1a~1{b}~1100%25/get/responses/200/content/application~1json/schema'),
              ),
            },
          },
          '/a/{b}/100%': { get: { responses: success(TEXT) } },
        }),
      },
      'a',
      1,
    ],
    [
      'into the properties of another',
      {
        'a.json': root(REF(`${HERE}/A/properties/b`), {
          schemas: { A: { properties: { b: TEXT } } },
        }),
      },
      'a',
      1,
    ],
    [
      'in a file whose name has odd characters',
      { 'a (1).json': root(REF("b [é]'!~$&+,;= .json#/t")), "b [é]'!~$&+,;= .json": { t: TEXT } },
      'a',
      1,
    ],
    [
      'into a nullable composition of 3.0',
      {
        'a.json': root(
          REF(`${HERE}/A/allOf/0`),
          { schemas: { A: { nullable: true, allOf: [TEXT] } } },
          '3.0.3',
        ),
      },
      'a',
      null,
    ],
    [
      'out of a file that two URLs lead to',
      {
        'a.json': root({ oneOf: [REF('b.json#/t'), REF('./parts/../b.json?v=1#/n')] }),
        'b.json': { t: TEXT, n: REF('#/m'), m: { type: 'boolean' } },
      },
      true,
      1,
    ],
  ])('%s', async (_, files, good, bad) => {
    const contract = await contractOfFiles(files);
    expect(takes(contract, good)).toBe(true);
    expect(takes(contract, bad)).toBe(false);
  });
});

test.each<[what: string, schema: object]>([
  [
    'an example',
    { ...TEXT, examples: [{ $id: 'a', $anchor: 'no name', $ref: '#/no' }, { $id: 'a' }] },
  ],
  ['a default', { ...TEXT, default: { $ref: 'no.json' } }],
  ['a constant', { anyOf: [TEXT, { const: { $ref: 'no.json', $id: 'a' } }] }],
  [
    'a property of that name',
    { type: ['string', 'object'], properties: { $ref: TEXT, $id: TEXT } },
  ],
  ['an extension', { ...TEXT, 'x-a': { $ref: 'no.json', $id: 'a' } }],
])('in %s nothing is a reference or a name', async (_, schema) => {
  const contract = await contractOfFiles({ 'a.json': root(schema, { schemas: { A: schema } }) });
  expect(takes(contract, 'a')).toBe(true);
  expect(takes(contract, 1)).toBe(false);
});

test.each<[what: string, files: Files]>([
  [
    'responses',
    {
      'a.json': openapi(
        '3.1.0',
        { '/x': { get: { responses: { 200: REF('#/components/responses/A') } } } },
        {
          responses: { A: REF('#/components/responses/B'), B: REF('#/components/responses/A') },
        },
      ),
    },
  ],
  [
    'paths',
    { 'a.json': openapi('3.1.0', { '/x': REF('#/paths/~1y'), '/y': REF('#/paths/~1x') }, {}) },
  ],
])(
  'references of %s that lead to one another are reported as a circle, with the place',
  async (_, files) => {
    expect(await problemOf(files)).toMatch(/has a reference at #\/paths\/.*they lead in a circle/);
  },
);

test('many references in a row are no circle', async () => {
  const rows = Array.from({ length: 60 }, (_, at) => `R${at}`);
  const responses = Object.fromEntries(
    rows.map((name, at) => [name, REF(`#/components/responses/R${at + 1}`)]),
  );
  const paths = { '/x': { get: { responses: { 200: REF('#/components/responses/R0') } } } };
  const last = Object.values(success(TEXT))[0] as object;
  const components = { responses: { ...responses, R60: last } };
  const contract = await contractOfFiles({ 'a.json': openapi('3.1.0', paths, components) });
  expect(contract.find('ai', 'GET', '/x')?.faultsOf(200, 1).listed).toHaveLength(1);
});

describe('a reference that leads nowhere is refused with its place', () => {
  test.each<[what: string, files: Files, message: RegExp]>([
    [
      'no such member',
      { 'a.json': root(REF(`${HERE}/No`)) },
      /refers to #\/components\/schemas\/No at #\/paths\/.*nowhere/,
    ],
    ['no such anchor', { 'a.json': root(REF('#no')) }, /refers to #no at #\/paths/],
    [
      'deep in a schema',
      { 'a.json': root(REF(`${HERE}/A`), { schemas: { A: { items: { not: REF('#/no') } } } }) },
      /refers to #\/no at #\/components\/schemas\/A\/items\/not, which leads nowhere/,
    ],
    [
      'in another file',
      { 'a.json': root(REF('b.json#/t')), 'b.json': { t: { items: REF('#/no') } } },
      /refers to #\/no at #\/t\/items of file:.*b\.json, which leads nowhere/,
    ],
    [
      'relative to an $id, where a file is there',
      {
        'a.json': root(REF(`${HERE}/A`), {
          schemas: { A: { $id: 'https://x.invalid/a', $ref: 'b.json' } },
        }),
        'b.json': TEXT,
      },
      /refers to https:\/\/x\.invalid\/b\.json at #\/components\/schemas\/A, which leads/,
    ],
  ])('%s', async (_, files, message) => {
    expect(await problemOf(files)).toMatch(message);
  });
});

test('what no operation leads to may refer to nothing', async () => {
  const contract = await contractOfFiles({
    'a.json': root(TEXT, { schemas: { A: REF('#/no'), B: REF('#no') } }),
  });
  expect(takes(contract, 'a')).toBe(true);
});
