/** Long because each row is one way in which a node may answer. */

import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { createVirtualClock } from '../../fixtures/clocks/virtual-clock.ts';
import { createRedactor } from '../redaction/redactor.ts';
import { fromFetch } from '../transport/fetch-transport.ts';
import { failed, type Transport } from '../transport/transport.ts';
import { MOST_NODE_REQUESTS } from '../../contracts/run/nodes.ts';
import { createNodes, type NodeAnswer } from './nodes.ts';

const KEY = 'v9fJ2kLmN4pQ7rS1tU8w';
const URL_OF_NODE = `https://node.example/v2/${KEY}`;
const CALL = { method: 'eth_chainId', params: [] };

/** What a node answers, and what is recorded of it. */
async function asked(
  answer: (body: { readonly id: number }, request: Request) => Response | Promise<Response>,
  calls = 1,
): Promise<{ answers: NodeAnswer[]; exchanges: Exchange[]; urls: string[] }> {
  const urls: string[] = [];
  const transport = fromFetch(async (request) => {
    urls.push(request.url);
    return answer((await request.clone().json()) as { id: number }, request);
  });
  return { ...(await throughTransport(transport, calls)), urls };
}

async function throughTransport(
  transport: Transport,
  calls = 1,
  { maxSeconds = 3_600, clock = createVirtualClock(0), url = URL_OF_NODE } = {},
): Promise<{ answers: NodeAnswer[]; exchanges: Exchange[] }> {
  const exchanges: Exchange[] = [];
  const nodes = createNodes({
    setting: { urls: { 1: url }, ofService: false },
    ...{ whyNotAsked: () => undefined, isLocal: true, maxSeconds, clock },
    transports: { any: transport, public: transport },
    redactor: createRedactor({}),
    listeners: [(exchange) => exchanges.push(exchange)],
  });
  const [node] = nodes.ofChain(1, []);
  const answers: NodeAnswer[] = [];
  for (let at = 0; at < calls; at += 1) {
    const answer = await node?.call(CALL);
    if (answer !== undefined) answers.push(answer);
  }
  return { answers, exchanges };
}

const answering =
  (text: string): Transport =>
  () =>
    Promise.resolve({ kind: 'response', status: 200, headers: [], body: Buffer.from(text) });

const json = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), { status });

