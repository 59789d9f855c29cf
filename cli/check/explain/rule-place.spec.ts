import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from '../../package.ts';
import { SERVICE } from '../../service.ts';
import { PLACES_FILE, rulePlaces } from './rule-place.ts';

const places = rulePlaces(ROOT);
const empty = mkdtempSync(path.join(tmpdir(), 'assay-test-'));

afterAll(() => {
  rmSync(empty, { recursive: true });
});

function lineOf(id: string): string {
  const place = places(id);
  if (place === undefined) return '';
  return readFileSync(path.join(ROOT, place.file), 'utf8').split('\n')[place.line - 1] ?? '';
}

test('every rule has a place, at which a part of its id stands', () => {
  for (const { id } of SERVICE.rules.all) {
    const parts = id.split('.').slice(1);
    const line = lineOf(id);
    // One row is of many operations or kinds of values, and only the rest of the id is written.
    const isReported = parts.some((part) => {
      const end = part.slice(part.indexOf('-') + 1);
      return line.includes(part) || line.includes(`'${end}'`);
    });
    expect([id, line, isReported || /id: `.*\$\{/.test(line)]).toEqual([id, line, true]);
  }
});

test.each([
  ['zap.pools.within-limit', "id: 'zap.pools.within-limit',"],
  ['trade.errors.typed-body', 'id: `${api}.errors.typed-body`,'],
  ['zap.idempotency-key.twins-are-served', "'twins-are-served',"],
  ['zap.values.base-units', 'id: `${api}.values.${facet.name}`,'],
  ['zap.quote.served', 'id: `${operation}.served`,'],
  ['zap.no-such-rule', ''],
])('the place of %s is that of %s', (id, line) => {
  expect(lineOf(id).trim()).toBe(line);
});

test('of an installed package the table of the build names the places, and without it nothing does', () => {
  expect(rulePlaces(empty)('zap.pools.within-limit')).toBeUndefined();
  const place = { file: 'contracts/service/rules/a.ts', line: 2 };
  mkdirSync(path.join(empty, 'dist'));
  writeFileSync(path.join(empty, PLACES_FILE), JSON.stringify({ 'zap.pools.within-limit': place }));
  expect(rulePlaces(empty)('zap.pools.within-limit')).toEqual(place);
  expect(rulePlaces(empty)('constructor')).toBeUndefined();
});
