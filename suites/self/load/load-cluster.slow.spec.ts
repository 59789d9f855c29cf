import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { parseAllDocuments } from 'yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunJson } from '../../../contracts/run/run.ts';
import { faultsOf } from '../../../load/engines/k6/k6-crd.testkit.ts';
import { segmentArguments } from '../../../load/engines/k6/k6.ts';
import { k6ForTests } from '../../../load/engines/k6/k6.testkit.ts';
import { assay, scratch, serve, type Served } from '../command-line.ts';

type Json = Readonly<Record<string, unknown>>;

const folder = scratch();
const k6 = await k6ForTests();
const KEY = 'sk-very-secret-4711';
/** What k6 ends with then. */
const BROKEN_THRESHOLD = 99;
const DROPPED = '"metric":"dropped_iterations","type":"Point"';

let served: Served;
beforeAll(async () => {
  const none = ['--zap-limit', 'none', '--trade-limit', 'none', '--trade-key-limit', 'none'];
  served = await serve(none, { env: { ASSAY_SERVE_KEYS: KEY } });
});
afterAll(() => {
  served.process.process.kill('SIGTERM');
});

function write(dir: string, flags: readonly string[] = []): ReturnType<typeof assay> {
  const { zap, trade } = served.urls;
  return assay(
    [
      ...['load', '--k8s', dir, '--zap-url', zap, '--trade-url', trade, '--scenario', 'average'],
      ...['--seconds', '5', '--rate', '40', ...flags],
    ],
    { env: { ASSAY_TRADE_KEY: KEY } },
  );
}

