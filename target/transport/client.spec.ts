/** Long because all promises of the client are tried in one setting. */

import { describe, expect, test } from 'vitest';
import { CONTRACT_PROBE } from '../../contracts/judging/contract-probe.ts';
import { headerOf, type Exchange, type Purpose } from '../../contracts/wire/exchange.ts';
import {
  ApiNotConfigured,
  createClient,
  CredentialMissing,
  type Client,
  type ClientOptions,
  type ClientRequest,
  type Credential,
} from './client.ts';
import { createFakeClock } from '../../fixtures/clocks/fake-clock.testkit.ts';
import { fromFetch, type ServiceFunction } from './fetch-transport.ts';
import { ApiUnreachable, BudgetExceeded, createGovernor, type Budget } from '../budget/governor.ts';
import { createRedactor } from '../redaction/redactor.ts';
import { failed } from './transport.ts';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';

interface Rig {
  readonly client: Client;
  readonly recorded: Exchange[];
  readonly heard: Exchange[];
  readonly requests: Request[];
  readonly send: (request?: Partial<ClientRequest>) => Promise<Exchange>;
}

function rig(
  service: ServiceFunction = () => Response.json({ data: {} }),
  options: Partial<ClientOptions> = {},
  budget: Partial<Budget> = {},
): Rig {
  const clock = createFakeClock();
  const recorded: Exchange[] = [];
  const heard: Exchange[] = [];
  const requests: Request[] = [];
  const client = createClient({
    isThrottled: TYPED_ERRORS.isThrottled,
    config: {
      zapUrl: 'http://127.0.0.1:1/zap',
      tradeUrl: 'http://127.0.0.1:2',
      timeoutMs: 1_000,
      maxBodyBytes: 1_000_000,
    },
    transport: fromFetch((request, peer) => {
      requests.push(request.clone());
      return service(request, peer);
    }),
    redactor: createRedactor({ ASSAY_TRADE_KEY: 'the-trade-key' }),
    governor: createGovernor({
      waitIn: TYPED_ERRORS.waitIn,
      budget: { maxRequests: 100, maxSeconds: 1_000, maxRejects: 100, ...budget },
      clock,
    }),
    clock,
    version: '1.2.3',
    recorder: { record: (exchange) => recorded.push(exchange) },
    listeners: [(exchange) => heard.push(exchange)],
    ...options,
  });
  return {
    client,
    recorded,
    heard,
    requests,
    send: (request) =>
      clock.run(
        client.send({
          api: 'zap',
          method: 'GET',
          path: '/v1/pools?limit=5',
          purpose: { kind: 'valid' },
          ...request,
        }),
      ),
  };
}

const throttled = (): Response =>
  Response.json({ code: 'RATE_LIMITED', retryAfter: 2 }, { status: 429 });

