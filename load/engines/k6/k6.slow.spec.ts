/** Long because all promises of the engine are tried in one setting. */

import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PreparedRequest } from '../../engine.ts';
import { argumentsOf, K6Failed, k6Engine, scriptFile, type K6EngineOptions } from './k6.ts';
import { planForK6 } from './k6-plan.ts';
import { runK6 } from './k6-process.ts';
import { K6PointReader, type K6Point } from './k6-samples.ts';
import { bodyIn, jobOf, k6ForTests, scenarioOf, senderTo } from './k6.testkit.ts';

const binary = await k6ForTests();
const KEY = 'sk-very-secret-4711';

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Answers over loopback as the test says. */
class Service {
  answer: Answer = (_, response) => response.end('{}');
  readonly seen: { url: string; headers: IncomingMessage['headers']; atMs: number }[] = [];
  readonly #server: Server = createServer((request, response) => {
    this.seen.push({ url: request.url ?? '', headers: request.headers, atMs: performance.now() });
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      response.setHeader('content-type', 'application/json');
      this.answer(request, response, body);
    });
  });

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const pools = (limit: number): PreparedRequest => ({
  operation: 'zap.pools',
  request: {
    api: 'zap',
    method: 'GET',
    path: `/v1/pools?limit=${limit}`,
    purpose: { kind: 'valid' },
  },
});
const build: PreparedRequest = {
  operation: 'trade.build-tx',
  request: {
    api: 'trade',
    method: 'POST',
    path: '/v1/buildTx',
    json: { data: [{ amount: '1' }] },
    headers: [['Idempotency-Key', '0f8fad5b-d9cb-469f-a165-70867728950e']],
    credential: { secret: 'ASSAY_TRADE_KEY' },
    purpose: { kind: 'probe', about: 'load' },
  },
};
// Go sends again what it takes for idempotent, when a connection that was used before is closed.
const quote: PreparedRequest = {
  operation: 'zap.quote',
  request: {
    api: 'zap',
    method: 'POST',
    path: '/v1/quote',
    json: {},
    purpose: { kind: 'probe', about: 'load' },
  },
};
const steady = scenarioOf([{ name: 'hold', seconds: 2, fromPerSecond: 20, toPerSecond: 20 }]);

