import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { cpuClock } from '../../contracts/cpu-clock.testkit.ts';
import { fromFetch, type ServiceFunction } from './fetch-transport.ts';
import { LightResponse } from './light-fetch.ts';
import { UnsendableRequest, type OutgoingRequest, type TransportResult } from './transport.ts';

function ask(
  service: ServiceFunction,
  request: Partial<OutgoingRequest> = {},
): Promise<TransportResult> {
  return fromFetch(service)({
    method: 'GET',
    url: 'http://127.0.0.1/v1/pools',
    headers: [],
    body: null,
    timeoutMs: 1_000,
    maxBodyBytes: 10_000,
    ...request,
  });
}

/** A body that never ends, one piece every few milliseconds. */
function endless(piece: string, everyMs: number): ReadableStream<Uint8Array> {
  let timer: NodeJS.Timeout;
  return new ReadableStream({
    start(controller) {
      timer = setInterval(() => {
        controller.enqueue(Buffer.from(piece));
      }, everyMs);
    },
    cancel() {
      clearInterval(timer);
    },
  });
}

describe('fromFetch', () => {
  test('reads light responses to their end, and no further than the cap', async () => {
    const answer = (text: string) => () => new LightResponse(text) as unknown as Response;
    const result = await ask(answer('{"a":1}'));
    expect(result).toMatchObject({ status: 200, body: Buffer.from('{"a":1}') });
    const whole = await ask(answer('x'.repeat(100)), { maxBodyBytes: 100 });
    expect(whole).toMatchObject({ kind: 'response' });
    const larger = await ask(answer('x'.repeat(101)), { maxBodyBytes: 100 });
    expect(larger).toMatchObject({ kind: 'failure', failure: 'too-large' });
  });

  test('hands on method, headers and body, and the answer with its cookies apart', async () => {
    const result = await ask(
      async (request, { sourceAddress }) => {
        const seen = {
          method: request.method,
          key: request.headers.get('idempotency-key'),
          body: await request.text(),
          sourceAddress,
        };
        const headers = new Headers({ 'Content-Type': 'application/json' });
        headers.append('Set-Cookie', 'a=1');
        headers.append('Set-Cookie', 'b=2');
        return new Response(JSON.stringify(seen), { status: 201, headers });
      },
      {
        method: 'POST',
        headers: [['Idempotency-Key', 'k1']],
        body: Buffer.from('{"a":1}'),
        sourceAddress: '127.0.0.9',
      },
    );
    if (result.kind === 'failure') throw new Error(result.message);
    expect(result.status).toBe(201);
    expect(JSON.parse(Buffer.from(result.body).toString())).toEqual({
      method: 'POST',
      key: 'k1',
      body: '{"a":1}',
      sourceAddress: '127.0.0.9',
    });
    expect(result.headers).toEqual([
      ['content-type', 'application/json'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ]);
  });

  test('a redirect is an answer', async () => {
    const headers = { Location: 'http://127.0.0.1/elsewhere' };
    const result = await ask(() => new Response(null, { status: 302, headers }));
    expect(result).toMatchObject({ kind: 'response', status: 302 });
  });

  test('undoes content codings', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    const result = await ask(() => new Response(gzipSync('{"a":1}'), { headers }));
    expect(result.kind === 'response' && Buffer.from(result.body).toString()).toBe('{"a":1}');
  });

  test.each<[string, ServiceFunction, string]>([
    [
      'that throws',
      () => {
        throw new Error('boom');
      },
      'closed',
    ],
    ['that rejects', () => Promise.reject(new Error('boom')), 'closed'],
    ['that never answers', () => new Promise<Response>(() => undefined), 'timeout'],
    ['whose body drips', () => new Response(endless('x', 5)), 'timeout'],
    ['whose body never ends', () => new Response(endless('x'.repeat(4_000), 1)), 'too-large'],
    ['whose body is too large', () => new Response('x'.repeat(10_001)), 'too-large'],
  ])('a service %s', async (_what, service, failure) => {
    const result = await ask(service, { timeoutMs: 100 });
    expect(result).toMatchObject({ kind: 'failure', failure });
  });

  test('what Fetch cannot express is the fault of the caller', async () => {
    const service = (): Response => new Response('{}');
    await expect(ask(service, { body: Buffer.from('{}') })).rejects.toThrow(UnsendableRequest);
    await expect(ask(service, { method: 'TRACE' })).rejects.toThrow(UnsendableRequest);
  });

  test('thousands of exchanges are cheap', async () => {
    const cpuMs = cpuClock();
    for (let at = 0; at < 3_000; at += 1) await ask(() => new Response('{"data":{}}'));
    expect(cpuMs()).toBeLessThan(3_000);
  });
});
