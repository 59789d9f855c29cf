import { describe, expect, test } from 'vitest';
import { type CodeQualityRow, renderCodeQuality } from './code-quality.ts';
import { NOT_COVERED } from '../../contracts/run/record-lines.ts';
import { EXAMPLE_RUN, ruleRow } from '../example-run.testkit.ts';
import { HOSTILE_TEXTS, hostileRun } from '../hostile-run.testkit.ts';
import { NOWHERE, type Placing } from './placing.ts';
import { sourceOf } from '../source.testkit.ts';

const PLACING: Placing = {
  operations: new Map([['zap.quote', { path: 'api/zap.yaml', line: 12 }]]),
  otherwise: { path: '.gitlab-ci.yml', line: 1 },
};
const rowsOf = (run = EXAMPLE_RUN, placing = PLACING): CodeQualityRow[] =>
  JSON.parse(renderCodeQuality([sourceOf(run), sourceOf(run)], placing)) as CodeQualityRow[];
const finding = {
  operation: 'zap.quote',
  pointer: '/a/0/b',
  expected: 'x',
  actual: 'y',
  exchanges: ['x1'],
  curl: 'c',
  count: 1,
};

describe("GitLab's code quality report", () => {
  test('has a row for each finding of a broken rule, and none for what is waived', () => {
    expect(rowsOf().map(({ check_name, severity }) => [check_name, severity])).toEqual([
      ['zap.path.min-return-within-amount', 'critical'],
      ['zap.errors.duplicate-keys', 'minor'],
    ]);
  });

  test('has one row on what nothing covers of records of an earlier version', () => {
    const rows = rowsOf({ ...EXAMPLE_RUN, rules: [], notices: [NOT_COVERED] });
    expect(rows.map(({ severity, description }) => [severity, description])).toEqual([
      ['info', NOT_COVERED],
    ]);
  });

  test('what loses money blocks', () => {
    const source = 'implied by §2.2 (loses money)';
    const rules = [ruleRow({ verdict: 'fail', source, findings: [finding] })];
    expect(rowsOf({ ...EXAMPLE_RUN, rules })[0]?.severity).toBe('blocker');
  });

  test('points at the operation if it is known, else at a file that is there', () => {
    const findings = [finding, { ...finding, operation: 'zap.build' }];
    const rules = [ruleRow({ verdict: 'fail', findings })];
    const at = (placing: Placing): string[] =>
      rowsOf({ ...EXAMPLE_RUN, rules }, placing).map(
        ({ location: { path, lines } }) => `${path}:${lines.begin}`,
      );
    expect(at(PLACING)).toEqual(['api/zap.yaml:12', '.gitlab-ci.yml:1']);
    expect(at(NOWHERE)).toEqual(['assay.config.yaml:1', 'assay.config.yaml:1']);
  });

  test('has each fingerprint once', () => {
    const rules = [
      ruleRow({ verdict: 'fail', findings: [finding, { ...finding, pointer: '/a/7/b' }] }),
    ];
    const rows = rowsOf({ ...EXAMPLE_RUN, rules });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.description).toContain('/a/0/b');
  });

  test.each(Object.entries(HOSTILE_TEXTS))('takes hostile text: %s', (_, text) => {
    const rows = rowsOf(hostileRun(text));
    expect(rows.length).toBeGreaterThan(2);
    for (const row of rows) {
      expect(Object.keys(row)).toEqual([
        ...['description', 'check_name', 'fingerprint', 'severity', 'location'],
      ]);
      expect(row.description.length).toBeLessThan(2_000);
      expect(row.description).not.toMatch(/[\p{Cc}\u202e\u2066]/u);
      expect(row.fingerprint).toMatch(/^[0-9a-f]{32}$/);
    }
    expect(new Set(rows.map(({ fingerprint }) => fingerprint)).size).toBe(rows.length);
  });
});
