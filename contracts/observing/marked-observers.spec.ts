import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { success } from '../document/contract-of.testkit.ts';
import { loadContractOf } from '../document/load-contract.ts';
import { exchangeOf } from '../judging/exchange.testkit.ts';
import { Judge } from '../judging/judge.ts';
import type { Observer } from '../judging/ledger.ts';
import { markedObservers } from './marked-observers.ts';
import { MarkError } from './marks.ts';

const ERRORS = { isThrottled: () => false, codeOf: () => undefined, waitIn: () => undefined };

/** A mark with the id of a row, or several. */
function open(...marks: readonly object[]): object {
  const whole = marks.map((mark) => ({ ledger: 'row', clause: '§1 what is left open', ...mark }));
  return { 'x-unspecified': whole.length === 1 ? whole[0] : whole };
}

/** Observers of a document whose one operation answers by a schema, and what they see of a body. */
async function opened<T>(
  schema: object,
  use: (observers: readonly Observer[], seen: (body: unknown) => Promise<string[]>) => Promise<T>,
  components: object = {},
): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-marks-'));
  const source = join(dir, 'shop.json');
  const responses = { '2XX': Object.values(success(schema))[0] as object };
  const paths = { '/orders': { get: { operationId: 'zap.orders', responses } } };
  const info = { title: 'a shop', version: '1' };
  writeFileSync(
    source,
    JSON.stringify({ openapi: '3.1.0', info, paths, components: { schemas: components } }),
  );
  try {
    const documents = [{ api: 'zap', source }] as const;
    const observers = await markedObservers(documents);
    const contract = await loadContractOf({ documents, errors: ERRORS });
    const seen = (body: unknown): Promise<string[]> => {
      const judge = new Judge([], contract, { observers });
      judge.add(exchangeOf({ path: '/orders', answered: body }));
      return Promise.resolve(judge.ledger().flatMap(({ observed }) => observed));
    };
    return await use(observers, seen);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const seenIn = (schema: object, body: unknown, components: object = {}): Promise<string[]> =>
  opened(schema, (_, seen) => seen(body), components);

const list = (items: object): object => ({ type: 'array', items });
const record = (properties: object, more: object = {}): object => ({
  ...{ type: 'object', properties },
  ...more,
});

test('a mark becomes an observer of the operations whose answers hold it', async () => {
  const observers = await opened(record({ kind: open({ seen: 'values' }) }), (all) =>
    Promise.resolve(all),
  );
  expect(observers).toEqual([
    {
      ...{ id: 'row', clause: '§1 what is left open', api: 'zap', operations: ['zap.orders'] },
      ...{ answer: 'success', observe: expect.any(Function) as unknown },
    },
  ]);
});

test('values are found through lists, maps, references and allOf, in the order of the answer', async () => {
  const schema = list({ allOf: [{ $ref: '#/components/schemas/Order' }] });
  const Order = record({
    by: { additionalProperties: { type: 'string', ...open({ seen: 'values' }) } },
  });
  const body = [{ by: { x: 'second', y: 'first' } }, { by: { x: 'first', z: 3, u: {} } }, {}];
  expect(await seenIn(schema, body, { Order })).toEqual(['second', 'first', '3', 'object']);
});

test('a schema that holds itself is looked into once', async () => {
  const Node = record({
    of: { type: 'string', ...open({ seen: 'values' }) },
    next: { $ref: '#/components/schemas/Node' },
  });
  const body = { of: 'a', next: { of: 'b' } };
  expect(await seenIn({ $ref: '#/components/schemas/Node' }, body, { Node })).toEqual(['a']);
});

test.each([
  ['members', { of: { b: 1, a: [] } }, ['b: number', 'a: empty array']],
  ['members', { of: null }, ['null']],
  ['members', {}, ['undefined']],
  ['named members', { of: { b: 1 } }, ['of.b: number']],
  ['named members', { of: {} }, ['of: empty']],
  ['named members', {}, []],
  [
    'inner members',
    { of: { b: [{ c: true }], d: { e: '' }, f: 1 } },
    ['b.c: boolean', 'd.e: string'],
  ],
  ['other members', { of: { stated: 1, b: [''] } }, ['b: array of string']],
  ['other members', { of: { stated: 1 } }, []],
  ['given members', { of: { stated: 1, b: 2 } }, ['stated', 'b: number']],
  ['given members', {}, ['absent']],
  ['open types', { of: { stated: 1, bare: '' } }, ['bare: string']],
  ['open types', { of: { stated: 1 } }, ['bare: undefined']],
])('%s of %j', async (seen, body, expected) => {
  const bare = { 'x-unspecified': 'its type' };
  const stated =
    seen === 'open types' ? { stated: { type: 'number' }, bare } : { stated: { type: 'number' } };
  expect(await seenIn(record({ of: record(stated, open({ seen })) }), body)).toEqual(expected);
});

test('other names are those that no schema states, from the mark down, by the titles of schemas', async () => {
  const line = record({ price: {} }, { title: 'line' });
  const schema = record(
    { lines: list(line), free: {} },
    { title: 'body', ...open({ seen: 'other names' }) },
  );
  const body = {
    lines: [{ price: { any: 1 } }, { price: 1, tax: 2 }, 'none'],
    free: { any: 1 },
    more: 1,
  };
  expect(await seenIn(schema, body)).toEqual(['body.more', 'line.tax']);
});

test('two marks fill one row, each with its own words before what it sees', async () => {
  const inner = record({}, open({ seen: 'other members', before: 'line ' }));
  const schema = record({ lines: list(inner) }, open({ seen: 'other members' }));
  expect(await seenIn(schema, { lines: [{ a: 1 }], b: 1 })).toEqual([
    'b: number',
    'line a: number',
  ]);
});

test('a mark that names how many are looked at is content with the first', async () => {
  const schema = list({ type: 'string', ...open({ seen: 'values', first: 2 }) });
  expect(await seenIn(schema, ['a', 'b', 'c'])).toEqual(['a', 'b']);
});

test('of one answer so many different texts are reported, and no more', async () => {
  const schema = list({ type: 'string', ...open({ seen: 'values' }) });
  const [observer] = await opened(schema, (all) => Promise.resolve(all));
  const json = Array.from({ length: 1_000 }, (_, index) => `v${index}`);
  const operation = { id: 'zap.orders' };
  expect(observer?.observe({ operation, json } as never)).toHaveLength(500);
  expect(observer?.observe({ operation: undefined, json } as never)).toEqual([]);
});

test.each([
  ['no way of looking', open({ seen: 'all of it' }), /neither a text nor/],
  [
    'two clauses',
    open({ seen: 'values' }, { seen: 'members', clause: '§2 another' }),
    /two clauses/,
  ],
])('a mark with %s is refused', async (_name, mark, message) => {
  const made = opened({ type: 'object', ...mark }, (all) => Promise.resolve(all));
  await expect(made).rejects.toThrow(MarkError);
  await expect(opened({ type: 'object', ...mark }, (all) => Promise.resolve(all))).rejects.toThrow(
    message,
  );
});
