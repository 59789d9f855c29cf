import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exchangeOf } from '../../../contracts/judging/exchange.testkit.ts';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import { UnfitParts } from '../../merge/part.ts';
import type { GeneratorFacts } from '../../engine.ts';
import type { EngineViolation, Sample } from '../../load-sink.ts';
import { RecordedRun } from './k6-recorded.ts';
import { recordedPlan } from './k6-recorded-plan.ts';
import {
  BEGAN_MS,
  LATENCY_MS,
  podLines,
  pointLine,
  RECORDED_JOB,
  recordedFiles,
  writePod,
} from './k6-recorded.testkit.ts';
import { lacks } from '../../../fixtures/machine-needs.testkit.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-test-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

interface Read {
  readonly facts: GeneratorFacts;
  readonly samples: readonly Sample[];
  readonly violations: readonly EngineViolation[];
  readonly run: RecordedRun;
}

async function read(
  pods: Readonly<Record<string, readonly string[] | Buffer>>,
  { parts = 2, mostBytes = 1e6, isOver = false } = {},
): Promise<Read> {
  const files = Object.entries(pods).map(([name, lines]) => {
    const file = path.join(folder, name);
    if (Buffer.isBuffer(lines)) writeFileSync(file, lines);
    else writePod(folder, name, lines);
    return { name, path: file };
  });
  const plan = recordedPlan(recordedFiles());
  const redactor = createRedactor({});
  const run = new RecordedRun({ plan, parts, files, redactor, mostBytes });
  const samples: Sample[] = [];
  const violations: EngineViolation[] = [];
  const facts = await run.run({
    ...plan.job,
    signal: isOver ? AbortSignal.abort() : new AbortController().signal,
    sink: {
      sample: (sample) => samples.push(sample),
      violated: (violation) => violations.push(violation),
    },
  });
  return { facts, samples, violations, run };
}

const both = { 'a.json.gz': podLines(1, 2), 'b.json.gz': podLines(2, 2) };

test('a plan that was handed out is the job that was asked for', () => {
  const { job, judgeShare, rules } = recordedPlan(recordedFiles());
  expect(job.scenario).toEqual(RECORDED_JOB.scenario);
  expect([judgeShare, ...rules]).toEqual([0.5, 'zap.pools.within-limit']);
  expect(job.schedule.slots).toBe(41);
  for (let slot = 0; slot < 41; slot += 1) {
    expect(job.choose(slot)).toEqual(RECORDED_JOB.choose(slot));
    expect(job.schedule.dueMs(slot)).toBe(RECORDED_JOB.schedule.dueMs(slot));
  }
});

test.each([
  ['no JSON', { 'plan.json': '{' }, /plan\.json/],
  ['requests of no API', { 'requests.json': '[{"operation":"a"}]' }, /requests\.json\/0/],
  ['choices of fewer slots', { 'choices.json': '["000"]' }, /no request for slot 40/],
  [
    'choices of other requests',
    { 'choices.json': JSON.stringify(['zzz'.repeat(41)]) },
    /no request/,
  ],
])('a plan of %s is none', (_, changes, message) => {
  expect(() => recordedPlan({ ...recordedFiles(), ...changes })).toThrow(message);
});

test('a schedule of ever so many requests is none', () => {
  const files = recordedFiles();
  const large = files['plan.json']
    .replaceAll(/"(from|to)PerSecond":\d+/g, '"$1PerSecond":100000000')
    .replace('"requests":10000', '"requests":900000000');
  expect(() => recordedPlan({ ...files, 'plan.json': large })).toThrow(/no request for slot/);
});

test('all parts make the whole schedule, in the order of time', async () => {
  const { facts, samples, run } = await read({
    ...both,
    'b.json.gz': podLines(2, 2, { aheadMs: 7 }),
  });
  expect(facts).toMatchObject({ fireLagP99Ms: 0, lateRequests: 0, waitedAtCeiling: 0, dropped: 0 });
  expect(samples.map(({ slot }) => slot)).toEqual(Array.from({ length: 41 }, (_, slot) => slot));
  for (const { endMs, dueMs } of samples) expect(endMs - dueMs).toBeCloseTo(LATENCY_MS, 0);
  expect(run.times?.startedAtMs).toBe(BEGAN_MS);
  expect(run.times?.endedAtMs).toBeGreaterThan(BEGAN_MS + 3000);
});

test('requests that were never sent, or of which nobody knows, are reported and refuse nothing', async () => {
  const dropped = pointLine('dropped_iterations', BEGAN_MS + 9, { value: 2 });
  const { facts, samples } = await read({
    ...both,
    'a.json.gz': podLines(1, 2, { without: [4, 6, 8], more: [dropped] }),
  });
  expect(samples).toHaveLength(38);
  expect(facts).toMatchObject({ dropped: 2, unknown: 1 });
  expect(facts.problems).toEqual([
    '1 requests of the schedule are in no sample of k6, so nobody knows whether they were sent.',
  ]);
});

