import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { createRedactor } from '../../fixtures/target/redactor.ts';
import type { Sample } from './engine.ts';
import { planForK6 } from './k6-plan.ts';
import { jobOfPlan, readK6Samples } from './k6-recorded.ts';
import { jobOf, scenarioOf, senderTo } from './k6.testkit.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'assay-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const requests = ['zap.quote', 'zap.pools', 'zap.chains'].map((operation) => ({
  operation,
  request: {
    api: 'zap',
    method: 'GET',
    path: `/${operation}`,
    purpose: { kind: 'valid' },
  } as const,
}));
const scenario = scenarioOf([{ name: 'hold', seconds: 4, fromPerSecond: 10, toPerSecond: 10 }]);
const { job: asked } = jobOf(scenario, requests);
const vus = { ready: 1, most: 1 };
const { files } = planForK6(asked, {
  sender: senderTo('http://zap.invalid'),
  judgeShare: 0.5,
  vus,
});

/** What the second of two parts wrote. */
const BEGIN = Date.parse('2026-11-22T16:29:22Z');
const lines = Array.from({ length: 20 }, (_, at) => {
  const slot = 2 * at + 1;
  const endMs = BEGIN + 100 * slot + 30;
  const data = {
    time: new Date(endMs).toISOString(),
    value: 30,
    tags: { status: '200', name: 'x', scenario: 'step0', instance_id: '2' },
    metadata: { slot: String(slot), called: String(endMs - 30), begin: String(BEGIN) },
  };
  return JSON.stringify({ metric: 'http_req_duration', type: 'Point', data });
});

test('a plan that was handed out is the job that was asked for', () => {
  const job = jobOfPlan(files);
  expect(job.scenario).toEqual(scenario);
  expect(job.judgeShare).toBe(0.5);
  expect(job.schedule.slots).toBe(40);
  for (let slot = 0; slot < 40; slot += 1) {
    expect(job.choose(slot)).toEqual(asked.choose(slot));
    expect(job.schedule.dueMs(slot)).toBe(asked.schedule.dueMs(slot));
  }
});

test.each(['part.json', 'part.json.gz'])('samples are read from %s', async (name) => {
  const text = `${lines.join('\n')}\n`;
  writeFileSync(path.join(folder, name), name.endsWith('.gz') ? gzipSync(text) : text);
  const samples: Sample[] = [];
  const { facts, startedAtMs } = await readK6Samples(path.join(folder, name), {
    job: jobOfPlan(files),
    sink: { sample: (sample) => samples.push(sample) },
    redactor: createRedactor({}),
    segment: { index: 2, of: 2 },
  });
  expect(startedAtMs).toBe(BEGIN);
  expect(facts).toMatchObject({ dropped: 0, cpuSeconds: 0 });
  expect(facts.problems).toBeUndefined();
  expect(samples.map(({ slot }) => slot)).toEqual(
    Array.from({ length: 20 }, (_, at) => 2 * at + 1),
  );
  for (const { endMs, dueMs } of samples) expect(endMs - dueMs).toBeCloseTo(30, 3);
});

test('a file that ends early lacks requests, and says so', async () => {
  const file = path.join(folder, 'short.json');
  writeFileSync(file, lines.slice(0, 15).join('\n'));
  const reading = {
    job: jobOfPlan(files),
    sink: { sample: () => undefined },
    redactor: createRedactor({}),
    segment: { index: 2, of: 2 },
  };
  const { facts } = await readK6Samples(file, reading);
  // The last line has no end.
  expect(facts.dropped).toBe(6);
  expect(facts.problems).toEqual(['6 requests of the schedule are in no sample of k6.']);
  const cut = gzipSync(lines.join('\n')).subarray(0, 60);
  writeFileSync(`${file}.gz`, cut);
  await expect(readK6Samples(`${file}.gz`, reading)).rejects.toThrow(/end of file/);
});