describe('a call to a node', () => {
  test('gives its result, and is an exchange of the record whose URL names the chain alone', async () => {
    const { answers, exchanges, urls } = await asked(({ id }) => json({ id, result: '0x1' }));
    expect(answers).toStrictEqual([{ kind: 'result', result: '0x1' }]);
    expect(urls).toStrictEqual([URL_OF_NODE]);
    expect(exchanges.map(({ api, request }) => [api, request.url])).toStrictEqual([
      ['rpc', 'rpc:/1'],
    ]);
    expect(JSON.stringify(exchanges)).not.toContain('node.example');
  });

  test('gives an error of the node', async () => {
    const { answers } = await asked(({ id }) =>
      json({ id, error: { code: -32601, message: 'no' } }),
    );
    expect(answers).toStrictEqual([
      { kind: 'error', code: -32601, message: 'no', why: '-32601 no' },
    ]);
  });

  test.each<[string, (body: { readonly id: number }) => Response, RegExp]>([
    ['another id', () => json({ id: 77, result: '0x1' }), /another request/],
    ['HTML', () => new Response('<html>', { status: 503 }), /no JSON-RPC \(HTTP 503\)/],
    ['nothing', ({ id }) => json({ id }), /without a result/],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: '/x' } }),
      /no JSON/,
    ],
    ['a list', ({ id }) => json([{ id, result: '0x1' }]), /no JSON-RPC/],
    ['too much', () => new Response(`"${'x'.repeat(1_100_000)}"`), /too large/],
  ])('fails if the node answers %s', async (_, answer, why) => {
    const { answers } = await asked(answer);
    expect(answers).toStrictEqual([{ kind: 'failed', why: expect.stringMatching(why) as string }]);
  });

  test('is sent once more if the node has enough of them', async () => {
    let sent = 0;
    const { answers, exchanges } = await asked(({ id }) => {
      sent += 1;
      return sent === 1 ? json({}, 429) : json({ id, result: '0x1' });
    });
    expect(answers).toStrictEqual([{ kind: 'result', result: '0x1' }]);
    expect(exchanges).toHaveLength(2);
  });

  test.each([
    ['as long as it says', { headers: { 'retry-after': '2' } }, 2_000],
    ['a second if it says nothing', {}, 1_000],
  ])('is sent once more to a node that throttles after %s', async (_, init, waitMs) => {
    const clock = createVirtualClock(0);
    let sent = 0;
    const transport = fromFetch(async (request) => {
      sent += 1;
      const { id } = (await request.json()) as { id: number };
      return sent === 1 ? new Response('{}', { status: 429, ...init }) : json({ id, result: 1 });
    });
    const { answers } = await throughTransport(transport, 1, { clock });
    expect(answers).toStrictEqual([{ kind: 'result', result: 1 }]);
    expect(clock.nowMs()).toBe(waitMs);
  });

  test.each<[string, (body: { readonly id: number }) => Response]>([
    ['429', () => json({}, 429)],
    ['the error of EIP-1474', ({ id }) => json({ id, error: { code: -32_005, message: 'limit' } })],
    ['an error whose code is 429', ({ id }) => json({ id, error: { code: 429, message: 'no' } })],
    [
      'an error that says so',
      ({ id }) => json({ id, error: { code: -32_000, message: 'Rate limit exceeded' } }),
    ],
  ])('is sent four times to a node that throttles always, by %s', async (_, answer) => {
    const { answers, exchanges } = await asked(answer, 5);
    expect(exchanges).toHaveLength(4);
    expect(answers.at(-1)).toMatchObject({
      why: expect.stringMatching(/as before: it is asked no more$/) as string,
    });
  });

  test('is sent once if a contract reverts by a limit of rates of its own', async () => {
    const error = { code: 3, message: 'execution reverted: rate limit exceeded' };
    const { answers, exchanges } = await asked(({ id }) => json({ id, error }), 3);
    expect(exchanges).toHaveLength(3);
    expect(answers.at(-1)).toMatchObject({ kind: 'error', code: 3 });
  });

  test('is not sent again to a node that asks for a wait beyond its part of the time', async () => {
    const clock = createVirtualClock(0);
    const transport = fromFetch(() =>
      Promise.resolve(new Response('{}', { status: 429, headers: { 'retry-after': '10' } })),
    );
    const { answers, exchanges } = await throughTransport(transport, 1, { maxSeconds: 60, clock });
    expect(exchanges).toHaveLength(1);
    expect(answers).toStrictEqual([
      {
        kind: 'failed',
        why: 'nodes have less time left than the node asks to wait, which is 10 s',
      },
    ]);
    expect(clock.nowMs()).toBe(0);
  });

  test('has no more time than what is left of the part of nodes', async () => {
    const clock = createVirtualClock(0);
    const limits: number[] = [];
    const slow: Transport = async ({ timeoutMs }) => {
      limits.push(timeoutMs);
      await clock.sleep(timeoutMs - 2_000);
      return failed('closed', 'no');
    };
    await throughTransport(slow, 2, { maxSeconds: 60, clock });
    expect(limits).toStrictEqual([9_000, 2_000]);
  });

  test('shows no part of the URL that the node repeats, nor what the network says of it', async () => {
    const echo = await asked(({ id }) =>
      json({ id, error: { code: 1, message: `no such project: ${KEY}` } }),
    );
    const lost = await throughTransport(() =>
      Promise.resolve(failed('connect', `getaddrinfo ENOTFOUND ${URL_OF_NODE}`)),
    );
    const broken = await throughTransport(() => Promise.reject(new Error(URL_OF_NODE)));
    const inResult = await asked(({ id }) => json({ id, result: `0x ${KEY}` }));
    const all = JSON.stringify([echo.exchanges, echo.answers, lost, broken, inResult.exchanges]);
    expect(all).not.toContain(KEY);
    expect(all).not.toContain('node.example');
    expect(all).toContain('repeats a part of its URL');
  });

  test.each([
    ['an error', '{"id":1,"error":{"code":-32000,"message":"bad project s3cr-b"}}'],
    ['an error in other letters', '{"id":1,"error":{"code":-32000,"message":"bad S3CR-B"}}'],
    ['an escaped one', '{"id":1,"error":{"code":-32000,"message":"bad \\u00733cr-b"}}'],
    ['an id', '{"id":"s3cr-b","error":{"code":-32000,"message":"bad"}}'],
    ['a page', '<p>Cannot POST /v2/s3cr-b</p>'],
    ['credentials', `{"error":{"message":"${Buffer.from('us@er:p@ss1').toString('base64')}"}}`],
  ])('shows nothing of a text that repeats a short key: %s', async (_, text) => {
    const transport = answering(text);
    const url = 'https://us%40er:p%40ss1@node.example/v2/s3cr-b';
    const { answers, exchanges } = await throughTransport(transport, 1, { url });
    const all = JSON.stringify([answers, exchanges]);
    expect(all).not.toMatch(/s3cr-b|00733cr/i);
    expect(all).not.toContain(Buffer.from('us@er:p@ss1').toString('base64'));
    expect(all).toContain('repeats a part of its URL');
  });

  test('shows what a node says otherwise, and its results as they are', async () => {
    const url = 'https://node.example/base-mainnet/s3cr-b';
    const said = async (text: string): Promise<unknown> => {
      return (await throughTransport(answering(text), 1, { url })).answers[0];
    };
    const error = '{"id":1,"error":{"code":-32005,"message":"too many requests to base-mainnet"}}';
    expect(await said(error)).toMatchObject({ message: 'too many requests to base-mainnet' });
    expect(await said('{"id":1,"result":"0x5ec4"}')).toMatchObject({ result: '0x5ec4' });
  });

  test.each([
    ['a text', '{"id":1,"result":"bad SHORTKEY"}'],
    ['an escaped one', '{"id":1,"result":"bad shor\\u0074key"}'],
    ['an error of a call', '{"id":1,"result":[{"calls":[{"error":{"message":"shortkey"}}]}]}'],
    ['a name', '{"id":1,"result":{"shortkey":"0x1"}}'],
    ['a member that stands there twice', '{"id":1,"result":"shortkey","result":"0x1"}'],
    ['a member beside it', '{"id":1,"result":"0x1","warning":"shortkey"}'],
  ])('shows nothing of a result that repeats a key of letters: %s', async (_, text) => {
    const url = 'https://node.example/v2/shortkey';
    const { answers, exchanges } = await throughTransport(answering(text), 1, { url });
    expect(answers[0]?.kind).toBe('result');
    expect(JSON.stringify([answers, exchanges])).not.toMatch(/shor(?:t|\\+u0074)key/i);
  });

  test('keeps data of the chain in which a short key stands by chance', async () => {
    const url = 'https://node.example/v2/deadbeef';
    const { answers } = await throughTransport(answering('{"id":1,"result":"0xdeadbeef00"}'), 1, {
      url,
    });
    expect(answers).toStrictEqual([{ kind: 'result', result: '0xdeadbeef00' }]);
  });

  test.each(['content-type', 'retry-after'])(
    'shows no header field that repeats a key of letters: %s',
    async (name) => {
      const url = 'https://node.example/v2/shortkey';
      const body = Buffer.from('{"id":1,"result":"0x1"}');
      const headers = [[name, 'text/shortkey']] as const;
      const transport: Transport = () =>
        Promise.resolve({ kind: 'response', status: 200, headers, body });
      const { exchanges } = await throughTransport(transport, 1, { url });
      expect(JSON.stringify(exchanges)).not.toContain('shortkey');
    },
  );

  test('is not sent once the node has failed three times in a row', async () => {
    const { answers, exchanges } = await throughTransport(
      () => Promise.resolve(failed('timeout', 'slow')),
      5,
    );
    expect(exchanges).toHaveLength(3);
    expect(answers.at(-1)).toStrictEqual({
      kind: 'failed',
      why: 'the node did not answer in time, as before: it is asked no more',
    });
  });

  test('is not sent beyond the budget of the run', async () => {
    const { answers, exchanges } = await asked(
      ({ id }) => json({ id, result: '0x1' }),
      MOST_NODE_REQUESTS + 2,
    );
    expect(exchanges).toHaveLength(MOST_NODE_REQUESTS);
    expect(answers.at(-1)).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining('budget') as string,
    });
  });

  test('is not sent once nodes have taken their part of the time of the run', async () => {
    const clock = createVirtualClock(0);
    const slow: Transport = async () => {
      await clock.sleep(5_000);
      return failed('closed', 'no');
    };
    const { answers, exchanges } = await throughTransport(slow, 4, { maxSeconds: 60, clock });
    expect(exchanges).toHaveLength(2);
    expect(answers.at(-1)).toStrictEqual({
      kind: 'failed',
      why: 'nodes may take 15 % of the time of the run, and no more',
    });
  });
});

