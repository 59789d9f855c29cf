/** Long because each of its tests drives a contract of its own and says all that was sent. */

import { beforeAll, describe, expect, test } from 'vitest';
import { contractOf, success } from '../../contracts/document/contract-of.testkit.ts';
import { judge } from '../../contracts/judging/judge.ts';
import type { ContractDepth } from '../../contracts/judging/profile.ts';
import { PROFILES } from '../../contracts/judging/profile.ts';
import { rulesFor } from '../../contracts/service/registry.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { createClient } from '../../target/transport/client.ts';
import { fromFetch } from '../../target/transport/fetch-transport.ts';
import { createGovernor } from '../../target/budget/governor.ts';
import { createRedactor } from '../../target/redaction/redactor.ts';
import { createVirtualClock } from '../../fixtures/clocks/virtual-clock.ts';
import { driveContract } from './contract.ts';
import { createRandom } from './random.ts';
import type { Defect } from './runs-runtime.testkit.ts';
import { LONGEST, MOST, RUNS_CONTRACT, runsRuntime } from './runs-runtime.testkit.ts';
import { createSession } from './session.ts';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';
import { DRIVEN } from '../service/driving.ts';

let contract: Contract;

beforeAll(async () => {
  const { paths, components } = RUNS_CONTRACT;
  contract = await contractOf(paths, components);
});

interface Driven {
  readonly notices: readonly string[];
  readonly exchanges: readonly Exchange[];
  /** What was sent, as method, path and body. */
  readonly sent: readonly string[];
}

async function driven(
  service: (request: Request) => Promise<Response>,
  depth?: ContractDepth,
  givenContract: Contract = contract,
  baseUrls: { readonly aiUrl: string } = { aiUrl: 'http://ai.invalid' },
): Promise<Driven> {
  const clock = createVirtualClock(0);
  const exchanges: Exchange[] = [];
  const client = createClient({
    isThrottled: TYPED_ERRORS.isThrottled,
    config: { ...baseUrls, timeoutMs: 1_000, maxBodyBytes: 100_000 },
    transport: fromFetch(service),
    redactor: createRedactor({}),
    governor: createGovernor({
      waitIn: TYPED_ERRORS.waitIn,
      budget: { maxRequests: 500, maxSeconds: 60, maxRejects: 10 },
      clock,
    }),
    clock,
    listeners: [(exchange) => exchanges.push(exchange)],
  });
  const session = createSession({
    service: DRIVEN,
    client,
    contract: givenContract,
    random: createRandom(1),
    apis: new Set(['ai'] as const),
    baseUrls: { ai: baseUrls.aiUrl },
    known: [],
    depth: PROFILES.gate,
    keyedCredential: 'none',
    progress: () => undefined,
  });
  const { ask, askDeletes } = driveContract(session, 'ai', depth);
  const notices = [...(await ask()), ...((await askDeletes?.()) ?? [])];
  const sent = exchanges.map(({ request: { method, path, body } }) =>
    [method, path, ...(body === null ? [] : [body.text])].join(' '),
  );
  return { notices, exchanges, sent };
}

/** Rules that did not hold, with their verdicts. */
function troubles(exchanges: readonly Exchange[]): Readonly<Record<string, string>> {
  const results = judge(rulesFor(contract), contract, exchanges);
  return Object.fromEntries(
    results
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
      .map(({ rule, verdict }) => [rule.id, verdict]),
  );
}

test('every operation of a contract is asked, at the edges of what it allows', async () => {
  const { sent, exchanges, notices } = await driven(runsRuntime('none'));
  expect([notices, troubles(exchanges)]).toEqual([[], {}]);
  expect(sent).toContain(`GET /runs?limit=${MOST}`);
  expect(sent).toContain('GET /runs?limit=1');
  expect(sent).toContain('GET /runs?state=done');
  expect(sent).toContain('POST /runs {"tool":"text"}');
  expect(sent).toContain(`POST /runs {"tool":"${'a'.repeat(LONGEST)}"}`);
  expect(exchanges.every(({ purpose }) => purpose.kind === 'probe')).toBe(true);
});

