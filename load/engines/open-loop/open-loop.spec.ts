/** Long because what an engine does over sockets is tried in one setting. */

import type { Fate } from '../../../contracts/run/load/fates.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Exchange, FailureKind } from '../../../contracts/wire/exchange.ts';
import { listenRaw } from '../../../target/transport/loopback.testkit.ts';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import { UnsendableRequest } from '../../../target/transport/transport.ts';
import { planOf, scenarioOf, steady } from '../../samples/sample.testkit.ts';
import type { LoadClients } from '../../scenarios/scenario.ts';
import type { GeneratorFacts, LoadJob, PreparedRequest } from '../../engine.ts';
import type { Sample } from '../../load-sink.ts';
import { createOpenLoopEngine, type OpenLoopOptions } from './open-loop.ts';
import { closeServersAfterEach, serve } from '../server.testkit.ts';
import { TYPED_ERRORS } from '../../../contracts/service/wire/error-body.ts';
import { lacks } from '../../../fixtures/machine-needs.testkit.ts';

closeServersAfterEach();

const quote: PreparedRequest = {
  operation: 'zap.quote',
  request: {
    api: 'trade',
    method: 'POST',
    path: '/v1/quote',
    json: { amount: '1' },
    credential: { secret: 'ASSAY_TRADE_KEY' },
    purpose: { kind: 'valid' },
  },
};

function optionsFor(tradeUrl: string, rest: Partial<OpenLoopOptions> = {}): OpenLoopOptions {
  return {
    outgoing: {
      config: { tradeUrl, timeoutMs: 5_000, maxBodyBytes: 100_000 },
      redactor: createRedactor({
        ASSAY_TRADE_KEY: 'key-number-one',
        ASSAY_TRADE_KEY_2: 'key-number-two',
      }),
    },
    ...rest,
  };
}

async function run(
  options: OpenLoopOptions,
  clients: LoadClients = { kind: 'one', count: 1 },
  rest: Partial<LoadJob> = {},
): Promise<{ samples: Sample[]; exchanges: Exchange[]; facts: GeneratorFacts }> {
  const samples: Sample[] = [];
  const exchanges: Exchange[] = [];
  const facts = await createOpenLoopEngine(options).run({
    ...planOf(scenarioOf([steady(200, 0.2)], { clients }), [quote]),
    sink: {
      sample: (sample) => samples.push(sample),
      exchange: (exchange) => exchanges.push(exchange),
    },
    isThrottled: TYPED_ERRORS.isThrottled,
    waitIn: TYPED_ERRORS.waitIn,
    timeoutMs: 5_000,
    maxBodyBytes: 100_000,
    connections: 50,
    signal: new AbortController().signal,
    ...rest,
  });
  return { samples, exchanges, facts };
}

test('a schedule is sent over sockets, each request once, and its times are in order', async () => {
  const bodies: string[] = [];
  const url = await serve((request, response) => {
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
    response.setHeader('Content-Encoding', 'gzip');
    response.end(gzipSync('{"status":"success"}'));
  });
  const { samples, exchanges, facts } = await run(optionsFor(url));
  expect(bodies).toEqual(Array.from({ length: 40 }, () => '{"amount":"1"}'));
  expect(samples.map(({ fate }) => fate)).toEqual(Array.from({ length: 40 }, () => 'served'));
  expect(new Set(samples.map(({ slot }) => slot)).size).toBe(40);
  for (const { dueMs, calledMs, wireMs = NaN, endMs } of samples) {
    expect(calledMs).toBeGreaterThanOrEqual(dueMs);
    expect(wireMs).toBeGreaterThanOrEqual(calledMs);
    expect(endMs).toBeGreaterThan(wireMs);
  }
  expect(exchanges[0]?.outcome).toMatchObject({
    response: { status: 200, body: { text: '{"status":"success"}' } },
  });
  expect(facts).toMatchObject({ dropped: 0, waitedAtCeiling: 0 });
  expect(facts.cpuSeconds).toBeGreaterThan(0);
  expect(facts.eventLoopUtilization).toBeGreaterThan(0);
});

