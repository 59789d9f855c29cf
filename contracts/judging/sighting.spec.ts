import { expect, test } from 'vitest';
import { exchangeOf } from './exchange.testkit.ts';
import { NO_CONTRACT } from './no-contract.testkit.ts';
import { MAX_OBSERVED } from './ledger.ts';
import { Sighting } from './sighting.ts';
import { View } from './view.ts';

function observed(seen: readonly string[]): string[] {
  const sighting = new Sighting({
    id: 'zap.made.up',
    clause: '§1',
    api: 'zap',
    operations: '*',
    answer: 'any',
    observe: () => seen,
  });
  sighting.look(new View(exchangeOf(), NO_CONTRACT));
  return [...sighting.observed];
}

test('of very many things the first are kept, and of a long text the beginning', () => {
  expect(observed(Array.from({ length: 1_000 }, (_, at) => `${at}`))).toHaveLength(MAX_OBSERVED);
  expect(observed(['short', 'x'.repeat(501), 'y'.repeat(20_000), 'z'.repeat(30_000)])).toEqual([
    'short',
    `${'x'.repeat(500)}…`,
    '(a very long text)',
  ]);
});
