import { expect, test } from 'vitest';
import type { ContractFiles } from '../document/contract-files.ts';
import { success } from '../document/contract-of.testkit.ts';
import { loadContractOf } from '../document/load-contract.ts';
import { exchangeOf } from '../judging/exchange.testkit.ts';
import { Judge } from '../judging/judge.ts';
import type { Observation, Observer } from '../judging/ledger.ts';
import { PLAIN_ERRORS } from '../wire/error-reading.ts';
import { withContractMarks } from './contract-observers.ts';

const CLAUSE = 'books, which shelves there are';
const mark = (more: object = {}): object => ({
  ...{ ledger: 'books.shelves', clause: CLAUSE, seen: 'values', ...more },
});
const shelf = (...marks: readonly unknown[]): object => ({
  type: 'object',
  properties: { shelf: { type: 'string', 'x-unspecified': marks } },
});

/** A contract of one operation, GET /books, that answers by a schema. */
function filesOf(schema: object, components: object = {}, path = '/books'): ContractFiles {
  const paths = { [path]: { get: { operationId: 'list', responses: success(schema) } } };
  const info = { title: 'books', version: '1' };
  const text = JSON.stringify({
    ...{ openapi: '3.1.0', info, paths, components: { schemas: components } },
  });
  const url = 'file:///books.json';
  const file = { url, text, sha256: '', bytes: text.length };
  return [{ api: 'books', source: 'books.json', url, files: [file] }];
}

/** What is observed of bodies, and what is said of marks. */
async function watched(
  files: ContractFiles,
  bodies: readonly unknown[],
  own: readonly Observer[] = [],
): Promise<{ readonly ledger: readonly Observation[]; readonly notices: readonly string[] }> {
  const contract = await loadContractOf({ documents: [], errors: PLAIN_ERRORS }, { files });
  const { observers, notices } = withContractMarks(own, contract, files);
  const judge = new Judge([], contract, { observers });
  for (const answered of bodies) judge.add(exchangeOf({ api: 'books', path: '/books', answered }));
  return { ledger: judge.ledger(), notices };
}

test('the marks of a contract that somebody named are observed, under the ids of its operations', async () => {
  const { ledger, notices } = await watched(filesOf(shelf('a text for readers', mark())), [
    { shelf: 'fiction' },
    { shelf: 'travel' },
  ]);
  expect(ledger).toEqual([
    { id: 'books.shelves', clause: CLAUSE, observed: ['fiction', 'travel'] },
  ]);
  expect(notices).toEqual([]);
});

test('a contract without marks adds nothing', async () => {
  const plain = filesOf({ type: 'object' });
  expect(await watched(plain, [{}])).toEqual({ ledger: [], notices: [] });
});

test('a row that the service has is filled by both, and one of another kind is left as it is', async () => {
  const own: Observer = {
    ...{ id: 'books.shelves', clause: CLAUSE, api: 'books', operations: ['books.read'] },
    ...{ answer: 'success', observe: () => ['of its own'] },
  };
  const files = filesOf(shelf(mark()));
  const joined = await watched(files, [{ shelf: 'fiction' }], [own]);
  expect(joined.ledger.map(({ observed }) => observed)).toEqual([['fiction']]);
  const other = await watched(files, [{ shelf: 'fiction' }], [{ ...own, clause: 'another' }]);
  expect(other.ledger.flatMap(({ observed }) => observed)).toEqual([]);
  expect(other.notices).toEqual([
    'The contract books.json marks books.shelves, a row of another kind.',
  ]);
});

test.each([
  ['no way of looking', [mark({ seen: 'all of it' }), mark()], 'a mark that collects nothing'],
  ['an id of no words', [mark({ ledger: '</td>' }), mark()], 'words joined by dots'],
  ['a clause of great length', [mark({ clause: 'x'.repeat(301) }), mark()], 'at most'],
  ['true', [true, mark()], 'a mark that collects nothing'],
  ['two clauses', [mark(), mark({ seen: 'members', clause: '2' })], 'the first one holds'],
])('a mark with %s is reported, and the others are observed', async (_, marks, message) => {
  const { ledger, notices } = await watched(filesOf(shelf(...marks)), [{ shelf: 'fiction' }]);
  expect(ledger[0]).toMatchObject({ clause: CLAUSE });
  expect(ledger[0]?.observed).toContain('fiction');
  expect(notices.join(' ')).toContain(message);
});

test('schemas that lead to each other in ever more ways are looked into up to a bound', async () => {
  const names = Array.from({ length: 18 }, (_, at) => `S${at}`);
  const components = Object.fromEntries(
    names.map((name, at) => {
      const next = { $ref: `#/components/schemas/S${at + 1}` };
      const properties = at === 17 ? { shelf: { 'x-unspecified': mark() } } : { a: next, b: next };
      return [name, { type: 'object', properties }];
    }),
  );
  const files = filesOf({ $ref: '#/components/schemas/S0' }, components);
  const { notices } = await watched(files, [{}]);
  expect(notices).toEqual(['The contract books.json is too large to look for all of its marks.']);
});