test('says how many connections it made, and what an answer on them is made of', async () => {
  const sockets = new Set<unknown>();
  const url = await serve((request, response) => {
    sockets.add(request.socket);
    response.end('{}');
  });
  const { samples, facts } = await run(optionsFor(url));
  const { opened = 0, connecting, tls } = facts.connections ?? {};
  expect(opened).toBe(sockets.size);
  expect(connecting?.count).toBe(opened);
  expect(tls).toBeUndefined();
  for (const { wireMs = NaN, firstByteMs = NaN, endMs, receivedBytes } of samples) {
    expect(firstByteMs).toBeGreaterThanOrEqual(wireMs);
    expect(endMs).toBeGreaterThanOrEqual(firstByteMs);
    expect(receivedBytes).toBeGreaterThan(0);
  }
});

test('no more connections are opened than the ceiling says, one request each at a time', async () => {
  const sockets = new Set<unknown>();
  let [now, most] = [0, 0];
  const url = await serve((request, response) => {
    sockets.add(request.socket);
    now += 1;
    most = Math.max(most, now);
    setTimeout(() => {
      now -= 1;
      response.end('{}');
    }, 30);
  });
  const { samples, facts } = await run(optionsFor(url), undefined, { connections: 3 });
  expect(samples.every(({ fate }) => fate === 'served')).toBe(true);
  expect([sockets.size, most]).toEqual([3, 3]);
  expect(facts.waitedAtCeiling).toBeGreaterThan(20);
});

