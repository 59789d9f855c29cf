/** Long because all promises of a run are tried in one setting. */

import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { preparedFor, planOf, scenarioOf, steady } from '../../samples/sample.testkit.ts';
import type { PreparedRequest } from '../../engine.ts';
import type { Sample } from '../../load-sink.ts';
import { runVirtually, VirtualTime, type VirtualAnswer } from './virtual-target.testkit.ts';

const latencyOf = ({ endMs, dueMs }: Sample): number => endMs - dueMs;

test('a generator that stood still is charged for it, and its lag is reported', async () => {
  const time = new VirtualTime();
  time.at(time.nowMs() + 500, () => {
    time.busyFor(300);
  });
  const { samples, facts } = await runVirtually(
    scenarioOf([steady(100, 1)]),
    (nowMs) => ({ endMs: nowMs + 1 }),
    {},
    time,
  );
  expect(samples).toHaveLength(100);
  expect(facts.fireLagP99Ms).toBeGreaterThan(250);
  expect(Math.max(...samples.map(latencyOf))).toBeGreaterThan(290);
});

test('answers that came while the generator stood still may be as late as it was, and are reported as such', async () => {
  const time = new VirtualTime();
  time.at(time.nowMs() + 500, () => {
    time.busyFor(300);
  });
  const { facts } = await runVirtually(
    scenarioOf([steady(1, 1)]),
    () => ({ endMs: 600 }),
    {},
    time,
  );
  expect(facts).toMatchObject({ lateRequests: 1, hiccups: 1 });
  expect(facts.fireLagP99Ms).toBeGreaterThan(250);
});

test('what was dropped is counted once, however long others take', async () => {
  const time = new VirtualTime();
  const slow = (nowMs: number): VirtualAnswer => {
    time.busyFor(50);
    return { endMs: nowMs + 2_000 };
  };
  const { samples, facts } = await runVirtually(scenarioOf([steady(1_000, 1)]), slow, {}, time);
  expect(facts.dropped + samples.length).toBe(1_000);
});

test('what a generator cannot send in time is dropped, and reported', async () => {
  const time = new VirtualTime();
  const slow = (): VirtualAnswer => {
    time.busyFor(50);
    return { endMs: 0 };
  };
  const { samples, facts } = await runVirtually(scenarioOf([steady(1_000, 1)]), slow, {}, time);
  expect(facts.dropped).toBeGreaterThan(500);
  expect(facts.dropped + samples.length).toBe(1_000);
});

test('requests in line are sent in order as connections come free', async () => {
  const ended: number[] = [];
  let [inUse, most] = [0, 0];
  await runVirtually(
    scenarioOf([steady(1_000, 0.1)]),
    (nowMs) => {
      inUse += 1;
      most = Math.max(most, inUse);
      return { endMs: nowMs + 7 };
    },
    {
      connections: 3,
      sink: {
        sample: ({ slot }) => {
          inUse -= 1;
          ended.push(slot);
        },
      },
    },
  );
  // The next one has the connection before the end of the last one is reported.
  expect(most).toBe(4);
  expect(ended).toEqual(Array.from({ length: 100 }, (_, slot) => slot));
});

test('what this machine could not send is no sample, and is said to be of the machine', async () => {
  const error = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' });
  const { samples, facts } = await runVirtually(scenarioOf([steady(10, 1)]), (nowMs) =>
    nowMs < 500 ? { endMs: nowMs + 5 } : { endMs: nowMs, error },
  );
  expect(samples.map(({ fate }) => fate)).toEqual(Array.from({ length: 5 }, () => 'served'));
  expect(facts.dropped).toBe(5);
  expect(facts.problems).toEqual([
    expect.stringMatching(/5 requests of the load were not sent: .*EMFILE/),
  ]);
});

test('an answer that came while the generator stood still is not taken for none', async () => {
  const time = new VirtualTime();
  time.at(time.nowMs() + 300, () => {
    time.busyFor(3_000);
  });
  const scenario = scenarioOf([steady(10, 1)]);
  const soon = (nowMs: number): VirtualAnswer => ({ endMs: nowMs + 50 });
  const { samples, facts } = await runVirtually(scenario, soon, { timeoutMs: 2_000 }, time);
  expect(samples.map(({ fate }) => fate)).toEqual(Array.from({ length: 10 }, () => 'served'));
  expect(facts).toMatchObject({ lateRequests: 7 });
});

