import { expect, test } from 'vitest';
import type { Ask } from '../bucket.ts';
import { probedByRequests } from './own-limits.ts';

const LIST = { method: 'GET', path: '/books?most=1' };
const LOANS = { method: 'POST', path: '/loans' };
const SERVICE = probedByRequests({
  books: {
    request: LIST,
    otherRoute: { method: 'GET', path: '/shelves' },
    refused: { method: 'GET', path: '/books?most=0' },
  },
  loans: { request: LOANS },
});

const byKind = (at: number, apis: readonly string[]): Record<string, Ask> => {
  const bucket = SERVICE.bucketsOf({ apis, keys: [] })[at];
  return Object.fromEntries(bucket?.variations.map(({ kind, ask }) => [kind, ask(0)]) ?? []);
};

test('each API has a bucket for each address, with its own requests', () => {
  const buckets = SERVICE.bucketsOf({
    apis: ['books', 'loans'],
    keys: [{ name: 'K', credential: { bearer: 'k' } }],
    otherAddress: '127.0.0.2',
  });
  expect(
    buckets.map(({ api, client, plain, failing }) => [api, client, plain.path, failing?.path]),
  ).toEqual([
    ['books', 'address', '/books?most=1', '/books?most=0'],
    ['loans', 'address', '/loans', undefined],
  ]);
  expect(buckets[0]?.variations[0]?.ask(0)).toEqual({
    ...{ api: 'books', ...LIST, sourceAddress: '127.0.0.2' },
  });
  expect(SERVICE.bucketsOf({ apis: ['loans'], keys: [] })).toHaveLength(1);
});

test('only paths are spelt otherwise, and other routes are asked where they are named', () => {
  expect(byKind(0, ['books'])).toEqual({
    'forged-forwarded-for': {
      ...{ api: 'books', ...LIST, headers: [['X-Forwarded-For', '203.0.113.7']] },
    },
    'other-route': { api: 'books', method: 'GET', path: '/shelves' },
    'other-method': { api: 'books', method: 'HEAD', path: '/books?most=1' },
    'trailing-slash': { api: 'books', method: 'GET', path: '/books/?most=1' },
    'path-case': { api: 'books', method: 'GET', path: '/BOOKS?most=1' },
  });
  expect(Object.keys(byKind(0, ['loans']))).not.toContain('other-route');
});

test('of two APIs the later one asks for the earlier one, whose limit is known by then', () => {
  expect(byKind(1, ['books', 'loans'])['other-api']).toEqual({ api: 'books', ...LIST });
  expect(byKind(0, ['books', 'loans'])['other-api']).toBeUndefined();
  expect(byKind(0, ['loans'])['other-api']).toBeUndefined();
});
