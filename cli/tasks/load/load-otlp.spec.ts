import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { sampleAt, scenarioOf, steady } from '../../../load/samples/sample.testkit.ts';
import { endpointOf, type LoadMetrics, openLoadMetrics } from './load-otlp.ts';

interface Point {
  readonly attributes: readonly { key: string; value: { stringValue: string } }[];
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly scale: number;
  readonly positive: { readonly offset: number; readonly bucketCounts: readonly number[] };
  readonly asInt?: number;
  readonly asDouble?: number;
}

interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly exponentialHistogram?: { readonly dataPoints: readonly Point[] };
  readonly sum?: { readonly dataPoints: readonly Point[] };
}

interface Sent {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: Point['attributes'] };
    readonly scopeMetrics: readonly { readonly metrics: readonly Metric[] }[];
  }[];
}

/** The SDK is loaded by the first test, which takes a busy machine a while. */
const PATIENTLY = { timeout: 10_000 };
vi.setConfig({ testTimeout: 20_000 });

const servers: Server[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A collector that answers with a status and a body, or never; gives its URL and what it got. */
async function collector(
  status: number | undefined,
  answer = '{}',
): Promise<{ url: string; got: { path: string; headers: IncomingHttpHeaders; body: Sent }[] }> {
  const got: { path: string; headers: IncomingHttpHeaders; body: Sent }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      got.push({ path, headers, body: JSON.parse(text) as Sent });
      if (status !== undefined) response.writeHead(status).end(answer);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

function opened(url: string, lines: string[] = []): Promise<LoadMetrics> {
  const scenario = scenarioOf([steady(10, 2, 'hold')]);
  const say = (line: string): void => void lines.push(line);
  return openLoadMetrics({ url, version: '1', run: 'run-1', scenario, say, everyMs: 60_000 });
}

/** Who a collector is to believe that metrics are of. */
function senderIn({ resourceMetrics }: Sent): Record<string, string> {
  const fields = resourceMetrics.flatMap(({ resource }) => resource.attributes);
  return Object.fromEntries(fields.map(({ key, value }) => [key, value.stringValue]));
}

test('a collector gets latencies as exponential histograms, by scenario, step, operation and fate', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', 'x-tenant=team-1');
  const { url, got } = await collector(200);
  const metrics = await opened(url);
  await vi.waitUntil(() => got.length === 1, PATIENTLY);
  metrics.begin(() => 7);
  const served = [10, 20, 40, 80];
  for (const ms of served) metrics.sample(sampleAt(100, { endMs: 100 + ms }));
  metrics.sample(sampleAt(200, { fate: 'serverError', status: 503, endMs: 205 }));
  await vi.waitFor(async () => {
    expect(await metrics.end()).toEqual([]);
    expect(got).toHaveLength(2);
  }, PATIENTLY);
  const [, last] = got;
  expect(last?.path).toBe('/v1/metrics');
  expect(last?.headers['x-tenant']).toBe('team-1');
  const all = last?.body.resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics) ?? [];
  const named = (name: string): Metric | undefined =>
    all.flatMap((one) => one.metrics).find((one) => one.name === name);
  const duration = named('assay.load.request.duration');
  const points = duration?.exponentialHistogram?.dataPoints ?? [];
  expect(duration?.unit).toBe('s');
  const byFate = new Map(
    points.map((point) => {
      const labels = Object.fromEntries(
        point.attributes.map(({ key, value }) => [key, value.stringValue]),
      );
      expect(labels).toMatchObject({ scenario: 'test', step: 'hold', operation: 'zap.quote' });
      return [labels.fate, point];
    }),
  );
  expect([...byFate.keys()].toSorted()).toEqual(['served', 'serverError']);
  const point = byFate.get('served');
  expect(point).toMatchObject({ count: 4, min: 0.01, max: 0.08 });
  expect(point?.sum).toBeCloseTo(0.15, 9);
  // Each latency lies in its bucket: base ** index < value <= base ** (index + 1).
  const base = 2 ** (2 ** -(point?.scale ?? 0));
  const { offset = 0, bucketCounts = [] } = point?.positive ?? {};
  expect(bucketCounts.reduce((sum, count) => sum + count, 0)).toBe(served.length);
  for (const ms of served) {
    const index = Math.ceil(Math.log(ms / 1000) / Math.log(base)) - 1;
    const near = [-1, 0, 1].map((off) => bucketCounts[index + off - offset] ?? 0);
    expect(near.some((count) => count > 0)).toBe(true);
  }
  const offered = named('assay.load.offered')?.sum?.dataPoints[0];
  expect(offered?.asInt ?? offered?.asDouble).toBe(7);
});