describe.skipIf(binary === undefined)('a real k6', () => {
  const service = new Service();
  const engine = (own: Partial<K6EngineOptions> = {}): ReturnType<typeof k6Engine> => {
    if (binary === undefined) throw new Error('there is no k6');
    const sender = senderTo(service.url, { ASSAY_TRADE_KEY: KEY });
    return k6Engine({ binary, sender, env: process.env, ...own });
  };
  beforeAll(() => service.listen());
  afterEach(() => {
    service.seen.length = 0;
    service.answer = (_, response) => response.end('{}');
  });
  afterAll(() => {
    service.close();
  });

  test('sends each slot once, when it is due, over ramps and steps', async () => {
    const scenario = scenarioOf([
      { name: 'ramp', seconds: 2, fromPerSecond: 0, toPerSecond: 30 },
      { name: 'short', seconds: 0.5, fromPerSecond: 10, toPerSecond: 10 },
      { name: 'hold', seconds: 2, fromPerSecond: 12.5, toPerSecond: 12.5 },
    ]);
    const { job, heard } = jobOf(scenario, [pools(5), pools(7)]);
    const facts = await engine().run(job);
    expect(facts.problems).toBeUndefined();
    expect(facts.dropped).toBe(0);
    const slots = heard.samples.map(({ slot }) => slot).sort((a, b) => a - b);
    expect(slots).toEqual(Array.from({ length: job.schedule.slots }, (_, slot) => slot));
    expect(job.schedule.slots).toBe(30 + 5 + 25);
    for (const sample of heard.samples) {
      const { slot, step, dueMs, calledMs, endMs, fate, status } = sample;
      expect(step).toBe(job.schedule.stepOf(slot));
      expect(dueMs).toBe(job.schedule.dueMs(slot));
      expect(calledMs).toBeGreaterThanOrEqual(dueMs);
      expect(sample.wireMs).toBeGreaterThanOrEqual(calledMs);
      expect(endMs).toBeGreaterThanOrEqual(sample.wireMs ?? Infinity);
      expect([fate, status]).toEqual(['served', 200]);
    }
    // Half a second at most on a machine that has much else to do; a wrong schedule is off by more.
    const lags = heard.samples.map(({ dueMs, calledMs }) => calledMs - dueMs).sort((a, b) => a - b);
    expect(lags[Math.floor(lags.length / 2)]).toBeLessThan(500);
    const sent = service.seen.map(({ url }) => url);
    expect(sent.filter((url) => url === '/v1/pools?limit=5')).toHaveLength(30);
    expect(facts.cpuSeconds).toBeGreaterThan(0);
  });

  test('distinguishes served, errors, throttled and failed', async () => {
    const typed = { status: 1, message: 'm', requestId: 'r' };
    let count = 0;
    service.answer = (request, response) => {
      count += 1;
      const kind = count % 5;
      if (kind === 0) response.end('{}');
      if (kind === 1) response.writeHead(429).end('{}');
      // Throttling that only the body shows.
      if (kind === 2) {
        response.writeHead(503).end(JSON.stringify({ ...typed, code: 'RATE_LIMITED' }));
      }
      if (kind === 3) response.writeHead(500).end(JSON.stringify({ ...typed, code: 'OTHER' }));
      if (kind === 4) request.socket.destroy();
    };
    const { job, heard } = jobOf(steady, [quote]);
    await engine().run(job);
    const kinds = (fate: string): number[] =>
      heard.samples.filter((sample) => sample.fate === fate).map(({ status }) => status);
    expect(heard.samples).toHaveLength(40);
    expect(kinds('served')).toEqual(Array(8).fill(200));
    expect(kinds('throttled').sort()).toEqual([
      ...Array<number>(8).fill(429),
      ...Array<number>(8).fill(503),
    ]);
    expect(kinds('serverError')).toEqual(Array(8).fill(500));
    expect(kinds('reset')).toEqual(Array(8).fill(0));
    expect(heard.judged).toHaveLength(32);
  });

  test('judges every answer by the card, and hands out exchanges that break it', async () => {
    service.answer = (request, response) => {
      const isFaulty = request.url === '/v1/pools?limit=2';
      const list = Array.from({ length: isFaulty ? 3 : 2 }, () => ({}));
      response.end(JSON.stringify({ status: 'success', data: { pools: list } }));
    };
    const { job, heard } = jobOf(steady, [pools(2), pools(5), pools(6), pools(7)]);
    const facts = await engine().run(job);
    expect(facts.problems).toBeUndefined();
    expect(heard.judged).toEqual(Array(40).fill({ step: 0, extent: 'card' }));
    expect(heard.violations).toHaveLength(10);
    expect(new Set(heard.violations.map(({ rule }) => rule))).toEqual(
      new Set(['zap.pools.within-limit']),
    );
    const shown = heard.violations.flatMap(({ exchange }) => exchange ?? []);
    expect(shown.length).toBeGreaterThan(0);
    for (const { request } of shown) expect(request.path).toBe('/v1/pools?limit=2');
    expect(bodyIn(shown[0] ?? expect.fail())).toContain('"pools":[{},{},{}]');
    const other = jobOf(steady, [pools(2)]);
    await engine({ rules: ['zap.pools.maximum-limit'] }).run(other.job);
    expect(other.heard.judged).toHaveLength(40);
    expect(other.heard.violations).toEqual([]);
  });

  test('judges a share by all rules', async () => {
    service.answer = (_, response) => response.end('{"status":"success","data":{}}');
    const { job, heard } = jobOf(steady, [pools(5)]);
    const facts = await engine({ judgeShare: 0.5 }).run(job);
    expect(facts.problems).toBeUndefined();
    const whole = heard.judged.filter(({ extent }) => extent === 'all').length;
    expect(whole).toBeGreaterThan(15);
    expect(whole).toBeLessThan(25);
    const broken = heard.violations.filter(({ rule }) => rule === 'zap.pools.response-shape');
    expect(broken).toHaveLength(whole);
  });

  test('sends keys that stand in no file and no output', async () => {
    // A service that says the key back, in an answer that breaks a rule.
    service.answer = (request, response) => {
      response.writeHead(400).end(JSON.stringify({ said: request.headers.authorization }));
    };
    const { job, heard } = jobOf(steady, [build]);
    await engine().run(job);
    expect(new Set(service.seen.map(({ headers }) => headers.authorization))).toEqual(
      new Set([`Bearer ${KEY}`]),
    );
    const text = JSON.stringify(heard);
    expect(heard.violations.some(({ exchange }) => exchange !== undefined)).toBe(true);
    expect(text).toContain('$ASSAY_TRADE_KEY');
    expect(text).not.toContain(KEY);
    // Each slot has an Idempotency-Key of its own, in the form of the one that was prepared.
    const keys = service.seen.map(({ headers }) => String(headers['idempotency-key']));
    expect(new Set(keys).size).toBe(40);
    for (const key of keys) {
      expect(key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    }
  });

  test('counts what it dropped, with too few VUs', async () => {
    service.answer = (_, response) => setTimeout(() => response.end('{}'), 400);
    const { job, heard } = jobOf(steady, [pools(5)], { connections: 2 });
    const facts = await engine().run(job);
    expect(facts.dropped).toBeGreaterThan(10);
    expect(facts.dropped + heard.samples.length).toBe(40);
  });

  test('ends early when asked, with what was measured', async () => {
    const ending = new AbortController();
    const long = scenarioOf([{ name: 'hold', seconds: 60, fromPerSecond: 20, toPerSecond: 20 }]);
    const { job, heard } = jobOf(long, [pools(5)], { signal: ending.signal });
    service.answer = (_, response) => {
      if (service.seen.length === 20) ending.abort();
      response.end('{}');
    };
    const facts = await engine().run(job);
    expect(heard.samples.length).toBeGreaterThanOrEqual(19);
    expect(heard.samples.length).toBeLessThan(600);
    expect(facts.dropped).toBe(0);
    expect(facts.problems).toBeUndefined();
  });

  /** Runs the script by itself: what it writes is what a cluster's log would have. */
  const runScript = async (
    request: PreparedRequest,
    changed: Readonly<Record<string, string>> = {},
  ): Promise<{ code: number | null; said: string; points: K6Point[] }> => {
    const folder = mkdtempSync(path.join(tmpdir(), 'assay-test-'));
    const { job } = jobOf(steady, [request]);
    const sender = senderTo(service.url, { ASSAY_TRADE_KEY: KEY });
    const vus = { ready: [5], most: 5 };
    const { files, secrets } = planForK6(job, { sender, judgeShare: 0, vus });
    copyFileSync(scriptFile(0), path.join(folder, 'script.js'));
    const all = { ...files, 'config.json': '{}', ...changed };
    for (const [name, text] of Object.entries(all)) writeFileSync(path.join(folder, name), text);
    const points: K6Point[] = [];
    const reader = new K6PointReader((point) => points.push(point));
    const chunks: Buffer[] = [];
    const { code, said } = await runK6({
      file: binary?.file ?? '',
      args: argumentsOf({}),
      env: { TZ: 'UTC', ...secrets },
      cwd: folder,
      signal: job.signal,
      mostMs: 30_000,
      onOutput: (chunk) => {
        chunks.push(chunk);
        reader.push(chunk);
      },
    });
    rmSync(folder, { recursive: true });
    return { code, said: said + Buffer.concat(chunks).toString(), points };
  };

  test('says so when its script throws', async () => {
    // There is nothing to send for any slot.
    const { code, points } = await runScript(pools(5), { 'requests.json': '[]' });
    // Left alone, k6 ends with 0.
    expect(code).toBe(110);
    const crashes = points.filter(({ metric }) => metric === 'assay_crashes');
    expect(crashes).toHaveLength(40);
    expect(crashes[0]?.tags.why).toContain('there is no request for slot');
  });

  test('writes no key that a service says back', async () => {
    service.answer = (request, response) => {
      response.writeHead(400).end(JSON.stringify({ said: request.headers.authorization }));
    };
    const { code, said, points } = await runScript(build);
    expect(code).toBe(0);
    const exchanges = points.filter(({ metadata }) => metadata.exchange !== undefined);
    expect(exchanges.length).toBeGreaterThan(0);
    expect(exchanges[0]?.metadata.exchange).toContain('$ASSAY_TRADE_KEY');
    expect(said).not.toContain(KEY);
  });

  test('refuses what is no plan with what k6 said', async () => {
    const { job } = jobOf(steady, [pools(5)], { connections: 1.5 });
    const run = engine().run(job);
    await expect(run).rejects.toThrow(K6Failed);
    await expect(run).rejects.toThrow(/^k6 .*It said: could not .*VUs/);
  });
});