test('ids are those that the target stated, and what deletes comes last', async () => {
  const { sent } = await driven(runsRuntime('none'));
  expect(sent).toContain('GET /runs/run-1');
  const firstDelete = sent.findIndex((line) => line.startsWith('DELETE'));
  expect(sent[firstDelete]).toBe('DELETE /runs/run-2');
  expect(sent.slice(firstDelete).every((line) => line.startsWith('DELETE'))).toBe(true);
});

const answering =
  (answer: (request: Request) => Response) =>
  (request: Request): Promise<Response> =>
    Promise.resolve(answer(request));

test('what was asked for is not deleted while there is another, and a lone one is', async () => {
  const { sent } = await driven(runsRuntime('none'));
  const isDelete = (line: string): boolean => line.startsWith('DELETE');
  const deleted = sent.filter(isDelete).map((line) => line.replace('DELETE', 'GET'));
  expect(deleted).not.toContain(sent.find((line) => line.startsWith('GET /runs/run-')));
  let isThere = true;
  const lone = await driven(
    answering((request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/runs') return Response.json({ runs: [{ id: 'run-1' }] });
      if (pathname !== '/runs/run-1' || !isThere) return new Response(null, { status: 404 });
      isThere = request.method !== 'DELETE';
      return isThere ? Response.json({ id: 'run-1' }) : new Response(null, { status: 204 });
    }),
  );
  expect(lone.sent).toContain('DELETE /runs/run-1');
});

test('an id that belongs to the first of its kind alone is deleted all the same', async () => {
  const { sent } = await driven(
    answering((request) => {
      const { pathname } = new URL(request.url);
      const runs = [{ id: 'run-1', owner: { id: 'somebody' } }];
      if (pathname === '/runs') return Response.json({ runs });
      return pathname === '/runs/run-1'
        ? Response.json(runs[0])
        : new Response(null, { status: 404 });
    }),
  );
  expect(sent).toContain('DELETE /runs/run-1');
});

