import { readFileSync } from 'node:fs';
import AjvDraft04 from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import type { Log, Result } from 'sarif';
import { describe, expect, test } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { fingerprintOf } from '../../contracts/compare/fingerprint.ts';
import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import type { RunComparison } from '../../contracts/run/run-comparison.ts';
import type { RunFinding, RunJson } from '../../contracts/run/run.ts';
import { EXAMPLE_COMPARISON } from '../comparison.testkit.ts';
import { EXAMPLE_RUN, ruleRow } from '../example-run.testkit.ts';
import { HOSTILE_TEXTS, hostileRun } from '../hostile-run.testkit.ts';
import type { Placing } from './placing.ts';
import { renderSarif, type SarifOptions } from './sarif.ts';
import { sourceOf } from '../source.testkit.ts';

const schema = JSON.parse(
  readFileSync(`${import.meta.dirname}/sarif-2.1.0.testkit.json`, 'utf8'),
) as object;
const ajv = new AjvDraft04.default({ strict: false, allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(schema);

const PLACING: Placing = {
  operations: new Map([['zap.quote', { path: 'api of us/zap.yaml', line: 12 }]]),
  otherwise: { path: 'assay.config.yaml', line: 1 },
};
const finding = {
  operation: 'zap.quote',
  pointer: '/a',
  expected: 'x',
  actual: 'y',
  exchanges: ['x1'],
  curl: 'c',
  count: 7,
};
const BROKEN = ruleRow({ id: 'zap.a', verdict: 'fail', findings: [finding] });

/** The log, which keeps the schema. */
function logOf(
  runs: readonly RunJson[],
  options: Partial<SarifOptions> = {},
  exchanges = [exchangeOf({ id: 'x1' })],
): Log {
  const sources = runs.map((run, at) => sourceOf(run, exchanges, `run ${at}`));
  const log = JSON.parse(renderSarif(sources, { placing: PLACING, ...options })) as Log;
  validate(log);
  const faults = (validate.errors ?? []).map(({ instancePath, message }) => [
    instancePath,
    message,
  ]);
  expect(faults).toEqual([]);
  return log;
}
const resultsOf = (run: RunJson, options: Partial<SarifOptions> = {}): Result[] =>
  logOf([run], options).runs[0]?.results ?? [];

describe('SARIF', () => {
  test('has accepted findings of a broken rule as suppressed', () => {
    const findings = [
      { ...finding, waived: 'known (me, until 2030-01-01)' },
      { ...finding, operation: 'zap.x' },
    ];
    const rules = [ruleRow({ id: 'zap.a', verdict: 'fail', findings })];
    const suppressions = resultsOf({ ...EXAMPLE_RUN, rules }).map((one) => one.suppressions);
    expect(suppressions).toMatchObject([
      [],
      [{ status: 'accepted', justification: 'known (me, until 2030-01-01)' }],
    ]);
  });

  test('has of each finding of a waived rule the waiver that accepts it', () => {
    const [mine, yours] = ['known (me, until 2030-01-01)', 'known (you, until 2029-01-01)'];
    const findings = [
      { ...finding, waived: mine },
      { ...finding, operation: 'zap.x', waived: yours },
    ];
    const rule = { id: 'zap.a', verdict: 'waived', reason: `${mine}; ${yours}` } as const;
    const justified = (some: readonly RunFinding[]): unknown =>
      resultsOf({ ...EXAMPLE_RUN, rules: [ruleRow({ ...rule, findings: some })] }).map(
        ({ suppressions }) => suppressions?.[0]?.justification,
      );
    expect(justified(findings)).toEqual([mine, yours]);
    expect(justified([finding])).toEqual([rule.reason]);
  });

  test('has a result for each finding, and the rules that were judged', () => {
    const [run] = logOf([EXAMPLE_RUN]).runs;
    const reported = (run?.results ?? []).map(({ ruleId, level, suppressions = [] }) => [
      ...[ruleId, level],
      suppressions[0]?.justification,
    ]);
    expect(reported).toEqual([
      ['zap.path.min-return-within-amount', 'error', undefined],
      ['zap.errors.duplicate-keys', 'warning', undefined],
      ['trade.build.pair-key', 'error', 'provider migration (J. Doe, until 2026-02-01)'],
    ]);
    const rules = run?.tool.driver.rules ?? [];
    expect(rules.map(({ id }) => id)).not.toContain('docs.openapi.published');
    for (const { ruleId, ruleIndex = -1 } of run?.results ?? []) {
      expect(rules[ruleIndex]?.id).toBe(ruleId);
    }
  });

  test('points at the operation in the contract of the checkout, as a URI', () => {
    const [result] = resultsOf({ ...EXAMPLE_RUN, rules: [BROKEN] });
    expect(result?.locations?.[0]?.physicalLocation).toEqual({
      artifactLocation: { uri: 'api%20of%20us/zap.yaml', uriBaseId: '%SRCROOT%' },
      region: { startLine: 12 },
    });
    expect(result?.partialFingerprints).toEqual({ 'assay/v1': fingerprintOf('zap.a', finding) });
    expect(result?.occurrenceCount).toBe(7);
  });

  test('shows the request and the answer, as far as there is room', () => {
    const run = { ...EXAMPLE_RUN, rules: [BROKEN] };
    const [shown] = resultsOf(run);
    expect(shown?.webRequest).toMatchObject({
      method: 'GET',
      target: 'http://127.0.0.1/v1/config/chains',
    });
    expect(shown?.webResponse).toMatchObject({ statusCode: 200, body: { text: '{}' } });
    const large = exchangeOf({ id: 'x1', answered: 'x'.repeat(1_000_000) });
    const [without] = logOf([run], {}, [large]).runs[0]?.results ?? [];
    expect(without?.webResponse).toMatchObject({ statusCode: 200 });
    expect(without?.webResponse?.body).toBeUndefined();
    const lost = exchangeOf({ id: 'x1', failure: 'timeout' });
    const [failed] = logOf([run], {}, [lost]).runs[0]?.results ?? [];
    expect(failed?.webResponse).toEqual({ noResponseReceived: true });
  });

  test('says which results are new, if an earlier run is given', () => {
    const findings = [finding, { ...finding, pointer: '/b' }];
    const run: RunJson = { ...EXAMPLE_RUN, rules: [{ ...BROKEN, findings }] };
    const [row] = EXAMPLE_COMPARISON.findings.fresh.rows;
    if (row === undefined) throw new Error('the example has no new finding');
    const known = { ...row, fingerprint: fingerprintOf('zap.a', finding) };
    const states = (still: RunComparison['findings']['still'], more = 0): unknown[] => {
      const fresh = { ...EXAMPLE_COMPARISON.findings.fresh, more };
      const comparison = {
        ...EXAMPLE_COMPARISON,
        findings: { ...EXAMPLE_COMPARISON.findings, fresh, still },
      };
      return resultsOf({ ...run, baseline: comparison }).map(({ baselineState }) => baselineState);
    };
    expect(resultsOf(run).map(({ baselineState }) => baselineState)).toEqual([
      undefined,
      undefined,
    ]);
    expect(states({ rows: [known], more: 0 })).toEqual(['unchanged', 'new']);
    expect(states({ rows: [known], more: 1 })).toEqual(['unchanged', 'unchanged']);
    expect(states({ rows: [known], more: 1 }, 1)).toEqual(['unchanged', 'new']);
  });

  test('has a run for each record: of a check, of limits, of load, of one that was killed', () => {
    const load = { ...EXAMPLE_RUN, rules: [], limits: [], load: EXAMPLE_LOAD };
    const check = { ...EXAMPLE_RUN, limits: [] };
    const killed: RunJson = { ...check, rules: [], outcome: 'undecided', complete: false };
    const { runs } = logOf([check, EXAMPLE_RUN, load, killed]);
    expect(runs.map(({ automationDetails }) => automationDetails?.id)).toEqual([
      'assay/zap_trade/check/',
      'assay/zap_trade/limits/',
      'assay/zap_trade/load/stress/',
      'assay/zap_trade/check-2/',
    ]);
    const labels = { environment: 'staging' };
    const where = (changes: Partial<RunJson>, environment?: string): unknown =>
      logOf([{ ...check, ...changes }], { ...(environment === undefined ? {} : { environment }) })
        .runs[0]?.automationDetails?.id;
    expect(where({ labels }, 'other')).toBe('assay/zap_trade/staging/check/');
    expect(where({}, 'eu/west')).toBe('assay/zap_trade/eu%2Fwest/check/');
    const successes = runs.map(({ invocations }) => invocations?.[0]?.executionSuccessful);
    expect(successes).toEqual([true, true, true, false]);
    expect(runs[3]?.results?.map(({ ruleId }) => ruleId)).toEqual(['assay.undecided']);
    expect(runs[2]?.results?.map(({ ruleId }) => ruleId)).toContain('load.threshold');
  });

  test.each(Object.entries(HOSTILE_TEXTS))('takes hostile text: %s', (_, text) => {
    const headers = { ['__proto__']: text, [text.slice(0, 50)]: text.slice(0, 500) };
    const hostile = exchangeOf({ id: text, path: text, sent: text, answered: text, headers });
    const log = logOf([hostileRun(text)], {}, [hostile]);
    const results = log.runs[0]?.results ?? [];
    expect(results.length).toBeGreaterThan(3);
    for (const { message } of results) {
      expect(message.text).not.toMatch(/\]\(|[\p{Cc}\u202e\u2066]/u);
    }
    expect(JSON.stringify(log).length).toBeLessThan(10_000_000);
  });
});
