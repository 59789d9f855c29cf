import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { describe, expect, test } from 'vitest';
import { faultsOf } from './k6-crd.testkit.ts';
import type { PreparedRequest } from '../../engine.ts';
import { scriptFile } from './k6.ts';
import { jobOf, scenarioOf, senderTo } from './k6.testkit.ts';
import {
  type ClusterRun,
  clusterObjects,
  manifestFor,
  type ManifestOptions,
  MAX_CONFIG_BYTES,
} from './k6-manifest.ts';
import { UnfitPlan } from './k6-plan.ts';

type Json = Readonly<Record<string, unknown>>;

const run: ClusterRun = {
  name: 'nightly',
  parts: 4,
  files: { 'script.js': 'export default 1', 'plan.json': '{}' },
  needed: [],
  memoryMebibytes: 1024,
};
const objectsOf = (changes: Partial<ClusterRun> = {}): ReturnType<typeof clusterObjects> =>
  clusterObjects({ ...run, ...changes });

describe('the objects of a run in a cluster', () => {
  test.each([
    ['plain', {}],
    [
      'with all that may be there',
      {
        namespace: 'load',
        needed: ['ASSAY_TRADE_KEY'],
        secret: 'assay-keys',
        resultsClaim: 'results',
        outputs: ['experimental-prometheus-rw'],
      },
    ],
  ] satisfies [string, Partial<ClusterRun>][])('are what the CRD takes, %s', (_, changes) => {
    const [configMap, testRun] = objectsOf(changes);
    expect(faultsOf(testRun)).toEqual([]);
    expect(configMap).toMatchObject({ kind: 'ConfigMap', data: run.files });
    expect(testRun).toMatchObject({
      spec: {
        parallelism: 4,
        script: { configMap: { name: 'nightly', file: 'script.js' } },
        runner: { image: 'grafana/k6:1.8.1' },
        initializer: { image: 'grafana/k6:1.8.1' },
      },
    });
  });

  test('are held against a schema that sees fields it does not know', () => {
    const [, testRun] = objectsOf();
    expect(faultsOf({ ...testRun, spec: { ...(testRun.spec as Json), parallel: 4 } })).toHaveLength(
      1,
    );
    expect(faultsOf({ ...testRun, spec: { parallelism: '4' } }).length).toBeGreaterThan(1);
    const runner = { env: [{ name: 'A', secretKeyRef: { name: 'x', key: 'y' } }] };
    expect(faultsOf({ ...testRun, spec: { ...(testRun.spec as Json), runner } })).toHaveLength(1);
  });

  test('write samples to the volume, each part to a file of its own, or to the log', () => {
    const spec = (changes: Partial<ClusterRun>): Json => objectsOf(changes)[1].spec as Json;
    expect(spec({}).arguments).toMatch(/--out=json=-$/);
    expect(spec({}).cleanup).toBeUndefined();
    const kept = spec({ resultsClaim: 'results' });
    expect(kept.arguments).toContain('--out=json=/results/$(ASSAY_POD).json.gz');
    expect(JSON.stringify(kept.runner)).toContain('"claimName":"results"');
    expect(JSON.stringify(kept.runner)).toContain('"fieldPath":"metadata.name"');
    // It is the operator that sets the address, by which it starts all parts at once.
    expect(kept.arguments).not.toContain('--address');
    expect(kept.arguments).toContain('--no-usage-report');
  });

  test.each([
    ['a name that no object may have', { name: 'Nightly run' }, /no name for a TestRun/],
    ['no parts', { parts: 0 }, /from 1 to 1000 parts, not 0/],
    ['keys without a Secret', { needed: ['ASSAY_TRADE_KEY'] }, /ASSAY_TRADE_KEY.*Name the Secret/],
    ['an output of two words', { outputs: ['a b'] }, /several arguments/],
  ])('are not made of %s', (_, changes, message) => {
    expect(() => objectsOf(changes)).toThrow(UnfitPlan);
    expect(() => objectsOf(changes)).toThrow(message);
  });

  test('hold a mebibyte at most, names counted', () => {
    const name = 'script.js';
    const most = MAX_CONFIG_BYTES - name.length;
    // Two bytes each.
    const text = 'é'.repeat(Math.floor(most / 2));
    expect(objectsOf({ files: { [name]: text } })[0].kind).toBe('ConfigMap');
    expect(() => objectsOf({ files: { [name]: `${text}éé` } })).toThrow(
      /a ConfigMap holds 1048576/,
    );
  });
});

describe('a manifest', () => {
  const KEY = 'sk-very-secret-4711';
  const requests: PreparedRequest[] = [
    {
      operation: 'trade.build-tx',
      request: {
        api: 'trade',
        method: 'POST',
        path: '/v1/buildTx',
        json: {},
        credential: { secret: 'ASSAY_TRADE_KEY' },
        purpose: { kind: 'valid' },
      },
    },
  ];
  const scenario = scenarioOf([{ name: 'hold', seconds: 2, fromPerSecond: 20, toPerSecond: 20 }]);
  const made = (changes: Partial<ManifestOptions> = {}): string => {
    const sender = senderTo('http://trade.invalid', { ASSAY_TRADE_KEY: KEY });
    const options = { sender, judgeShare: 0, name: 'nightly', parts: 4, secret: 'assay-keys' };
    return manifestFor(jobOf(scenario, requests).job, { ...options, ...changes }).text;
  };
  test('has script and plan, and of a key its name alone', () => {
    const text = made();
    expect(text).not.toContain(KEY);
    const [configMap, testRun] = parseAllDocuments(text).map((one) => one.toJS() as Json);
    expect(faultsOf(testRun)).toEqual([]);
    const data = configMap?.data as Record<string, string>;
    expect(Object.keys(data)).toEqual(['script.js', 'plan.json', 'requests.json', 'choices.json']);
    expect(data['script.js']).toBe(readFileSync(scriptFile(0), 'utf8'));
    expect(JSON.parse(data['requests.json'] ?? '')).toMatchObject([
      { url: 'http://trade.invalid/v1/buildTx' },
    ]);
    expect(data['requests.json']).toContain('Bearer $ASSAY_TRADE_KEY');
    expect(JSON.stringify(testRun)).toContain(
      '{"name":"ASSAY_TRADE_KEY","valueFrom":{"secretKeyRef":{"name":"assay-keys","key":"ASSAY_TRADE_KEY"}}}',
    );
  });

  test('is not made if a key was made up for the run, or stands in a body', () => {
    const { request } = requests[0] ?? expect.fail();
    const job = (own: Partial<typeof request>): (() => string) => {
      const sender = senderTo('http://trade.invalid', { ASSAY_TRADE_KEY: KEY });
      const changed = [{ operation: 'trade.build-tx', request: { ...request, ...own } }];
      const options = { sender, judgeShare: 0, name: 'nightly', parts: 4, secret: 'assay-keys' };
      return () => manifestFor(jobOf(scenario, changed).job, options).text;
    };
    const bearer = { bearer: 'sk-other-key-0815' };
    expect(job({ credential: bearer })).toThrow(/keys that were made up for this run/);
    const like = { like: 'ASSAY_TRADE_KEY', change: 'extended' } as const;
    expect(job({ credential: like })).toThrow(/keys that were made up for this run/);
    expect(job({ json: { key: KEY } })).toThrow(/carries a secret in its URL or body/);
  });
});
