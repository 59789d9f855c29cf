/** Long because all promises of the engine are tried in one setting. */

import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { isAnswered } from '../../../contracts/run/load/fates.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import { planOf, scenarioOf, steady } from '../../samples/sample.testkit.ts';
import type { Scenario } from '../../scenarios/scenario.ts';
import { createAutocannonEngine } from './autocannon.ts';
import type { GeneratorFacts, LoadJob, PreparedRequest } from '../../engine.ts';
import type { Sample } from '../../load-sink.ts';
import type { SendingOptions } from '../sending/sending-engine.ts';
import { closeServersAfterEach, serve } from '../server.testkit.ts';
import { TYPED_ERRORS } from '../../../contracts/service/wire/error-body.ts';

closeServersAfterEach();

/** A request whose answer says which one it was. */
function numbered(number: number): PreparedRequest {
  return {
    operation: number % 2 === 0 ? 'zap.quote' : 'zap.pools',
    request: {
      api: 'trade',
      method: 'POST',
      path: `/v1/${number}`,
      json: { number },
      credential: { secret: 'ASSAY_TRADE_KEY' },
      purpose: { kind: 'valid' },
    },
  };
}

const requests = Array.from({ length: 10 }, (_, number) => numbered(number));
const saturation = scenarioOf([steady(100, 1)], { pacer: 'saturation' });

function optionsFor(tradeUrl: string): SendingOptions {
  return {
    outgoing: {
      config: { tradeUrl, timeoutMs: 400, maxBodyBytes: 100_000 },
      redactor: createRedactor({
        ASSAY_TRADE_KEY: 'key-number-one',
        ASSAY_TRADE_KEY_2: 'key-number-two',
      }),
    },
    keyNames: ['ASSAY_TRADE_KEY', 'ASSAY_TRADE_KEY_2'],
  };
}

async function run(
  url: string,
  scenario: Scenario = saturation,
  rest: Partial<LoadJob> = {},
): Promise<{ samples: Sample[]; exchanges: Exchange[]; facts: GeneratorFacts }> {
  const samples: Sample[] = [];
  const exchanges: Exchange[] = [];
  const facts = await createAutocannonEngine(optionsFor(url)).run({
    ...planOf(scenario, requests),
    sink: {
      sample: (sample) => samples.push(sample),
      exchange: (exchange) => exchanges.push(exchange),
    },
    isThrottled: TYPED_ERRORS.isThrottled,
    waitIn: TYPED_ERRORS.waitIn,
    timeoutMs: 400,
    maxBodyBytes: 100_000,
    connections: 4,
    signal: new AbortController().signal,
    ...rest,
  });
  return { samples, exchanges, facts };
}

/** Answers with what was asked. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('X-Path', request.url ?? '');
  response.end(JSON.stringify({ path: request.url, who: request.headers.authorization }));
}

/** Whether each answer belongs to its request. */
function expectMatching(exchanges: readonly Exchange[]): void {
  for (const { request, outcome } of exchanges) {
    if (outcome.kind === 'failure') continue;
    expect(JSON.parse(outcome.response.body.text)).toMatchObject({ path: request.path });
  }
}

test('each slot is sent once, and every answer belongs to its request', async () => {
  const { samples, exchanges, facts } = await run(await serve(echo));
  expect(samples.map(({ slot }) => slot).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 100 }, (_, slot) => slot),
  );
  expect(samples.every(({ fate, status }) => fate === 'served' && status === 200)).toBe(true);
  for (const { slot, operation, dueMs, calledMs, endMs } of samples) {
    expect(operation).toBe(slot % 2 === 0 ? 'zap.quote' : 'zap.pools');
    expect(dueMs).toBe(calledMs);
    expect(endMs).toBeGreaterThan(dueMs);
  }
  expect(exchanges).toHaveLength(100);
  expectMatching(exchanges);
  expect(facts).toMatchObject({ dropped: 0, waitedAtCeiling: 0 });
  // Without a schedule nothing is late, and nobody measured it.
  expect(facts).not.toHaveProperty('fireLagP99Ms');
});

test('exchanges show what was sent, and no secret', async () => {
  const { exchanges } = await run(await serve(echo));
  const [first] = exchanges;
  expect(Object.fromEntries(first?.request.headers ?? [])).toMatchObject({
    'Accept-Encoding': 'identity',
    Authorization: 'Bearer $ASSAY_TRADE_KEY',
  });
  expect(first?.outcome).toMatchObject({ response: { status: 200 } });
  expect(JSON.stringify(exchanges)).not.toContain('key-number');
  const ids = exchanges.map(({ id }) => id).sort();
  expect(ids[0]).toBe('x00001');
  expect(new Set(ids).size).toBe(100);
});

test('clients have keys of their own', async () => {
  const keys = new Map<string, number>();
  const url = await serve((request, response) => {
    const { authorization = '' } = request.headers;
    keys.set(authorization, (keys.get(authorization) ?? 0) + 1);
    echo(request, response);
  });
  await run(url, { ...saturation, clients: { kind: 'keys', count: 2 } });
  expect(Object.fromEntries(keys)).toEqual({
    'Bearer key-number-one': 50,
    'Bearer key-number-two': 50,
  });
});

