import { expect, test } from 'vitest';
import { loadRow } from '../contracts/run/load/load-run.testkit.ts';
import { neverAskedNotices } from './never-asked.ts';

test('an operation of the mix that no request of a load was to is reported', () => {
  const requests = ['zap.quote', 'zap.chains', 'zap.chains', 'zap.pools'].map((operation) => ({
    operation,
  }));
  const row = (operation: string, served: number) =>
    ({ ...loadRow({ served }), operation, api: 'zap' }) as const;
  const operations = [row('zap.quote', 9), row('zap.pools', 0)];
  expect(neverAskedNotices(requests, { operations })).toEqual([
    'Of the mix these were asked for nothing under load, so nothing is known of them: zap.chains, zap.pools. A longer load, a higher --rate or a greater weight reaches them.',
  ]);
  expect(neverAskedNotices(requests.slice(0, 1), { operations })).toEqual([]);
  // Some of those that were given up may have been to it.
  expect(neverAskedNotices(requests, { operations, unanswered: 1 })).toEqual([]);
});

test('a load that sent nothing at all says of no operation that a longer one reaches it', () => {
  const requests = [{ operation: 'zap.quote' }];
  const none = { ...loadRow({ served: 0 }), operation: 'zap.quote', api: 'zap' } as const;
  expect(neverAskedNotices(requests, { operations: [none] })).toEqual([]);
  expect(neverAskedNotices(requests, { operations: [] })).toEqual([]);
});