describe('a request', () => {
  test('is recorded below its base URL, with its purpose and relations', async () => {
    const { send, recorded, heard } = rig();
    const relations = [{ kind: 'sandwich', group: 'g1', role: 'A' }];
    const exchange = await send({ relations });
    expect(exchange).toMatchObject({
      id: 'x00001',
      api: 'zap',
      purpose: { kind: 'valid' },
      relations,
      request: {
        method: 'GET',
        url: 'http://127.0.0.1:1/zap/v1/pools?limit=5',
        path: '/v1/pools?limit=5',
        body: null,
      },
      outcome: { kind: 'response', response: { status: 200 } },
      sentAtMs: 1_000_000,
      latencyMs: 0,
    });
    expect(recorded).toEqual([exchange]);
    expect(heard).toEqual([exchange]);
    expect((await send()).id).toBe('x00002');
  });

  test('has the fields of a client, and no credential', async () => {
    const { send } = rig();
    const { request } = await send({ method: 'POST', path: '/v1/quote', json: { a: '1' } });
    expect(request.headers).toEqual([
      ['Accept', 'application/json'],
      ['Accept-Encoding', 'gzip, br'],
      ['User-Agent', 'assay/1.2.3'],
      ['Content-Type', 'application/json'],
    ]);
    expect(request.body).toEqual({ encoding: 'utf8', text: '{"a":"1"}' });
  });

  test('may replace the fields of the client, and send any bytes', async () => {
    const { send } = rig();
    const { request } = await send({
      method: 'POST',
      headers: [['accept', 'text/yaml']],
      rawBody: Uint8Array.of(0xff, 0x00),
    });
    expect(request.headers.filter(([name]) => /^accept$/i.test(name))).toEqual([
      ['accept', 'text/yaml'],
    ]);
    expect(headerOf(request.headers, 'Content-Type')).toBeUndefined();
    expect(request.body).toEqual({ encoding: 'base64', text: '/wA=' });
  });

  test('has the fields of the user in place of made-up ones, and of its Accept, not of what it is about', async () => {
    const headers = [
      { name: 'X-Tenant', value: 'acme' },
      { name: 'Accept', value: 'text/csv' },
      { api: 'docs', name: 'X-Docs', value: 'only there' },
    ] as const;
    const urls = { zapUrl: 'http://127.0.0.1:1', timeoutMs: 1_000, maxBodyBytes: 1_000_000 };
    const { send } = rig(undefined, { config: { ...urls, headers } });
    const made = { kind: 'probe', about: CONTRACT_PROBE } as const;
    const asked = [
      ['X-Tenant', 'made up'],
      ['X-Docs', 'made up'],
    ] as const;
    const sentAs = async (purpose: Purpose): Promise<(string | undefined)[]> => {
      const { request } = await send({ headers: asked, purpose });
      return ['X-Tenant', 'Accept', 'X-Docs'].map((name) => headerOf(request.headers, name));
    };
    expect(await sentAs(made)).toEqual(['acme', 'text/csv', 'made up']);
    expect(await sentAs({ kind: 'invalid', defect: 'no such tenant' })).toEqual([
      ...['made up', 'text/csv', 'made up'],
    ]);
  });

  test('to an API without a base URL is not made', async () => {
    const { send, requests } = rig();
    await expect(send({ api: 'docs' })).rejects.toThrow(ApiNotConfigured);
    await expect(send({ api: 'docs' })).rejects.toThrow(/--docs-url or ASSAY_DOCS_URL/);
    expect(requests).toEqual([]);
  });

  test('whose path is none, or that has two bodies, is refused', async () => {
    const { send } = rig();
    await expect(send({ path: 'v1/pools' })).rejects.toThrow(TypeError);
    await expect(send({ method: 'POST', json: 1, rawBody: '1' })).rejects.toThrow(TypeError);
  });

  test('a redirect is not followed', async () => {
    const headers = { Location: 'http://127.0.0.1:9/' };
    const { send, requests } = rig(() => new Response(null, { status: 308, headers }));
    const { outcome } = await send({ api: 'trade', credential: { secret: 'ASSAY_TRADE_KEY' } });
    expect(outcome).toMatchObject({ kind: 'response', response: { status: 308 } });
    expect(requests).toHaveLength(1);
  });
});

test('a request that is to be sent once is, also if it is throttled', async () => {
  const { send, requests } = rig(throttled);
  await send({ attempts: 1 });
  expect(requests).toHaveLength(1);
  await send();
  expect(requests).toHaveLength(5);
});

