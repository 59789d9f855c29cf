import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { EXAMPLE_LOAD } from '../contracts/run/load/load-run.testkit.ts';
import type { RunJson } from '../contracts/run/run.ts';
import { EXAMPLE_COMPARISON } from './comparison.testkit.ts';
import { EXAMPLE_RUN, ruleRow } from './example-run.testkit.ts';

const schema = JSON.parse(readFileSync(`${import.meta.dirname}/run.schema.json`, 'utf8')) as Record<
  string,
  unknown
>;
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  strictRequired: false,
  strictTypes: false,
});
addFormats.default(ajv);
const validate = ajv.compile(schema);

/** Where a run departs from the schema. */
function faultsOf(run: unknown): string[] {
  validate(run);
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath} ${message ?? ''}`,
  );
}

const [finding] = EXAMPLE_RUN.rules.flatMap(({ findings }) => findings);

describe('run.schema.json', () => {
  test('takes the example, also after JSON', () => {
    expect(faultsOf(EXAMPLE_RUN)).toEqual([]);
    expect(faultsOf(JSON.parse(JSON.stringify(EXAMPLE_RUN)))).toEqual([]);
  });

  test('takes what a search has reached, what a rule needs, and a rate', () => {
    const row = { what: 'chains', before: 3, now: 5, newestRequestsAgo: 12 } as const;
    const run: RunJson = {
      ...EXAMPLE_RUN,
      target: { ...EXAMPLE_RUN.target, maxRate: 2.5 },
      rules: [ruleRow({ verdict: 'not-reached', reason: 'none', needs: '--docs-url' })],
      outcome: 'undecided',
      search: { requests: 900, reached: [row] },
    };
    expect(faultsOf(run)).toEqual([]);
    const wrong = { ...run, search: { requests: 900, reached: [{ ...row, what: '' }] } };
    expect(faultsOf(wrong)).not.toEqual([]);
  });

  test('takes waivers with all that belongs to them', () => {
    const waiver = { rule: 'zap.a', reason: 'known', owner: 'me', expires: '2026-02-01' };
    expect(faultsOf({ ...EXAMPLE_RUN, waivers: [waiver] })).toEqual([]);
    for (const wrong of [{ ...waiver, expires: 'soon' }, { ...waiver, more: 1 }, { rule: 'zap.a' }])
      expect(faultsOf({ ...EXAMPLE_RUN, waivers: [wrong] })).not.toEqual([]);
  });

  test('takes what load came to, and nothing more in it', () => {
    const load = {
      ...EXAMPLE_LOAD,
      breakpoint: { step: 1, thresholds: ['p99<300ms'] },
      part: { index: 1, of: 2, plan: 'ab' },
      rounds: [{ target: EXAMPLE_LOAD.whole.latency, control: EXAMPLE_LOAD.whole.latency }],
      ...{ countedRounds: 1, leftOutRounds: [{ round: 2, invalid: ['It was late.'] }] },
    };
    const run: RunJson = { ...EXAMPLE_RUN, load };
    expect(faultsOf(run)).toEqual([]);
    const [step] = EXAMPLE_LOAD.steps;
    for (const wrong of [
      { ...load, more: 1 },
      { ...load, leftOutRounds: [{ round: 0, invalid: ['It was late.'] }] },
      { ...load, leftOutRounds: [{ round: 2, invalid: [] }] },
      { ...load, countedRounds: 0 },
      { ...load, steps: [{ ...step, more: 1 }] },
      { ...load, whole: { ...load.whole, latency: { ...load.whole.latency, p99Ms: 'slow' } } },
      { ...load, violations: [{ rule: 'zap.a', count: 0 }] },
      { ...load, generator: { ...load.generator, eventLoopUtilization: 1.2 } },
      { ...load, engine: { name: 'ab', version: '1' } },
    ]) {
      expect(faultsOf({ ...EXAMPLE_RUN, load: wrong })).not.toEqual([]);
    }
  });

  test('takes what became of a replay and of earlier counterexamples', () => {
    const run: RunJson = {
      ...EXAMPLE_RUN,
      command: 'npx assay check --zap-url http://a.test',
      replay: 'zap.a@requests:abc',
      replayed: {
        then: { pointer: '/a', expected: 'b', actual: 'c' },
        verdict: 'not-shown',
      },
      regressions: [
        { name: 'zap.a.1', rule: 'zap.a', verdict: 'shown' },
        { name: 'zap.a.2', rule: 'zap.a', verdict: 'not-sent', reason: 'no API' },
      ],
    };
    expect(faultsOf(run)).toEqual([]);
    expect(faultsOf({ ...run, replayed: { verdict: 'gone' } })).not.toEqual([]);
    expect(faultsOf({ ...run, regressions: [{ name: 'a', rule: 'b' }] })).not.toEqual([]);
  });

  test('takes builds that nodes have executed', () => {
    const change = {
      ...{ who: 'recipient', holder: '0xb', token: '0xe', promised: 'at least +1', changed: '0' },
      isKept: false,
    } as const;
    const row = { api: 'zap', chainId: 1, node: 'user', result: 'succeeded', exchanges: ['x1'] };
    const run = { ...EXAMPLE_RUN, counts: { ...EXAMPLE_RUN.counts, nodes: 3 } };
    expect(faultsOf({ ...run, simulations: [{ ...row, changes: [change] }] })).toEqual([]);
    for (const wrong of [{ ...row, changes: [{}] }, { ...row, node: 'me', changes: [] }, row]) {
      expect(faultsOf({ ...run, simulations: [wrong] })).not.toEqual([]);
    }
  });

  test('takes what became of a run since its baseline', () => {
    const run: RunJson = { ...EXAMPLE_RUN, baseline: EXAMPLE_COMPARISON };
    expect(faultsOf(run)).toEqual([]);
    const { base, findings } = EXAMPLE_COMPARISON;
    const beside = { zap: 'http://127.0.0.1:2' };
    const besides = { ...EXAMPLE_COMPARISON, base: { ...base, beside } };
    expect(faultsOf({ ...EXAMPLE_RUN, baseline: besides })).toEqual([]);
    for (const wrong of [
      { ...EXAMPLE_COMPARISON, base: { ...base, beside: { 'no name': 'http://127.0.0.1:2' } } },
      { ...EXAMPLE_COMPARISON, verdict: 'better' },
      { ...EXAMPLE_COMPARISON, findings: { ...findings, fresh: { rows: [] } } },
      { ...EXAMPLE_COMPARISON, extra: 1 },
    ]) {
      expect(faultsOf({ ...EXAMPLE_RUN, baseline: wrong })).not.toEqual([]);
    }
  });

  test('takes an empty run', () => {
    const empty: RunJson = {
      ...EXAMPLE_RUN,
      ...{ outcome: 'undecided', rules: [], ledger: [], limits: [], notices: [] },
      target: { kind: 'reference', urls: {}, credentials: [] },
    };
    expect(faultsOf(empty)).toEqual([]);
  });

  test.each(Object.keys(EXAMPLE_RUN))('asks for %s', (key) => {
    const run = Object.fromEntries(Object.entries(EXAMPLE_RUN).filter(([name]) => name !== key));
    expect(faultsOf(run)).toContain(` must have required property '${key}'`);
  });

  test.each<[string, object, string]>([
    ['another version', { schemaVersion: 2 }, '/schemaVersion'],
    ['another member', { extra: 1 }, ' must NOT have additional'],
    ['a local time', { startedAt: '2026-01-02 03:04' }, '/startedAt'],
    ['another outcome', { outcome: 'pass' }, '/outcome'],
    [
      'what names no API',
      { target: { ...EXAMPLE_RUN.target, urls: { 'no name': 'http://a.test' } } },
      '/target/urls',
    ],
    [
      'no list of APIs',
      { target: { ...EXAMPLE_RUN.target, apis: ['zap', 'no name'] } },
      '/target/apis/1',
    ],
    [
      'a service without a name',
      { target: { ...EXAMPLE_RUN.target, service: '' } },
      '/target/service',
    ],
    ['a secret beside the target', { target: { ...EXAMPLE_RUN.target, apiKey: 'k' } }, '/target'],
    ['a negative count', { counts: { ...EXAMPLE_RUN.counts, failed: -1 } }, '/counts/failed'],
    ['a short digest', { contract: { sha256: 'ab' } }, '/contract/sha256'],
    ['a failure that conforms', { outcome: 'conforms' }, '/rules must NOT be valid'],
  ])('refuses %s', (_, changes, fault) => {
    const faults = faultsOf({ ...EXAMPLE_RUN, ...changes });
    expect(faults.filter((text) => text.startsWith(fault))).not.toEqual([]);
  });

  test.each<[string, object, string]>([
    ['another verdict', { verdict: 'ok' }, '/rules/0/verdict'],
    ['an id that is no words', { id: 'Rule 1' }, '/rules/0/id'],
    ['a failure without findings', { verdict: 'fail' }, '/rules/0/findings'],
    ['a pass with findings', { findings: [finding] }, '/rules/0/findings'],
    [
      'a failed should',
      { verdict: 'fail', level: 'should', findings: [finding] },
      '/rules/0/level',
    ],
    ['not-reached without a reason', { verdict: 'not-reached' }, '/rules/0 must have required'],
    [
      'a finding without evidence',
      { verdict: 'fail', findings: [{ ...finding, exchanges: [] }] },
      '/rules/0/findings/0/exchanges',
    ],
    [
      'no pointer',
      { verdict: 'fail', findings: [{ ...finding, pointer: 'a' }] },
      '/rules/0/findings/0/pointer',
    ],
  ])('refuses a rule with %s', (_, changes, fault) => {
    const faults = faultsOf({ ...EXAMPLE_RUN, rules: [{ ...ruleRow(), ...changes }] });
    expect(faults.filter((text) => text.startsWith(fault))).not.toEqual([]);
  });
});