test('throttled answers and errors are distinguished', async () => {
  let count = 0;
  const url = await serve((_, response) => {
    count += 1;
    response.statusCode = [200, 429, 403, 500][count % 4] ?? 200;
    response.end(count % 8 === 2 ? '{"code":"RATE_LIMITED"}' : '{"code":"OTHER"}');
  });
  const { samples } = await run(url);
  const countOf = (wanted: string): number => samples.filter(({ fate }) => fate === wanted).length;
  expect(['served', 'throttled', 'clientError', 'serverError', 'reset'].map(countOf)).toEqual([
    25, 38, 12, 25, 0,
  ]);
});

describe('what is lost is reported, and nothing else is taken for its answer', () => {
  test.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
    [
      'a server that closes after each answer',
      (request, response) => {
        response.setHeader('Connection', 'close');
        echo(request, response);
      },
    ],
    [
      'one that hangs up now and then',
      (request, response) => {
        if (/[37]$/.test(request.url ?? '')) request.socket.destroy();
        else echo(request, response);
      },
    ],
    [
      'one that stops in the middle',
      (request, response) => {
        if (!/[3]$/.test(request.url ?? '')) {
          echo(request, response);
          return;
        }
        response.writeHead(200, { 'Content-Length': 50 });
        response.write('{"path":');
        setTimeout(() => request.socket.end(), 5);
      },
    ],
    [
      'one that sends too much',
      (request, response) => {
        if (request.url?.endsWith('5') === true) response.end(Buffer.alloc(1_000_000, 97));
        else echo(request, response);
      },
    ],
  ])('%s', async (_, answer) => {
    const { samples, exchanges, facts } = await run(await serve(answer));
    expect(samples).toHaveLength(100);
    expect(new Set(samples.map(({ slot }) => slot)).size).toBe(100);
    expect(facts.dropped).toBe(0);
    expect(samples.some(({ fate }) => !isAnswered(fate))).toBe(true);
    expect(samples.filter(({ fate }) => fate === 'served').length).toBeGreaterThan(40);
    expectMatching(exchanges);
  });

  test('one that never answers', async () => {
    const { samples, exchanges } = await run(await serve(() => undefined), {
      ...saturation,
      steps: [steady(8, 1)],
    });
    expect(samples).toHaveLength(8);
    // Some 400 ms; without a limit of ours it were ten seconds.
    for (const { calledMs, endMs } of samples) expect(endMs - calledMs).toBeLessThan(3_000);
    expect(exchanges[0]?.outcome).toMatchObject({ kind: 'failure', failure: 'timeout' });
  });

  test('one if nothing listens', async () => {
    const url = await serve(echo);
    const { samples } = await run(url.replace(/\d+$/, '9'));
    expect(samples).toHaveLength(100);
    expect(samples.every(({ fate }) => fate === 'refused')).toBe(true);
  });

  test('one with informational answers, which autocannon takes for the final ones', async () => {
    const server = createServer((socket: Socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        const path = data.toString().split(' ')[1] ?? '';
        const body = JSON.stringify({ path });
        socket.write(
          `HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const { samples, exchanges, facts } = await run(`http://127.0.0.1:${port}`);
    server.close();
    expectMatching(exchanges);
    expect(samples.every(({ fate }) => fate === 'brokenOff')).toBe(true);
    expect(samples.length + facts.dropped).toBe(100);
    expect(facts.dropped).toBeGreaterThan(0);
  });
});

test('the signal ends it with what was measured', async () => {
  const controller = new AbortController();
  let count = 0;
  const url = await serve((request, response) => {
    count += 1;
    if (count === 40) controller.abort();
    setTimeout(() => {
      echo(request, response);
    }, 5);
  });
  const { samples, facts } = await run(url, saturation, { signal: controller.signal });
  expect(samples.length).toBeGreaterThanOrEqual(40);
  expect(samples.length).toBeLessThan(60);
  expect(samples.every(({ fate }) => fate === 'served')).toBe(true);
  expect(facts.dropped).toBe(0);
  expect(facts.interruptedMs).toBeGreaterThan(0);
});

test('what hangs as the signal comes is closed after two seconds, and is no error', async () => {
  const controller = new AbortController();
  let count = 0;
  const url = await serve((request, response) => {
    count += 1;
    if (count === 40) controller.abort();
    if (count < 40) echo(request, response);
  });
  const { samples, facts } = await run(url, saturation, {
    signal: controller.signal,
    timeoutMs: 10_000,
  });
  expect(samples.every(({ fate }) => fate === 'served')).toBe(true);
  expect(facts.unanswered).toBeGreaterThan(0);
  expect(samples.length + (facts.unanswered ?? 0)).toBe(count);
});

describe('what autocannon cannot', () => {
  test.each<[string, Scenario, string, string]>([
    ['rates', scenarioOf([steady(1, 1)]), 'http://127.0.0.1:1', 'rates'],
    [
      'addresses',
      { ...saturation, clients: { kind: 'addresses', count: 2 } },
      'http://127.0.0.1:1',
      'addresses',
    ],
    [
      'too many keys',
      { ...saturation, clients: { kind: 'keys', count: 3 } },
      'http://127.0.0.1:1',
      '2 keys',
    ],
    ['coming back', { ...saturation, onThrottle: 'come-back' }, 'http://127.0.0.1:1', 'come back'],
    ['certificates', saturation, 'https://zap.example', 'certificates'],
  ])('%s', (_, scenario, url, why) => {
    expect(createAutocannonEngine(optionsFor(url)).cannot(scenario)).toContain(why);
  });

  test('saturation it can', () => {
    expect(
      createAutocannonEngine(optionsFor('http://127.0.0.1:1')).cannot(saturation),
    ).toBeUndefined();
  });
});