describe('credentials', () => {
  test('go out in clear and are recorded by name', async () => {
    const { send, requests } = rig(() => Response.json({ echo: 'the-trade-key' }));
    const exchange = await send({ api: 'trade', credential: { secret: 'ASSAY_TRADE_KEY' } });
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer the-trade-key');
    expect(headerOf(exchange.request.headers, 'authorization')).toBe('Bearer $ASSAY_TRADE_KEY');
    expect(JSON.stringify(exchange)).not.toContain('the-trade-key');
  });

  test('are not sent with a path that may lead to another API', async () => {
    const { send, requests } = rig();
    await send({
      ...{ api: 'trade', path: '/../zap/v1/quote' },
      credential: { secret: 'ASSAY_TRADE_KEY' },
    });
    expect(requests[0]?.headers.get('authorization')).toBeNull();
  });

  test('made up by the driver stand as they are, others do not', async () => {
    const { send, requests } = rig();
    const own = await send({ credential: { bearer: 'made-up', public: true } });
    const other = await send({ credential: { bearer: 'somebody-elses' } });
    expect(headerOf(own.request.headers, 'Authorization')).toBe('Bearer made-up');
    expect(JSON.stringify(other)).not.toContain('somebody-elses');
    expect(requests[1]?.headers.get('authorization')).toBe('Bearer somebody-elses');
  });

  test('that are claimed in a run reach no record, and can be used by name', async () => {
    const { send, requests, recorded } = rig(() => Response.json({ credential: 'fresh-k3y' }));
    await send({
      secretsIn: (json) => ({ CLAIMED: (json as { credential: string }).credential }),
    });
    await send({ credential: { secret: 'CLAIMED' } });
    expect(requests[1]?.headers.get('authorization')).toBe('Bearer fresh-k3y');
    expect(JSON.stringify(recorded)).not.toContain('fresh-k3y');
    expect(JSON.stringify(recorded[1])).toContain('Bearer $CLAIMED');
  });

  test('are hidden where they are claimed also when they could be words, and nowhere else', async () => {
    const { send, recorded } = rig(() => Response.json({ user_code: 'WDJB-MJHT' }));
    await send({
      secretsIn: (json) => ({ CODE: (json as { user_code: string }).user_code }),
    });
    await send();
    expect(recorded.map(({ outcome }) => JSON.stringify(outcome).includes('WDJB-MJHT'))).toEqual([
      false,
      true,
    ]);
  });

  test('are looked for in successes alone, so that no error loses its code', async () => {
    const { send, recorded } = rig(() => Response.json({ code: 'UNAUTHORIZED' }, { status: 401 }));
    await send({ secretsIn: (json) => ({ CLAIMED: (json as { code: string }).code }) });
    expect(JSON.stringify(recorded)).toContain('UNAUTHORIZED');
  });

  test('that are not there are asked for', async () => {
    const { send } = rig(undefined, { redactor: createRedactor({}) });
    const asked = send({ api: 'trade', credential: { secret: 'ASSAY_TRADE_KEY' } });
    await expect(asked).rejects.toThrow(CredentialMissing);
  });

  test.each<Credential>([
    { secret: 'ASSAY_TRADE_KEY' },
    { like: 'ASSAY_TRADE_KEY', change: 'extended' },
    { secret: 'ASSAY_TRADE_KEY_2' },
  ])('of one API are sent to no other, whoever wrote the request: %j', async (credential) => {
    const { send, requests } = rig();
    for (const api of ['zap', 'docs', 'ai', 'books']) {
      await expect(send({ api, credential })).rejects.toThrow('is sent to the trade API alone');
    }
    expect(requests).toEqual([]);
  });
});

describe('a throttled request', () => {
  test('is sent again after the wait, each attempt an exchange', async () => {
    let rejects = 2;
    const { send, recorded } = rig(() => (rejects-- > 0 ? throttled() : Response.json({})));
    const exchange = await send({ method: 'POST', json: { a: 1 } });
    expect(exchange).toMatchObject({ id: 'x00003', outcome: { response: { status: 200 } } });
    expect(recorded.map(({ id }) => id)).toEqual(['x00001', 'x00002', 'x00003']);
    expect(new Set(recorded.map(({ request }) => JSON.stringify(request))).size).toBe(1);
    const [first = 0, second = 0] = recorded.map(({ sentAtMs }) => sentAtMs);
    expect(second - first).toBeGreaterThanOrEqual(2_000);
  });

  test('is sent four times at most, and the last answer stands', async () => {
    const { send, recorded } = rig(throttled);
    const exchange = await send();
    expect(exchange).toMatchObject({ id: 'x00004', outcome: { response: { status: 429 } } });
    expect(recorded).toHaveLength(4);
  });

  test('is known by its code as well', async () => {
    let rejects = 1;
    const { send, recorded } = rig(() =>
      rejects-- > 0 ? Response.json({ code: 'RATE_LIMITED' }, { status: 503 }) : Response.json({}),
    );
    await send();
    expect(recorded).toHaveLength(2);
  });

  test('other errors are answers', async () => {
    const { send, recorded } = rig(() => Response.json({ code: 'X' }, { status: 503 }));
    await send();
    expect(recorded).toHaveLength(1);
  });
});

describe('the governor', () => {
  test('stops a run at its budget', async () => {
    const { send, recorded } = rig(undefined, {}, { maxRequests: 1 });
    await send();
    await expect(send()).rejects.toThrow(BudgetExceeded);
    expect(recorded).toHaveLength(1);
  });

  test('stops asking an API that does not answer; failures are recorded', async () => {
    const { send, recorded } = rig(undefined, {
      transport: () => Promise.resolve(failed('connect', 'nothing listens at the-trade-key')),
    });
    for (let at = 0; at < 3; at += 1) await send();
    await expect(send()).rejects.toThrow(ApiUnreachable);
    expect(recorded.map(({ outcome }) => outcome)).toEqual(
      Array(3).fill(failed('connect', 'nothing listens at $ASSAY_TRADE_KEY')),
    );
  });
});

test('listeners come and go', async () => {
  const { client, send } = rig();
  const ids: string[] = [];
  const leave = client.listen(({ id }) => ids.push(id));
  await send();
  leave();
  await send();
  expect(ids).toEqual(['x00001']);
});
