import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { faultsOf } from '../../load/engines/k6-crd.testkit.ts';
import { segmentArguments } from '../../load/engines/k6.ts';
import { k6ForTests } from '../../load/engines/k6.testkit.ts';
import { assay, scratch, serve, type Served } from './command-line.ts';

type Json = Readonly<Record<string, unknown>>;

const folder = scratch();
const k6 = await k6ForTests();
const KEY = 'sk-very-secret-4711';

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
  const slots = await Promise.all(
    [1, 2].map(async (index) => {
      const samples = join(pod, `${index}.json`);
      const args = ['run', '--no-usage-report', '--address=', '--quiet', '--summary-mode=disabled'];
      await promisify(execFile)(
        k6.file,
        [...args, `--out=json=${samples}`, ...segmentArguments({ index, of: 2 }), 'script.js'],
        {
          cwd: pod,
          env: { PATH: process.env.PATH, HOME: pod, ASSAY_TRADE_KEY: KEY, TZ: 'UTC' },
          timeout: 120_000,
        },
      );
      const lines = readFileSync(samples, 'utf8').split('\n');
      return lines
        .filter((line) => line.startsWith('{"metric":"http_req_duration","type":"Point"'))
        .map((line) => (JSON.parse(line) as { data: Sample }).data);
    }),
  );
  const all = slots.flat();
  const sent = all.map(({ metadata }) => Number(metadata.slot)).sort((a, b) => a - b);
  expect(sent).toEqual(sent.map((_, at) => at));
  expect(sent.length).toBeGreaterThan(150);
  expect(all.filter(({ tags }) => tags.status !== '200')).toEqual([]);
});

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
