import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import { loadOutcome } from '../../contracts/run/load/load-outcome.ts';
import { parseThreshold } from '../../contracts/run/load/threshold.ts';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';
import { createRedactor } from '../../target/redaction/redactor.ts';
import {
  type Behaviour,
  capacity,
  delay,
  oneIn,
  stall,
  twoModes,
} from '../../fixtures/truths/behaviours.ts';
import { truthServer } from '../../fixtures/truths/server.ts';
import { createOpenLoopEngine } from '../engines/open-loop/open-loop.ts';
import { LatencyHistogram } from '../samples/latency-histogram.ts';
import { planOf, scenarioOf, steady } from '../samples/sample.testkit.ts';
import { startLoad } from './run-load.ts';

const PER_SECOND = 100;
const SECONDS = 4;
const SLOTS = PER_SECOND * SECONDS;
const SHARES = [0.5, 0.95, 0.99];

interface Reported {
  readonly load: RunLoad;
  /** Of all that the server answered, by its own clock. */
  readonly truth: LatencyHistogram;
}

/** A run over sockets against a server of known behaviour, and what that server itself knows. */
async function run(behaviour: Behaviour): Promise<Reported> {
  const truth = LatencyHistogram.create();
  const server = truthServer({
    ...{ behaviour, answer: () => '{"status":"success","data":{}}' },
    took: (ms) => {
      truth.record(ms);
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const config = {
    zapUrl: `http://127.0.0.1:${port}`,
    timeoutMs: 5_000,
    maxBodyBytes: 10_000,
  };
  const { load } = await startLoad({
    job: {
      ...planOf(scenarioOf([steady(PER_SECOND, SECONDS)])),
      ...{ isThrottled: TYPED_ERRORS.isThrottled, waitIn: TYPED_ERRORS.waitIn },
      ...{ timeoutMs: 5_000, maxBodyBytes: 10_000, connections: 1_000 },
      signal: new AbortController().signal,
    },
    engine: () => createOpenLoopEngine({ outgoing: { config, redactor: createRedactor({}) } }),
    ...{ version: '1', keep: () => true, failsRun: () => true },
    thresholds: [parseThreshold('errors<1%')],
  }).ended;
  server.closeAllConnections();
  server.close();
  return { load, truth };
}

describe.concurrent('over sockets, no latency is shorter than what the server took', () => {
  test.each<[string, Behaviour]>([
    ['after the same time', delay(20)],
    ['slowly, one in fifty', twoModes(20, 200, 50)],
    ['after it stood still', stall(20, 2_000, 500)],
  ])('where it answers %s', async (_, behaviour) => {
    const { load, truth } = await run(behaviour);
    const { counts, allLatency, histogram } = load.whole;
    expect(counts).toMatchObject({ offered: SLOTS, sent: SLOTS, served: SLOTS });
    expect(truth.count).toBe(SLOTS);
    const measured = LatencyHistogram.decode(histogram);
    for (const share of SHARES) {
      // Of one histogram to the next a value moves by its three digits.
      expect(measured.quantileMs(share)).toBeGreaterThan(0.995 * truth.quantileMs(share));
    }
    expect(allLatency).toEqual(load.whole.latency);
  });

  test('where it answers fewer a second than are sent, and what waits is in the latencies', async () => {
    const { load } = await run(capacity(80));
    const { served, byFate } = load.whole.counts;
    expect(byFate).toEqual({});
    expect(served).toBe(SLOTS);
    // The last of 400 is answered a second after it was due, at the earliest.
    expect(load.whole.latency.worstMs).toBeGreaterThan(900);
    expect(load.whole.latency.p50Ms).toBeGreaterThan(400);
  });
});

describe.concurrent('over sockets, what becomes of one request in twenty', () => {
  test.each<[string, Behaviour, string]>([
    ['hangs', oneIn(20, 'hang', 20), 'timeout'],
    ['is reset', oneIn(20, { breaks: 'reset' }, 20), 'reset'],
    ['breaks off', oneIn(20, { breaks: 'truncated' }, 20), 'brokenOff'],
    ['is answered 500', oneIn(20, { status: 500 }, 20), 'serverError'],
  ])('that %s is reported as it was, and fails the run', async (_, behaviour, fate) => {
    const { load } = await run(behaviour);
    expect(load.whole.counts.byFate).toEqual({ [fate]: SLOTS / 20 });
    expect(load.whole.counts.served).toBe(SLOTS - SLOTS / 20);
    expect(loadOutcome(load)).toBe('broken');
    // More than one in a hundred was not served: no bound on the 99th percentile holds.
    expect(load.whole.allLatency?.count).toBe(SLOTS);
  });
});