test('requests are bounded, for each operation and in all, and the same ones each time', async () => {
  const whole = await driven(runsRuntime('none'));
  expect(whole.sent.filter((line) => line.startsWith('POST')).length).toBe(7);
  expect((await driven(runsRuntime('none'))).sent).toEqual(whole.sent);
  const plain = await driven(runsRuntime('none'), { requestsPerOperation: 1, mostRequests: 150 });
  expect(plain.sent).toEqual([
    'GET /runs',
    'POST /runs {"tool":"text"}',
    'GET /runs/run-1',
    'DELETE /runs/run-2',
  ]);
  const few = await driven(runsRuntime('none'), { requestsPerOperation: 7, mostRequests: 3 });
  expect(few.sent.map((line) => line.split('?')[0])).toEqual([
    ...plain.sent.slice(0, 3),
    'GET /runs',
    expect.stringMatching(/^POST/),
    expect.stringMatching(/^GET \/runs\//),
    // Each is asked once, whatever the others took.
    'DELETE /runs/run-2',
  ]);
  expect(few.notices).toEqual([]);
});

test('what cannot be asked is reported, and what is not there or not allowed is left alone', async () => {
  const responses = { 200: { description: 'Anything.' } };
  const q = { name: 'q', in: 'query', schema: { enum: ['a', 'b'] } };
  const other = await contractOf({
    '/absent': { get: { operationId: 'absent', parameters: [q], responses } },
    '/secret': { get: { operationId: 'secret', parameters: [q], responses } },
    '/odd': {
      get: { operationId: 'odd', parameters: [{ ...q, required: true, schema: false }], responses },
    },
  });
  const service = (request: Request): Promise<Response> =>
    Promise.resolve(new Response(null, { status: request.url.includes('secret') ? 401 : 404 }));
  const { sent, notices, exchanges } = await driven(service, undefined, other);
  expect(sent).toEqual(['GET /absent', 'GET /absent', 'GET /secret']);
  const judged = judge(rulesFor(other), other, exchanges);
  const presence = judged.filter(({ rule }) => rule.id.endsWith('.is-there'));
  expect(presence.map(({ rule, verdict }) => [rule.id, verdict])).toEqual([
    ['ai.absent.is-there', 'warn'],
    ['ai.secret.is-there', 'not-reached'],
    ['ai.odd.is-there', 'not-reached'],
  ]);
  expect(notices).toEqual([
    'ai.odd (GET /odd) was not asked: it needs the query parameter q, and no value was found that satisfies its schema.',
  ]);
});

test('what HTTP does not let a client set is left out, reported, and does not end the drive', async () => {
  const responses = { 200: { description: 'Anything.' } };
  const header = (name: string, required: boolean): object => ({
    parameters: [{ name, in: 'header', required, schema: { enum: ['chunked'] } }],
    responses,
  });
  const other = await contractOf({
    '/a': { get: { operationId: 'a', ...header('Transfer-Encoding', true) } },
    '/b': { get: { operationId: 'b', ...header('Host', false) } },
    '/c': { get: { operationId: 'c', ...header('x y', true) } },
    '/d e': { get: { operationId: 'd', responses } },
    '/f': { get: { operationId: 'f', ...header('X-Kind', true) } },
    '/g': {
      get: {
        operationId: 'g',
        parameters: [
          { name: 'X-G', in: 'header', required: true, schema: { enum: ['a\r\nb: c'] } },
        ],
        responses,
      },
    },
  });
  const ok = (): Promise<Response> => Promise.resolve(new Response('{}'));
  const { sent, notices } = await driven(ok, undefined, other);
  expect([...new Set(sent)]).toEqual(['GET /b', 'GET /f']);
  expect(notices).toEqual([
    'ai.a (GET /a) was not asked: it needs the header parameter Transfer-Encoding, and HTTP itself writes the field Transfer-Encoding.',
    'A parameter of ai.b (GET /b) was left out: HTTP itself writes the field Host.',
    'ai.c (GET /c) was not asked: it needs the header parameter x y, and "x y" is no name of a field.',
    'ai.d (GET /d e) was not asked: it has a path that cannot be sent: HTTP takes no path such as "/d e".',
    'ai.g (GET /g) was not asked: it needs the header parameter X-G, and none of its values can be sent there.',
  ]);
});

test.each<[Defect, Readonly<Record<string, string>>]>([
  ['numeric ids at the maximum', { 'ai.runs.response-shape': 'fail' }],
  ['a state that is not stated, of done runs', { 'ai.runs.response-shape': 'fail' }],
  [
    'fails on steps in steps',
    // Each of several requests failed, and none was sent again here.
    { 'ai.start.no-server-error': 'warn', 'ai.errors.rarely-of-the-service': 'fail' },
  ],
  ['errors of another shape', { 'ai.run.error-shape': 'fail', 'ai.drop.error-shape': 'fail' }],
  ['says 200 if it starts', { 'ai.start.stated-status': 'warn' }],
])('finds what is wrong, and nothing else: %s', async (defect, expected) => {
  const { exchanges } = await driven(runsRuntime(defect));
  expect(troubles(exchanges)).toEqual(expected);
});

test('what makes something comes before what changes it, and both after what only reads', async () => {
  const responses = { 200: { description: 'Anything.' } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { enum: ['one'] } }];
  const other = await contractOf({
    '/things': {
      put: { operationId: 'change', responses },
      post: { operationId: 'make', responses },
      get: { operationId: 'read', responses },
    },
    '/things/{id}': { parameters, get: { operationId: 'one', responses } },
  });
  const ok = (): Promise<Response> => Promise.resolve(new Response('{}'));
  const depth = { requestsPerOperation: 1, mostRequests: 9 };
  const { sent } = await driven(ok, depth, other);
  expect(sent).toEqual(['GET /things', 'POST /things', 'PUT /things', 'GET /things/one']);
});

