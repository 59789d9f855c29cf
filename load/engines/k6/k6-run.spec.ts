/** Long because each kind of point that k6 writes is read in one setting. */

import { expect, test } from 'vitest';
import { exchangeOf } from '../../../contracts/judging/exchange.testkit.ts';
import { parseThreshold } from '../../../contracts/run/load/threshold.ts';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import { countsErrors, k6Thresholds } from './k6-options.ts';
import { K6Run } from './k6-run.ts';
import type { K6Point } from './k6-samples.ts';
import { jobOf, scenarioOf } from './k6.testkit.ts';

const BEGIN = 1_795_364_962_873;
const steps = [
  { name: 'one', seconds: 2, fromPerSecond: 10, toPerSecond: 10 },
  { name: 'two', seconds: 2, fromPerSecond: 20, toPerSecond: 20 },
];
const request = {
  operation: 'zap.pools',
  request: { api: 'zap', method: 'GET', path: '/v1/pools', purpose: { kind: 'valid' } },
} as const;

/** A run of 60 slots, ten and then twenty a second. */
function begun(judgeShare = 0): ReturnType<typeof jobOf> & { readonly run: K6Run } {
  const made = jobOf(scenarioOf(steps), [request]);
  const redactor = createRedactor({ ASSAY_TRADE_KEY: 'sk-very-secret-4711' });
  return { ...made, run: new K6Run(made.job, { redactor, judgeShare, slots: 60 }) };
}

/** What k6 writes of a request that was answered so many ms after the run began. */
function answered(slot: number, endMs: number, status = '200', tookMs = 5): K6Point {
  const step = slot < 20 ? 0 : 1;
  return {
    metric: 'http_req_duration',
    timeMs: BEGIN + endMs,
    value: tookMs,
    tags: { status, name: 'zap.pools', scenario: `step${step}` },
    metadata: {
      slot: String(slot),
      called: String(Math.floor(BEGIN + endMs - tookMs - 1)),
      // k6 started the second step late.
      begin: String(BEGIN + step * 2000 + (step === 1 ? 3 : 0)),
    },
  };
}

test('latency counts from when a request was due, whenever k6 began its step', () => {
  const { run, heard } = begun();
  run.add(answered(3, 340));
  run.add(answered(21, 2090));
  expect(heard.samples).toEqual([
    {
      slot: 3,
      step: 0,
      operation: 'zap.pools',
      client: 0,
      dueMs: 300,
      calledMs: 334,
      wireMs: 335,
      endMs: 340,
      fate: 'served',
      status: 200,
    },
    {
      slot: 21,
      step: 1,
      operation: 'zap.pools',
      client: 0,
      dueMs: 2050,
      calledMs: 2084,
      wireMs: 2085,
      endMs: 2090,
      fate: 'served',
      status: 200,
    },
  ]);
  const { fireLagP99Ms } = run.facts(true);
  expect(fireLagP99Ms).toBeGreaterThan(33);
  expect(fireLagP99Ms).toBeLessThan(36);
});

test('an error waits for what its body said; what was never reported is an error', () => {
  const { run, heard } = begun();
  const reported = (slot: number, kind: string): K6Point => ({
    metric: 'error_answers',
    timeMs: BEGIN,
    value: 1,
    tags: { kind },
    metadata: { slot: String(slot) },
  });
  for (const [slot, status] of [
    [1, '503'],
    [2, '500'],
    [3, '400'],
    [4, '429'],
    [5, '302'],
    [6, '0'],
  ] as const) {
    run.add(answered(slot, 1000, status));
  }
  expect(heard.samples.map(({ slot, fate }) => [slot, fate])).toEqual([
    [4, 'throttled'],
    [5, 'clientError'],
    [6, 'unanswered'],
  ]);
  run.add(reported(1, 'throttled'));
  run.add(reported(2, 'error'));
  run.facts(true);
  expect(heard.samples.slice(3).map(({ slot, fate }) => [slot, fate])).toEqual([
    [1, 'throttled'],
    [2, 'serverError'],
    [3, 'clientError'],
  ]);
  expect(heard.judged).toHaveLength(5);
  expect(heard.samples.find(({ slot }) => slot === 6)?.wireMs).toBeUndefined();
});

test('which rules judged an answer is what the script says, and what judging took adds up', () => {
  const { run, heard } = begun(1);
  const judgedBy = (slot: number, judged?: string): void => {
    const point = answered(slot, 1000);
    const own = judged === undefined ? {} : { judged };
    run.add({ ...point, metadata: { ...point.metadata, ...own } });
  };
  judgedBy(1, 'card');
  judgedBy(2, 'all');
  judgedBy(3, 'none');
  judgedBy(4);
  expect(heard.judged.map(({ extent }) => extent)).toEqual(['card', 'all', 'all']);
  expect(run.facts(true).whyLate).toMatch(/added VUs .*: 1 answers came/);
  expect(run.facts(true)).not.toHaveProperty('judgingSeconds');
  const took = { metric: 'assay_judging_ms', timeMs: BEGIN, tags: {}, metadata: {} };
  for (const value of [1, 2]) run.add({ ...took, value });
  expect(run.facts(true).judgingSeconds).toBe(0.003);
});

