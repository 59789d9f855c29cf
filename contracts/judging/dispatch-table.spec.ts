import { expect, test } from 'vitest';
import { contractOf, success } from '../document/contract-of.testkit.ts';
import { DispatchTable } from './dispatch-table.ts';

test('requests of several operations alike need no row each', async () => {
  const get = { responses: success({}) };
  const contract = await contractOf({ '/{a}-{b}': { get }, '/{a}.{b}': { get } });
  const table = new DispatchTable([], []);
  const rows = ['/1-2.3', '/4-5.6'].map((path) =>
    table.of('ai', contract.find('ai', 'GET', path), 'success'),
  );
  expect(rows[0]).toBe(rows[1]);
});
