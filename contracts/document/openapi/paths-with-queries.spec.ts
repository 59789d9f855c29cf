import { expect, test } from 'vitest';
import { contractOf, success } from '../contract-of.testkit.ts';

const ITEM = { get: { responses: success({}) } };

test('paths with a query or a fragment are left out with one notice, however many there are', async () => {
  const names = ['/search?type={t}', '/#Action=A', '/x{?q}', '/y?a', `/z?${'b'.repeat(900)}`];
  const paths = Object.fromEntries([...names, '/b'].map((name) => [name, ITEM]));
  const contract = await contractOf(paths);
  const own = contract.operations.filter(({ api }) => api === 'ai');
  expect(own.map(({ pathTemplate }) => pathTemplate)).toEqual(['/b']);
  expect(contract.notices).toEqual([
    expect.stringMatching(
      /with a query or a fragment are left out, .*: \/search\?type=\{t\}, \/#Action=A, \/x\{\?q\} and 2 more\.$/,
    ),
  ]);
});

test('a long path with a query is named in part', async () => {
  const contract = await contractOf({ [`/z?${'b'.repeat(100_000)}`]: ITEM });
  expect(contract.notices.join().length).toBeLessThan(400);
});