test('metrics are those of assay and of one run, unless the environment names another service', async () => {
  const { url, got } = await collector(200);
  await opened(url);
  await vi.waitUntil(() => got.length === 1, PATIENTLY);
  vi.stubEnv('OTEL_SERVICE_NAME', 'nightly');
  await opened(url);
  await vi.waitUntil(() => got.length === 2, PATIENTLY);
  const [first, second] = got.map(({ body }) => senderIn(body));
  expect(first).toMatchObject({
    ...{ 'service.name': 'assay', 'service.version': '1', 'service.instance.id': 'run-1' },
  });
  expect(second).toMatchObject({ 'service.name': 'nightly', 'service.instance.id': 'run-1' });
});

test.each([
  ['fails', 500, 'it answered 500'],
  ['refuses', 401, 'it answered 401'],
  ['redirects', 307, 'it answered 307'],
  ['hangs', undefined, 'no whole answer came in time'],
  [
    'rejects points',
    200,
    'it rejected 3 data points',
    '{"partialSuccess":{"rejectedDataPoints":"3"}}',
  ],
  ['is a web page', 200, 'its answer is none of OTLP', '<html></html>'],
  ['says too much', 200, 'its answer was too long', 'x'.repeat(5_000_000)],
] as const)('a collector that %s is reported, and ends nothing later', async (...row) => {
  const [, status, why, answer] = row;
  const { url, got } = await collector(status, answer);
  const lines: string[] = [];
  const metrics = await opened(url, lines);
  await vi.waitUntil(() => got.length > 0, PATIENTLY);
  if (status !== undefined) await vi.waitUntil(() => lines.length > 0, PATIENTLY);
  metrics.begin(() => 0);
  for (let at = 0; at < 100; at += 1) metrics.sample(sampleAt(at));
  const beganMs = performance.now();
  const [notice] = await metrics.end();
  expect(performance.now() - beganMs).toBeLessThan(400);
  expect(notice).toContain(`confirmed 0 of 1 export of metrics: ${why}.`);
  if (status !== undefined) {
    expect(lines).toEqual([`the collector of --otlp does not confirm metrics: ${why}`]);
  }
});

test('a collector that asks to come back later is reported by what it may have answered', async () => {
  const { url } = await collector(503);
  const lines: string[] = [];
  await opened(url, lines);
  await vi.waitUntil(() => lines.length > 0, PATIENTLY);
  expect(lines[0]).toContain('it answered 429, 502, 503 or 504');
});

test('a collector that warns, and rejects nothing, confirms', async () => {
  const warning = { partialSuccess: { rejectedDataPoints: 0, errorMessage: 'old' } };
  const { url, got } = await collector(200, JSON.stringify(warning));
  const metrics = await opened(url);
  await vi.waitUntil(() => got.length === 1, PATIENTLY);
  await vi.waitFor(async () => {
    expect(await metrics.end()).toEqual([]);
  }, PATIENTLY);
});

test('a collector that is not there is reported by the code of the system', async () => {
  const { url } = await collector(200);
  await new Promise((resolve) => servers.pop()?.close(resolve));
  const lines: string[] = [];
  const metrics = await opened(url, lines);
  await vi.waitUntil(() => lines.length > 0, PATIENTLY);
  expect((await metrics.end())[0]).toContain('confirmed 0 of 1 export of metrics: ECONNREFUSED.');
});

test('a URL without a path gets that of OTLP over HTTP, another one is kept', () => {
  expect(endpointOf('http://127.0.0.1:4318')).toBe('http://127.0.0.1:4318/v1/metrics');
  const prometheus = 'http://127.0.0.1:9090/api/v1/otlp/v1/metrics';
  expect(endpointOf(prometheus)).toBe(prometheus);
});