test('what was dropped is counted apart from what is in no sample, of which nothing is known', () => {
  for (const isCut of [false, true]) {
    const { run } = begun();
    for (let slot = 0; slot < 50; slot += 1) run.add(answered(slot, 3000));
    run.add({ metric: 'dropped_iterations', timeMs: BEGIN, value: 7, tags: {}, metadata: {} });
    const { dropped, unknown, problems } = run.facts(isCut);
    expect(dropped).toBe(7);
    expect(unknown).toBe(isCut ? undefined : 3);
    const why =
      '3 requests of the schedule are in no sample of k6, so nobody knows whether they were sent.';
    expect(problems).toEqual(isCut ? undefined : [why]);
  }
});

test('samples of no slot, and failures of the script, are problems without secrets', () => {
  const { run, heard } = begun();
  run.add({ ...answered(3, 340), metadata: {} });
  run.add(answered(60, 340));
  run.add({
    metric: 'assay_crashes',
    timeMs: BEGIN,
    value: 1,
    tags: { why: 'no sk-very-secret-4711' },
    metadata: {},
  });
  expect(heard.samples).toEqual([]);
  expect(run.facts(true).problems).toEqual([
    'k6 wrote samples that belong to no slot of the schedule.',
    "k6's script failed: no $ASSAY_TRADE_KEY",
  ]);
});

test('an exchange that breaks several rules is handed out once, for all of them, redacted', () => {
  const { run, heard } = begun();
  const violation = (slot: number, rule: string, exchange?: string): void => {
    const metadata = { slot: String(slot), ...(exchange === undefined ? {} : { exchange }) };
    run.add({
      metric: 'violations',
      timeMs: BEGIN,
      value: 1,
      tags: { rule, scenario: 'step1' },
      metadata,
    });
  };
  violation(
    30,
    'zap.a',
    JSON.stringify(exchangeOf({ id: 'k30', answered: { said: 'sk-very-secret-4711' } })),
  );
  violation(30, 'zap.b');
  violation(31, 'zap.a');
  violation(32, 'zap.a', '{"id":"k32"}');
  violation(33, 'zap.a', JSON.stringify(exchangeOf({ id: 'k33', api: 'trade' })));
  expect(
    heard.violations.map(({ rule, step, slot, exchange }) => [rule, step, slot, exchange?.id]),
  ).toEqual([
    ['zap.a', 1, 30, 'k30'],
    ['zap.b', 1, 30, 'k30'],
    ['zap.a', 1, 31, undefined],
    ['zap.a', 1, 32, undefined],
    ['zap.a', 1, 33, undefined],
  ]);
  expect(JSON.stringify(heard.violations)).not.toContain('very-secret');
});

test('the share that all rules judge is reported with each answer', () => {
  const { run, heard } = begun(0.25);
  for (let slot = 0; slot < 60; slot += 1) run.add(answered(slot, 3500));
  const whole = heard.judged.filter(({ extent }) => extent === 'all').length;
  expect(heard.judged).toHaveLength(60);
  expect(Math.abs(whole - 15)).toBeLessThan(3);
});

test('thresholds are written as k6 takes them, as far as it can express them', () => {
  const all = [
    'p99<300ms',
    'p99.9<=1s',
    'zap.quote:p95<200ms',
    'max<2s',
    'errors<0.5%',
    'violations==0',
    'dropped==0',
    'zap.quote:errors<1%',
    'rate>=10/s',
  ].map(parseThreshold);
  expect(k6Thresholds(all)).toEqual({
    http_req_duration: ['p(99)<300', 'p(99.9)<=1000', 'max<2000'],
    'http_req_duration{name:zap.quote}': ['p(95)<200'],
    errors: ['rate<0.005'],
    violations: ['count==0'],
    dropped_iterations: ['count==0'],
  });
  expect(k6Thresholds([parseThreshold('rate>=10/s')])).toBeUndefined();
  // One on a step would be held against the peak as well.
  const ofStep = { ...parseThreshold('errors<1%'), step: 'usual' };
  expect([k6Thresholds([ofStep]), countsErrors([ofStep])]).toEqual([undefined, false]);
  expect([countsErrors(all), countsErrors([parseThreshold('p99<1s')])]).toEqual([true, false]);
});

test('what this machine could not dial is no sample, and never sent', () => {
  const { run, heard } = begun();
  const refused = answered(0, 20, '0');
  const error = 'dial: unknown errno 24 error with msg `too many open files`';
  run.add({ ...refused, tags: { ...refused.tags, error } });
  run.add({
    ...answered(1, 70, '0'),
    tags: { ...answered(1, 70, '0').tags, error: 'dial: connection refused' },
  });
  expect(heard.samples.map(({ slot, fate }) => [slot, fate])).toEqual([[1, 'refused']]);
  const { dropped, problems } = run.facts(true);
  expect(dropped).toBe(1);
  expect(problems).toEqual([
    expect.stringMatching(/One request of the load was not sent: .*EMFILE/),
  ]);
});