describe('many clients', () => {
  test.skipIf(lacks('all of 127.0.0.0/8'))('send from addresses of their own', async () => {
    const addresses = new Map<string, number>();
    const url = await serve(({ socket: { remoteAddress = '' } }, response) => {
      addresses.set(remoteAddress, (addresses.get(remoteAddress) ?? 0) + 1);
      response.end('{}');
    });
    await run(optionsFor(url), { kind: 'addresses', count: 5 });
    expect(Object.fromEntries(addresses)).toEqual(
      Object.fromEntries([2, 3, 4, 5, 6].map((last) => [`127.0.0.${last}`, 8])),
    );
  });

  test.each<[string, readonly string[]]>([
    ['one of those that are wanted', ['127.0.0.1', '192.0.2.1']],
    ['none of those that are wanted', ['192.0.2.1', '192.0.2.2']],
  ])('of a machine that has %s are served, and not known apart', async (_, addresses) => {
    const url = await serve((_request, response) => response.end('{}'));
    const options = optionsFor(url, { addresses });
    const { samples, facts } = await run(options, { kind: 'addresses', count: 2 });
    expect(new Set(samples.map(({ fate }) => fate))).toEqual(new Set(['served']));
    expect(facts.problems?.join()).toMatch(/not known: .* wants 2 .*lo0 alias.*--address-header/);
  });

  test('name addresses of their own in a header field that the target believes', async () => {
    const addresses = new Set<unknown>();
    const url = await serve(({ headers }, response) => {
      addresses.add(headers['x-client']);
      response.end('{}');
    });
    const options = optionsFor(url, { addressHeader: 'x-client', addresses: ['192.0.2.1'] });
    const { facts } = await run(options, { kind: 'addresses', count: 2 });
    expect([addresses, facts.problems]).toEqual([new Set(['198.18.0.1', '198.18.0.2']), undefined]);
  });

  test('have keys of their own, which no exchange shows', async () => {
    const keys = new Map<string, number>();
    const url = await serve(({ headers: { authorization = '' } }, response) => {
      keys.set(authorization, (keys.get(authorization) ?? 0) + 1);
      response.end(`{"you are":"${authorization}"}`);
    });
    const keyNames = ['ASSAY_TRADE_KEY', 'ASSAY_TRADE_KEY_2'];
    const { exchanges } = await run(optionsFor(url, { keyNames }), { kind: 'keys', count: 2 });
    expect(Object.fromEntries(keys)).toEqual({
      'Bearer key-number-one': 20,
      'Bearer key-number-two': 20,
    });
    expect(JSON.stringify(exchanges)).not.toContain('key-number');
    expect(JSON.stringify(exchanges)).toContain('$ASSAY_TRADE_KEY_2');
  });

  test('are refused if there are not enough', () => {
    const cannot = (clients: LoadClients, options: OpenLoopOptions): string | undefined =>
      createOpenLoopEngine(options).cannot(scenarioOf([steady(1, 1)], { clients }));
    const loopback = optionsFor('http://127.0.0.1:1');
    expect(cannot({ kind: 'one', count: 1 }, loopback)).toBeUndefined();
    expect(cannot({ kind: 'addresses', count: 500 }, loopback)).toBeUndefined();
    expect(cannot({ kind: 'keys', count: 2 }, loopback)).toContain('there are 0 keys');
    expect(cannot({ kind: 'addresses', count: 0 }, loopback)).toContain('not 0');
    const saturation = scenarioOf([steady(1, 1)], { pacer: 'saturation' });
    expect(createOpenLoopEngine(loopback).cannot(saturation)).toContain('autocannon');
    const remote = optionsFor('https://zap.example');
    expect(cannot({ kind: 'addresses', count: 2 }, remote)).toMatch(/0 are known.*--address/);
    const named = optionsFor('http://localhost:1');
    expect(cannot({ kind: 'addresses', count: 2 }, named)).toContain('name 127.0.0.1');
    const six = optionsFor('http://[::1]:1');
    expect(cannot({ kind: 'addresses', count: 2 }, six)).toBeUndefined();
  });
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

describe('whatever a target does, a run ends', () => {
  test.each<[string, FailureKind, Fate, Answer]>([
    ['never answers', 'timeout', 'timeout', () => undefined],
    [
      'stops in the middle',
      'timeout',
      'timeout',
      (_, response) => response.writeHead(200, { 'Content-Length': 9 }).write('a'),
    ],
    [
      'sends a body without end',
      'too-large',
      'brokenOff',
      (_, response) => {
        const more = (): void => {
          if (!response.destroyed) response.write(Buffer.alloc(50_000), () => setImmediate(more));
        };
        more();
      },
    ],
    [
      'sends a bomb',
      'too-large',
      'brokenOff',
      (_, response) => {
        response.setHeader('Content-Encoding', 'gzip');
        response.end(gzipSync(Buffer.alloc(1_000_000)));
      },
    ],
    ['hangs up', 'closed', 'reset', ({ socket }) => socket.destroy()],
  ])('one that %s', async (_, failure, fate, answer) => {
    const { samples, exchanges } = await run(optionsFor(await serve(answer)), undefined, {
      // A busy machine must not make a timeout of what ends in another way.
      timeoutMs: failure === 'timeout' ? 300 : 20_000,
    });
    expect(samples).toHaveLength(40);
    expect(new Set(samples.map(({ fate, status }) => `${fate} ${status}`))).toEqual(
      new Set([`${fate} 0`]),
    );
    for (const { outcome } of exchanges) expect(outcome).toMatchObject({ failure });
  });

  test('one if nothing listens', async () => {
    const server = await listenRaw(() => undefined);
    await server.close();
    const { samples, exchanges } = await run(optionsFor(server.url));
    expect(samples.every(({ fate, wireMs }) => fate === 'refused' && wireMs === undefined)).toBe(
      true,
    );
    expect(exchanges[0]?.outcome).toMatchObject({ kind: 'failure', failure: 'connect' });
  });

  test('one that closes after each answer', async () => {
    const url = await serve((_, response) => {
      response.setHeader('Connection', 'close');
      response.end('{}');
    });
    const { samples } = await run(optionsFor(url));
    expect(samples.every(({ fate }) => fate === 'served')).toBe(true);
  });
});

test('what HTTP cannot carry is a mistake of ours, not of the target', async () => {
  const url = await serve((_, response) => response.end('{}'));
  const bad = { ...quote, request: { ...quote.request, headers: [['X-A', 'a\nb']] as const } };
  const plan = planOf(scenarioOf([steady(10, 1)]), [bad]);
  await expect(run(optionsFor(url), undefined, plan)).rejects.toThrow(UnsendableRequest);
});