test('of what was sent after a threshold had ended the run nothing is reported', async () => {
  const more = [pointLine('dropped_iterations', BEGAN_MS + 9, { value: 2 })];
  const a = podLines(1, 2, { without: [4, 6], more });
  const { facts, samples } = await read({ ...both, 'a.json.gz': a }, { isOver: true });
  expect(samples).toEqual([]);
  expect(facts.dropped).toBe(0);
});

test('exchanges that were handed out are taken, and nothing else that is called so', async () => {
  const exchange = JSON.stringify(exchangeOf({ id: 'k1', path: '/v1/pools' }));
  const more = [exchange, '{"outcome":{}}', '{'].map((text, at) =>
    pointLine('violations', BEGAN_MS + at, {
      tags: { rule: 'zap.pools.within-limit', scenario: 'step0' },
      metadata: { slot: String(at), exchange: text },
    }),
  );
  const other = pointLine('violations', BEGAN_MS, {
    tags: { rule: 'made.up', scenario: 'step0' },
    metadata: { slot: '3' },
  });
  const { violations, facts } = await read({
    ...both,
    'a.json.gz': [...more, other, ...podLines(1, 2)],
  });
  expect(violations.map((one) => one.exchange?.id)).toEqual(['k1', undefined, undefined]);
  expect(facts.problems).toEqual([
    expect.stringContaining('rules by which the plan does not judge'),
  ]);
});

describe('what is not the samples of all parts, each once, is refused:', () => {
  const whole = gzipSync(podLines(2, 2).join('\n'));
  const cases: [string, Readonly<Record<string, readonly string[] | Buffer>>, RegExp][] = [
    [
      'one is missing',
      { 'a.json.gz': both['a.json.gz'] },
      /part 2 of 2 is missing\. Give the samples/,
    ],
    [
      'one is there twice',
      { ...both, 'copy.json.gz': podLines(2, 2) },
      /part 2 is there more than once: b\.json\.gz, copy\.json\.gz\. Give one/,
    ],
    [
      'one ran another plan',
      { ...both, 'b.json.gz': podLines(2, 2, { files: recordedFiles('r2') }) },
      /b\.json\.gz is of a run of another manifest/,
    ],
    [
      'one does not say which plan it ran',
      { ...both, 'b.json.gz': podLines(2, 2).slice(1) },
      /b\.json\.gz does not say which plan/,
    ],
    [
      'one was divided among more',
      { ...both, 'b.json.gz': podLines(2, 3) },
      /b\.json\.gz holds requests of the parts \d and \d/,
    ],
    [
      'a request is there twice',
      { ...both, 'a.json.gz': podLines(1, 2, { more: podLines(1, 2).slice(-1) }) },
      /a\.json\.gz holds the same request more than once/,
    ],
    ['one is empty', { ...both, 'b.json.gz': [] }, /b\.json\.gz holds no request/],
    [
      'one ends in the middle',
      { ...both, 'b.json.gz': whole.subarray(0, whole.length - 20) },
      /b\.json\.gz ends in the middle: copy it again/,
    ],
    ['one is no gzip', { ...both, 'b.json.gz': Buffer.from('{}') }, /b\.json\.gz is no gzip file/],
    [
      'one ran later',
      { ...both, 'b.json.gz': podLines(2, 2, { aheadMs: 6000 }) },
      /b\.json\.gz began 6 s after a\.json\.gz/,
    ],
    [
      'one holds impossible times',
      {
        ...both,
        'b.json.gz': podLines(2, 2).map((line) => line.replace(/"begin":"\d+"/, '"begin":"1e300"')),
      },
      /b\.json\.gz holds times that no run has/,
    ],
    [
      'one unpacks to more than a run writes',
      { ...both, 'b.json.gz': gzipSync(Buffer.alloc(3e6)) },
      /more than 1000000 bytes, with 64 for each line \(at b\.json\.gz\)/,
    ],
    [
      'one unpacks to more empty lines than a run writes',
      { ...both, 'b.json.gz': gzipSync('\n'.repeat(20_000)) },
      /more than 1000000 bytes, with 64 for each line \(at b\.json\.gz\)/,
    ],
  ];

  test.each(cases)('%s', async (_, pods, message) => {
    const reading = read(pods);
    await expect(reading).rejects.toThrow(UnfitParts);
    await expect(reading).rejects.toThrow(message);
    await expect(reading).rejects.toThrow(/^these samples cannot be merged/);
  });

  test.skipIf(lacks('mkfifo'))('one is a pipe, which nobody may wait for', async () => {
    const pipe = path.join(folder, 'b.json.gz');
    const file = writePod(folder, 'a.json.gz', podLines(1, 2));
    expect(readFileSync(file).length).toBeGreaterThan(0);
    execFileSync('mkfifo', [pipe]);
    const plan = recordedPlan(recordedFiles());
    const run = new RecordedRun({
      ...{ plan, parts: 2, redactor: createRedactor({}) },
      files: [file, pipe].map((one) => ({ name: path.basename(one), path: one })),
    });
    const sink = { sample: () => undefined };
    await expect(
      run.run({ ...plan.job, sink, signal: new AbortController().signal }),
    ).rejects.toThrow(/b\.json\.gz cannot be read: it is a named pipe/);
  });
});