test('an id that is not known says nothing of the operation, which is asked for others', async () => {
  const responses = { 200: { description: 'Anything.' } };
  const schema = { enum: ['one', 'two', 'three'] };
  const other = await contractOf({
    '/things/{id}': {
      get: {
        operationId: 'one',
        parameters: [{ name: 'id', in: 'path', required: true, schema }],
        responses,
      },
    },
  });
  const none = (): Promise<Response> => Promise.resolve(new Response(null, { status: 404 }));
  const { sent } = await driven(none, undefined, other);
  expect(new Set(sent)).toEqual(new Set(schema.enum.map((id) => `GET /things/${id}`)));
});

/** A service whose operations are below a path; elsewhere it answers as a router does. */
function servedBelow(prefix: string): (request: Request) => Promise<Response> {
  return (request) => {
    const { pathname } = new URL(request.url);
    const isThere = [`${prefix}/all`, `${prefix}/one/1`].includes(pathname);
    const json = { headers: { 'content-type': 'application/json' } };
    return Promise.resolve(
      isThere ? new Response('{"n":1}', json) : new Response('<h1>Not here</h1>', { status: 404 }),
    );
  };
}

describe('operations below the path of a server', () => {
  const thing = { type: 'object', required: ['n'] };
  const error = { description: 'any', content: { 'application/json': { schema: thing } } };
  const responses = { ...success(thing), default: error };
  const id = { name: 'id', in: 'path', required: true, schema: { enum: ['1'] } };
  const item = { servers: [{ url: 'https://ai.example/api/v1' }] };
  const stated = (): Promise<Contract> =>
    contractOf({
      '/all': { ...item, get: { operationId: 'all', responses } },
      '/one/{id}': { ...item, parameters: [id], get: { operationId: 'one', responses } },
      '/none': { ...item, get: { operationId: 'none', responses } },
    });

  test.each([
    ['', ''],
    ['', '/api/v1'],
    ['/api/v1', '/api/v1'],
  ])(
    'are found by a base URL ending in "%s" where the service has them at "%s"',
    async (base, at) => {
      const other = await stated();
      const { exchanges, notices } = await driven(servedBelow(at), undefined, other, {
        aiUrl: `http://ai.invalid${base}`,
      });
      const judged = judge(rulesFor(other), other, exchanges);
      const verdicts = judged.filter(({ rule }) => rule.id.endsWith('.is-there'));
      expect(verdicts.map(({ rule, verdict }) => `${rule.id} ${verdict}`)).toEqual([
        'ai.all.is-there pass',
        'ai.one.is-there pass',
        'ai.none.is-there warn',
      ]);
      const broken = judged.filter(({ verdict }) => verdict === 'fail');
      // Where the operations are is known by then, so that its answer is one of the operation.
      expect(broken.map(({ rule }) => rule.id)).toEqual(['ai.none.body-is-json']);
      expect(notices).toEqual([]);
    },
  );

  test('are not asked of another host of the contract', async () => {
    const other = await contractOf({
      '/all': { servers: [{ url: 'http://ai.invalid' }], get: { operationId: 'all', responses } },
      '/file': {
        servers: [{ url: 'http://cdn.invalid' }],
        get: { operationId: 'file', responses },
      },
    });
    const { sent, notices } = await driven(servedBelow(''), undefined, other, {
      aiUrl: 'http://ai.invalid',
    });
    expect(new Set(sent)).toEqual(new Set(['GET /all']));
    expect(notices).toEqual([
      'ai.file (GET /file) was not asked: the contract states another server for it.',
    ]);
  });
});