describe('what never comes', () => {
  test('fails once its time is over, and frees its connection', async () => {
    const { samples } = await runVirtually(
      scenarioOf([steady(10, 1)]),
      (nowMs) => (nowMs < 250 ? {} : { endMs: nowMs + 5 }),
      { timeoutMs: 2_000, connections: 2 },
    );
    const failed = samples.filter(({ fate }) => fate === 'timeout');
    expect(samples).toHaveLength(10);
    // The two that hold the connections, and those due before the end of the wait in line.
    expect(failed.length).toBeGreaterThanOrEqual(2);
    for (const sample of failed) {
      expect(sample.status).toBe(0);
      expect(sample.endMs - sample.calledMs).toBeGreaterThanOrEqual(2_000);
      expect(sample.endMs - sample.calledMs).toBeLessThan(2_005);
    }
    expect(samples.some(({ fate }) => fate === 'served')).toBe(true);
  });

  test('says nothing of the service if this machine kept a request from most of its time', async () => {
    const slow = (nowMs: number): VirtualAnswer => ({ endMs: nowMs + 1_500 });
    const rest = { timeoutMs: 2_000, connections: 2 };
    const whyFewConnections = 'it may open few files';
    const held = await runVirtually(scenarioOf([steady(10, 1)]), slow, {
      ...rest,
      whyFewConnections,
    });
    expect(held.samples.map(({ fate }) => fate)).toEqual(['served', 'served']);
    expect(held.facts.dropped).toBe(8);
    // The user asked for so few.
    const asked = await runVirtually(scenarioOf([steady(10, 1)]), slow, rest);
    expect(asked.samples).toHaveLength(10);
    const silent = await runVirtually(scenarioOf([steady(10, 1)]), () => ({}), {
      ...{ ...rest, whyFewConnections },
    });
    expect(silent.samples.map(({ fate }) => fate)).toEqual(['timeout', 'timeout']);
  });

  test('does not keep a run from its end', async () => {
    const { samples, time } = await runVirtually(scenarioOf([steady(100, 1)]), () => ({}), {
      connections: 5,
    });
    expect(samples).toHaveLength(100);
    expect(samples.every(({ fate }) => fate === 'timeout')).toBe(true);
    expect(time.nowMs()).toBeLessThan(1_000_000 + 12_000);
  });
});

describe('what answers are', () => {
  const kinds = async (answer: VirtualAnswer): Promise<string[]> => {
    const { samples } = await runVirtually(
      scenarioOf([steady(1, 1)]),
      () => ({ endMs: 5, ...answer }),
      { maxBodyBytes: 10_000 },
    );
    return samples.map(({ fate, status }) => `${fate} ${status}`);
  };

  test.each<[string, VirtualAnswer]>([
    ['served 201', { status: 201 }],
    ['clientError 302', { status: 302 }],
    ['clientError 404', { status: 404, body: 'nothing here' }],
    ['throttled 429', { status: 429, body: '' }],
    ['throttled 403', { status: 403, body: '{"code":"RATE_LIMITED"}' }],
    ['clientError 403', { status: 403, body: '{"code":"FORBIDDEN"}' }],
    ['brokenOff 0', { body: Buffer.alloc(10_001) }],
    [
      'throttled 400',
      {
        status: 400,
        headers: [['Content-Encoding', 'gzip']],
        body: gzipSync('{"code":"RATE_LIMITED"}'),
      },
    ],
    [
      'brokenOff 0',
      { headers: [['content-encoding', 'gzip']], body: gzipSync(Buffer.alloc(5_000_000)) },
    ],
    ['brokenOff 0', { headers: [['content-encoding', 'br']], body: 'no such thing' }],
  ])('%s', async (expected, answer) => {
    expect(await kinds(answer)).toEqual([expected]);
  });
});