test('a manifest for a cluster holds no key, and what it has k6 run is the whole schedule', async () => {
  const dir = folder();
  const { code, said, stdout, stderr } = await write(dir, ['--k8s-secret', 'assay-keys']);
  expect(code, said).toBe(0);
  const file = join(dir, 'testrun.yaml');
  expect(said).toContain(`kubectl apply --server-side -f ${file}`);
  expect(said).toContain(`then assay load --merge ${dir}`);
  expect(readFileSync(join(dir, 'cluster.json'), 'utf8')).not.toContain(KEY);
  const text = readFileSync(file, 'utf8');
  expect(`${text}${stdout}${stderr}`).not.toContain(KEY);
  const [configMap, testRun] = parseAllDocuments(text).map((one) => one.toJS() as Json);
  expect(faultsOf(testRun)).toEqual([]);
  expect(testRun).toMatchObject({ metadata: { name: 'assay-average' }, spec: { parallelism: 2 } });
  expect(JSON.stringify(testRun)).toContain(
    '"secretKeyRef":{"name":"assay-keys","key":"ASSAY_TRADE_KEY"}',
  );
  if (k6 === undefined) return;
  // As the operator lays it out for each part.
  const pod = folder();
  mkdirSync(pod);
  for (const [name, content] of Object.entries(configMap?.data as Record<string, string>)) {
    writeFileSync(join(pod, name), content);
  }
  const ofParts = await Promise.all(
    [1, 2].map(async (index) => {
      const samples = join(dir, podName(index));
      const args = ['run', '--no-usage-report', '--address=', '--quiet', '--summary-mode=disabled'];
      const tags = ['--tag', `instance_id=${index}`, '--tag', `job_name=assay-average-${index}`];
      try {
        await promisify(execFile)(
          k6.file,
          [
            ...[...args, ...tags, `--out=json=${samples}`],
            ...[...segmentArguments({ index, of: 2 }), 'script.js'],
          ],
          {
            cwd: pod,
            env: { PATH: process.env.PATH, HOME: pod, ASSAY_TRADE_KEY: KEY, TZ: 'UTC' },
            timeout: 120_000,
          },
        );
      } catch (error) {
        // A machine with much else to do drops requests, by which k6 breaks a threshold; no other may be.
        if ((error as { readonly code?: unknown }).code !== BROKEN_THRESHOLD) throw error;
        expect(gunzipSync(readFileSync(samples)).includes(DROPPED)).toBe(true);
      }
      const lines = gunzipSync(readFileSync(samples)).toString('utf8').split('\n');
      return lines
        .filter((line) => line.startsWith('{"metric":"http_req_duration","type":"Point"'))
        .map((line) => (JSON.parse(line) as { data: Sample }).data);
    }),
  );
  const all = ofParts.flat();
  const sent = all.map(({ metadata }) => Number(metadata.slot)).sort((a, b) => a - b);
  const slots = slotsIn(configMap?.data as Record<string, string>);
  const dropped = slots - sent.length;
  expect(slots).toBeGreaterThan(150);
  expect(new Set(sent).size).toBe(sent.length);
  expect(sent.at(-1)).toBeLessThan(slots);
  expect(dropped).toBeLessThan(slots / 2);
  expect(all.filter(({ tags }) => tags.status !== '200')).toEqual([]);
  // What comes of it: one record of the whole schedule.
  const record = folder();
  const merge = await assay(
    ['load', '--merge', dir, '--out', record, '--threshold', 'p99<5s', '--label', 'build=7'],
    { env: { ASSAY_TRADE_KEY: KEY } },
  );
  // The figures count if nothing was dropped, and this machine was in time.
  expect(dropped === 0 ? [0, 3] : [1, 3], merge.said).toContain(merge.code);
  const run = JSON.parse(readFileSync(join(record, 'run.json'), 'utf8')) as RunJson;
  expect(JSON.stringify(run)).not.toContain(KEY);
  const { load, labels, notices, complete } = run;
  expect(complete).toBe(true);
  expect(load?.whole.counts).toMatchObject({
    ...{ offered: slots, sent: sent.length, served: sent.length },
    ...{ errors: 0, throttled: 0, failed: 0, byFate: {} },
  });
  expect(load?.steps.reduce((sum, { counts }) => sum + counts.offered, 0)).toBe(slots);
  expect(load?.moments.reduce((sum, { offered }) => sum + offered, 0)).toBe(slots);
  expect(load?.judged).toEqual({
    ...{ answers: sent.length, byAll: 0 },
    ...{ of: sent.length, kept: 0 },
  });
  expect(load?.machine).toBeUndefined();
  expect(load?.generator).toMatchObject({ dropped });
  expect(load?.invalid.some((why) => why.includes('were never sent'))).toBe(dropped > 0);
  expect(load?.generator.cpuSeconds).toBeUndefined();
  expect(load?.engine).toEqual({ name: 'k6', version: '1.8.1' });
  const held = load?.thresholds.map(({ expression, held: isHeld }) => [expression, isHeld]);
  expect(held).toContainEqual(['p99<5s', true]);
  expect(held).toContainEqual(['dropped==0', dropped === 0]);
  expect(labels).toEqual({ build: '7' });
  expect(notices.join()).toContain(
    `${podName(1)}, ${podName(2)}. They say nothing of its machines`,
  );
  const [first = 0, last = 0] = [Math.min, Math.max].map((pick) =>
    pick(...all.map(({ metadata }) => Number(metadata.called))),
  );
  expect(Math.abs(Date.parse(run.startedAt) - first)).toBeLessThan(2000);
  expect(Date.parse(run.endedAt)).toBeGreaterThanOrEqual(last);
  const again = await assay(['judge', record]);
  expect(again.code, again.said).not.toBe(4);
  // And without one of its parts, none.
  rmSync(join(dir, podName(2)));
  const torn = await assay(['load', '--merge', dir, '--out', folder()]);
  expect(torn.code, torn.said).toBe(2);
  expect(torn.said).toContain('part 2 of 2 is missing. Give the samples of all of them.');
});

/** Requests of the whole schedule: each is chosen by three digits. */
function slotsIn(data: Readonly<Record<string, string>>): number {
  const chunks = JSON.parse(data['choices.json'] ?? '[]') as readonly string[];
  return chunks.join('').length / 3;
}

/** As the operator names them. */
function podName(index: number): string {
  return `assay-average-${index}-x7k2p.json.gz`;
}

interface Sample {
  readonly tags: Readonly<Record<string, string>>;
  readonly metadata: Readonly<Record<string, string>>;
}

test('what does not fit is refused, and says what to do', async () => {
  const dir = folder();
  const none = await write(dir);
  expect(none.code, none.said).toBe(2);
  expect(none.said).toContain('ASSAY_TRADE_KEY');
  expect(none.said).toContain('--k8s-secret');
  const large = await write(dir, [
    ...['--k8s-secret', 'assay-keys', '--scenario', 'soak', '--seconds', '3600', '--rate', '80'],
  ]);
  expect(large.code, large.said).toBe(2);
  expect(large.said).toContain('a ConfigMap holds 1048576');
  expect(large.said).toContain('--seconds');
  expect(existsSync(dir)).toBe(false);
});
