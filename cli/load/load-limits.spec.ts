import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LimitRow } from '../../contracts/run/run.ts';
import { scenario } from '../../load/scenarios/scenario.testkit.ts';
import { UsageError } from '../exit-code.ts';
import { rateByLimits } from './load-limits.ts';
import { LIMITS_FILE } from '../record/limits-record.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-load-limits-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

function measured(...rows: readonly Partial<LimitRow>[]): void {
  const limits = rows.map((row) => ({ measurement: {}, row }));
  writeFileSync(join(dir, LIMITS_FILE), JSON.stringify({ schemaVersion: 1, limits }));
}

const zap = { api: 'zap', scope: 'per client address', limit: 20, windowSeconds: 2 } as const;
const trade = { api: 'trade', scope: 'per client address', refillPerSecond: 6, burst: 9 } as const;
const tradeKey = { api: 'trade', scope: 'per key', limit: 30, windowSeconds: 1 } as const;
// Of four requests three go to zap.
const mixed = scenario({ mix: { 'zap.quote': 2, 'zap.pools': 1, 'trade.build-tx': 1 } });

test('below stays below each limit that the requests count for', () => {
  measured(zap, trade, tradeKey);
  // zap admits 10 a second, which are three quarters: 13.3 in all; trade 6, a quarter: 24.
  expect(rateByLimits(mixed, { dir, way: 'below', factor: 0.75 })).toBeCloseTo(10, 9);
});

test('above goes above all of them', () => {
  measured(zap, trade, tradeKey);
  expect(rateByLimits(mixed, { dir, way: 'above', factor: 2 })).toBeCloseTo(48, 9);
});

test('several clients have a limit each, and keys have that of keys', () => {
  measured(zap, trade, tradeKey);
  const addresses = scenario({ mix: { 'zap.quote': 1 }, clients: { kind: 'addresses', count: 4 } });
  expect(rateByLimits(addresses, { dir, way: 'below', factor: 0.5 })).toBe(20);
  const keys = scenario({ mix: { 'trade.build-tx': 1 }, clients: { kind: 'keys', count: 2 } });
  expect(rateByLimits(keys, { dir, way: 'above', factor: 1.5 })).toBe(90);
});

test('a folder without limits, or without any that is met, is refused', () => {
  const wish = { dir, way: 'below', factor: 0.5 } as const;
  expect(() => rateByLimits(mixed, wish)).toThrow(/no measured limits/);
  measured({ ...zap, limit: 0 }, tradeKey);
  expect(() => rateByLimits(mixed, wish)).toThrow(UsageError);
});