test.each([
  ['http://127.0.0.1:8545', true, true],
  ['http://127.0.0.1:8545', false, false],
  ['https://node.example', true, false],
])(
  'the chain of %s may be one for trials, beside a target on loopback %s: %s',
  (url, isLocal, mayRest) => {
    const transport: Transport = () => Promise.resolve(failed('connect', 'no'));
    const [node] = createNodes({
      setting: { urls: { 1: url }, ofService: false },
      ...{ whyNotAsked: () => undefined, isLocal, maxSeconds: 60, clock: createVirtualClock(0) },
      transports: { any: transport, public: transport },
      redactor: createRedactor({}),
    }).ofChain(1, []);
    expect(node?.mayRest).toBe(mayRest);
  },
);

describe('nodes that a service names', () => {
  const ofChain = (ofService: boolean, ...named: string[]): (string | undefined)[] => {
    const transport: Transport = () => Promise.resolve(failed('connect', 'no'));
    const nodes = createNodes({
      setting: { urls: { 1: URL_OF_NODE }, ofService },
      ...{
        whyNotAsked: (url) => (url.includes('10.') ? 'its address is private' : undefined),
        isLocal: false,
        maxSeconds: 60,
      },
      ...{ transports: { any: transport, public: transport }, clock: createVirtualClock(0) },
      redactor: createRedactor({}),
    });
    return nodes.ofChain(2, named).map(({ of }) => of);
  };

  test('are asked by a flag alone, three at most, those that may be', () => {
    const named = ['a', 'b', 'c', 'd'].map((name) => `https://${name}.example`);
    expect(ofChain(false, ...named)).toStrictEqual([]);
    expect(ofChain(true, ...named)).toStrictEqual(['service', 'service', 'service']);
    expect(ofChain(true, 'http://10.example')).toStrictEqual([]);
  });

  test('may all be refused, and then it is known why', () => {
    const whyNone = (ofService: boolean, chainId: number, ...named: string[]) => {
      const transport: Transport = () => Promise.resolve(failed('connect', 'no'));
      return createNodes({
        setting: { urls: { 1: URL_OF_NODE }, ofService },
        whyNotAsked: (url) => (url.includes('10.') ? 'its address is private' : undefined),
        ...{ transports: { any: transport, public: transport }, clock: createVirtualClock(0) },
        ...{ isLocal: false, maxSeconds: 60, redactor: createRedactor({}) },
      }).whyNone(chainId, named);
    };
    const refused = 'no node that the service names may be asked: its address is private';
    expect(whyNone(true, 2, 'https://10.example')).toBe(refused);
    expect(whyNone(true, 2)).toBe('the service names no node of it');
    expect(whyNone(true, 2, 'https://10.example', 'https://a.example')).toBeUndefined();
    expect(whyNone(true, 1, 'https://10.example')).toBeUndefined();
    expect(whyNone(false, 2, 'https://10.example')).toBeUndefined();
  });

  test('are those on this machine alone if there is one', () => {
    expect(ofChain(true, 'https://a.example', 'http://127.0.0.1:1')).toHaveLength(1);
  });
});
