import type { KnownRule } from './release.ts';
import type { JudgedRun } from './release-outcome.ts';
import type { RunJson, RunRuleRow } from '../run/run.ts';

/** A rule of a run that passed, for the specs of releases. */
export function passed(id: string, changes: Partial<RunRuleRow> = {}): RunRuleRow {
  return {
    id,
    level: 'must',
    source: '§2.2',
    verdict: 'pass',
    evidence: 5,
    protects: 'A client can parse every quote.',
    api: 'zap',
    findings: [],
    ...changes,
  };
}

/** A run that conforms, for the specs of releases. */
export function runOf(id: string, changes: Partial<RunJson> = {}): RunJson {
  return {
    schemaVersion: 1,
    tool: { name: 'assay', version: '0.1.0', sha256: 'ef'.repeat(32) },
    startedAt: '2026-01-02T03:04:05.000Z',
    endedAt: '2026-01-02T03:04:17.000Z',
    seed: 1,
    profile: 'release',
    target: {
      kind: 'remote',
      urls: { zap: 'http://127.0.0.1:4001' },
      apis: ['zap', 'trade', 'docs', 'ai'],
      credentials: [],
    },
    contract: { sha256: 'ab'.repeat(32) },
    record: { id, exchanges: 8, head: 'cd'.repeat(32), files: {} },
    outcome: 'conforms',
    complete: true,
    counts: { exchanges: 8, requests: 9, answered: 8, throttled: 0, failed: 0 },
    rules: [passed('zap.a'), passed('zap.b')],
    ledger: [],
    limits: [],
    notices: [],
    ...changes,
  };
}

/** The same run as recorded and as judged again. */
export function same(run: RunJson): JudgedRun {
  return { recorded: run, judged: run };
}

/** Rules that a release is held to, for specs. */
export const KNOWN: readonly KnownRule[] = [
  { id: 'zap.a', level: 'must', source: '§2.2', kind: 'check', api: 'zap' },
  { id: 'zap.b', level: 'must', source: '§2.2', kind: 'check', api: 'zap' },
];
