import type { HistoryEntry } from './run-history.ts';

/** Day `at` of February 2026 at 2 o'clock, from 0. */
export const nightOf = (at: number): string => new Date(Date.UTC(2026, 1, 1 + at, 2)).toISOString();

/** The run of a night in which all held. */
export function entryAt(at: number, changes: Partial<HistoryEntry> = {}): HistoryEntry {
  return {
    schemaVersion: 1,
    run: `2026-02-${String(at + 1).padStart(2, '0')}`,
    id: `id-${at}`,
    startedAt: nightOf(at),
    kind: 'check',
    outcome: 'conforms',
    complete: true,
    tool: 'a'.repeat(64),
    contract: 'b'.repeat(64),
    profile: 'gate',
    seed: 1,
    target: { kind: 'remote', urls: { zap: 'http://127.0.0.1:4001' } },
    verdicts: { pass: ['zap.a', 'zap.b'], 'not-reached': ['zap.c'] },
    latencies: [{ operation: 'zap.quote', count: 40, p50Ms: 10, p95Ms: 20 + at }],
    limits: [],
    ledger: { 'zap.errors.codes': ['INVALID', 'NOT_FOUND'] },
    ledgerCut: [],
    ...changes,
  };
}
