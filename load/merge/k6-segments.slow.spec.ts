import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { LoadCounts, LoadRow, RunLoad } from '../../contracts/run/load/load-run.ts';
import { omit } from '../../contracts/wire/json.ts';
import type { PreparedRequest } from '../engine.ts';
import { k6Engine } from '../engines/k6/k6.ts';
import { jobOf, k6ForTests, scenarioOf, senderTo } from '../engines/k6/k6.testkit.ts';
import { LoadAccumulator } from '../samples/load-accumulator.ts';
import { planDigest } from '../engines/plan-digest.ts';
import { partOfJob } from '../engines/part-of-job.ts';
import { partOfSchedule, type Segment } from '../scenarios/segment.ts';
import { mergeLoads } from './merge.ts';

const binary = await k6ForTests();

const scenario = scenarioOf([
  // No multiple of the parts, which are dealt separately in each step.
  { name: 'ramp', seconds: 4, fromPerSecond: 10, toPerSecond: 51 },
  { name: 'hold', seconds: 6, fromPerSecond: 50, toPerSecond: 50 },
]);
const SLOTS = 422;
/** One in ten. */
const THROTTLED = 42;

/** Its answer takes as long as its number says, so that each run sees the same delays. */
function requestNumber(slot: number): PreparedRequest {
  const path = `/v1/pools?limit=5&slot=${slot}`;
  return {
    operation: 'zap.pools',
    request: { api: 'zap', method: 'GET', path, purpose: { kind: 'valid' } },
  };
}
const requests = Array.from({ length: SLOTS }, (_, slot) => requestNumber(slot));

/** Three in a hundred take 600 ms, one in ten is throttled, all others take 50 to 250 ms. */
function delayOf(slot: number): number {
  return slot % 33 === 0 ? 600 : 50 + ((slot * 7919) % 200);
}

/** What was sent and came back; how much of it was late is the machine's. */
function sentOf({ counts }: Pick<LoadRow, 'counts'>): Omit<LoadCounts, 'late'> {
  return omit(counts, 'late');
}

describe.skipIf(binary === undefined)('parts of a k6 run', () => {
  test('merged equal the whole in counts, and all of their own samples in latencies', async () => {
    const server = createServer((request, response) => {
      const slot = Number(/slot=(\d+)/.exec(request.url ?? '')?.[1]);
      setTimeout(() => {
        response.writeHead(slot % 10 === 7 ? 429 : 200, { 'content-type': 'application/json' });
        response.end('{}');
      }, delayOf(slot));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const ofParts = new LoadAccumulator(jobOf(scenario, requests).job);
    const run = async (segment?: Segment): Promise<RunLoad> => {
      if (binary === undefined) throw new Error('there is no k6');
      const { job, heard } = jobOf(scenario, requests, { connections: 100 });
      expect(job.schedule.slots).toBe(SLOTS);
      const sender = senderTo(url);
      const options = segment === undefined ? {} : { segment };
      const engine = k6Engine({ binary, sender, env: process.env, ...options });
      const generator = await engine.run(job);
      expect(generator.problems).toBeUndefined();
      expect(generator.dropped).toBe(0);
      const own = segment === undefined ? job : partOfJob(job, segment);
      const accumulator = new LoadAccumulator(own);
      for (const sample of heard.samples) {
        accumulator.sample(sample);
        if (segment !== undefined) ofParts.sample(sample);
      }
      if (segment !== undefined) {
        const slots = heard.samples.map(({ slot }) => slot).sort((a, b) => a - b);
        const { schedule, wholeSlot } = partOfSchedule(job.schedule, segment);
        expect(slots).toEqual(Array.from({ length: schedule.slots }, (_, slot) => wholeSlot(slot)));
      }
      return {
        scenario: scenario.name,
        engine: { name: 'k6', version: binary.version },
        whole: accumulator.whole(),
        steps: accumulator.steps().map((step) => ({ ...step, judged: 0, violations: 0 })),
        operations: accumulator.operations(),
        moments: accumulator.moments(),
        judged: { answers: 0, of: 0, kept: 0 },
        violations: [],
        thresholds: [],
        generator,
        invalid: [],
        machine: {
          platform: '',
          arch: '',
          cpuModel: '',
          cores: 1,
          memoryBytes: 1,
          node: '',
        },
        ...(segment === undefined ? {} : { part: { ...segment, plan: planDigest(job) } }),
      };
    };
    try {
      const whole = await run();
      const loads = await Promise.all([1, 2, 3, 4].map((index) => run({ index, of: 4 })));
      const parts = loads.map((load, at) => ({ index: at + 1, load }));
      const merged = mergeLoads(parts, [], () => ({ thresholds: [], invalid: [] }));
      expect(sentOf(merged.whole)).toEqual(sentOf(whole.whole));
      expect(merged.whole.counts).toMatchObject({
        sent: SLOTS,
        throttled: THROTTLED,
        served: SLOTS - THROTTLED,
      });
      expect(merged.steps.map(sentOf)).toEqual(whole.steps.map(sentOf));
      expect(merged.operations.map(sentOf)).toEqual(whole.operations.map(sentOf));
      const [added, together] = [merged.whole.latency, ofParts.whole().latency];
      expect(added.count).toBe(together.count);
      for (const name of ['p50Ms', 'p95Ms', 'p99Ms', 'worstMs'] as const) {
        // Histograms have three digits.
        expect(Math.abs((added[name] ?? NaN) / (together[name] ?? NaN) - 1)).toBeLessThan(0.001);
      }
      expect(merged.whole.latency.p99Ms).toBeGreaterThan(600);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