describe('exchanges', () => {
  const trade: PreparedRequest = {
    operation: 'trade.quotes',
    request: {
      api: 'trade',
      method: 'POST',
      path: '/v1/quotes',
      json: { data: [] },
      credential: { secret: 'ASSAY_TRADE_KEY' },
      headers: [['Idempotency-Key', '0123456789abcdef0123456789abcdef']],
      purpose: { kind: 'valid' },
    },
  };
  const run = async (wants?: (sample: Sample) => boolean): Promise<Exchange[]> => {
    const exchanges: Exchange[] = [];
    const scenario = scenarioOf([steady(10, 1)]);
    await runVirtually(
      scenario,
      (nowMs) => ({ endMs: nowMs + 4, headers: [['X-Key', 'key-one-key']], body: 'key-one-key ü' }),
      {
        ...planOf(scenario, [trade]),
        sink: {
          sample: () => undefined,
          exchange: (exchange) => exchanges.push(exchange),
          ...(wants === undefined ? {} : { wants }),
        },
      },
    );
    return exchanges;
  };

  test('are as the client records them, secrets hidden', async () => {
    const [first] = await run();
    expect(first).toMatchObject({
      id: 'x00001',
      api: 'trade',
      purpose: { kind: 'valid' },
      relations: [],
      request: {
        method: 'POST',
        url: 'http://trade.example/v1/quotes',
        path: '/v1/quotes',
        body: { encoding: 'utf8', text: '{"data":[]}' },
      },
      outcome: {
        kind: 'response',
        response: {
          status: 200,
          headers: [['X-Key', '$ASSAY_TRADE_KEY']],
          body: { encoding: 'utf8', text: '$ASSAY_TRADE_KEY ü' },
        },
      },
      latencyMs: 4,
    });
    const fields = Object.fromEntries(first?.request.headers ?? []);
    expect(fields).toMatchObject({
      Accept: 'application/json',
      'Content-Type': 'application/json',
      Authorization: 'Bearer $ASSAY_TRADE_KEY',
    });
    expect(JSON.stringify(first)).not.toContain('key-one-key');
  });

  test('of a request that is sent again have another Idempotency-Key', async () => {
    const keys = (await run()).map(
      ({ request }) => request.headers.find(([name]) => name === 'Idempotency-Key')?.[1],
    );
    expect(new Set(keys).size).toBe(10);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });

  test('are made if they are wanted alone', async () => {
    const exchanges = await run(({ slot }) => slot % 5 === 0);
    expect(exchanges.map(({ id }) => id)).toEqual(['x00001', 'x00006']);
  });
});

test('two requests that share an Idempotency-Key share it each time', async () => {
  const pair = [0, 1].map((at): PreparedRequest => ({
    operation: `trade.${at}`,
    request: {
      api: 'trade',
      method: 'POST',
      path: '/v1/quotes',
      headers: [['Idempotency-Key', '0123456789abcdef']],
      purpose: { kind: 'valid' },
    },
  }));
  const keys: (string | undefined)[] = [];
  const scenario = scenarioOf([steady(10, 1)]);
  await runVirtually(
    scenario,
    (nowMs, { ready }) => {
      keys.push(ready.fields[ready.fields.indexOf('Idempotency-Key') + 1]);
      return { endMs: nowMs + 1 };
    },
    planOf(scenario, pair),
  );
  for (let at = 0; at < 10; at += 2) expect(keys[at]).toBe(keys[at + 1]);
  expect(new Set(keys).size).toBe(5);
});

test('a fault of the sink ends the run and is reported', async () => {
  const sink = {
    sample: () => {
      throw new Error('no room');
    },
  };
  const running = runVirtually(scenarioOf([steady(10, 1)]), (nowMs) => ({ endMs: nowMs }), {
    sink,
  });
  await expect(running).rejects.toThrow('no room');
});

describe('the signal', () => {
  test('ends the sending; what is on its way has two seconds', async () => {
    const controller = new AbortController();
    const time = new VirtualTime();
    time.at(time.nowMs() + 500, () => {
      controller.abort();
    });
    const { samples, facts } = await runVirtually(
      scenarioOf([steady(100, 10)]),
      // One in ten never comes, the others take one second.
      (nowMs, { plan }) => (plan.slot % 10 === 0 ? {} : { endMs: nowMs + 1_000 }),
      { signal: controller.signal },
      time,
    );
    expect(samples).toHaveLength(45);
    expect(samples.every(({ fate }) => fate === 'served')).toBe(true);
    expect(facts.interruptedMs).toBeCloseTo(500, -1);
    // Of the first fifty slots, those that never come.
    expect(facts.unanswered).toBe(5);
    expect(facts.dropped).toBe(0);
    expect(time.nowMs()).toBeLessThan(1_000_000 + 2_600);
  });

  test('lets nothing go that still waits for a connection', async () => {
    const controller = new AbortController();
    const time = new VirtualTime();
    time.at(time.nowMs() + 100, () => {
      controller.abort();
    });
    const { samples } = await runVirtually(
      scenarioOf([steady(100, 10)]),
      (nowMs) => ({ endMs: nowMs + 1_000 }),
      { signal: controller.signal, connections: 3 },
      time,
    );
    expect(samples.map(({ slot }) => slot)).toEqual([0, 1, 2]);
  });
});

test('slots are shared out among the clients', async () => {
  const scenario = scenarioOf([steady(10, 1)], { clients: { kind: 'addresses', count: 4 } });
  const { samples } = await runVirtually(scenario, (nowMs) => ({ endMs: nowMs + 1 }), {
    ...planOf(scenario, [preparedFor('a'), preparedFor('b')]),
  });
  expect(samples.map(({ client }) => client)).toEqual([0, 1, 2, 3, 0, 1, 2, 3, 0, 1]);
  expect(samples.map(({ operation }) => operation).join('')).toBe('ababababab');
});
