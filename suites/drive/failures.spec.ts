import { expect, test } from 'vitest';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { PROFILES } from '../../contracts/judging/profile.ts';
import { type ClientRequest, createClient } from '../../target/transport/client.ts';
import { fromFetch } from '../../target/transport/fetch-transport.ts';
import { createGovernor } from '../../target/budget/governor.ts';
import { createRedactor } from '../../target/redaction/redactor.ts';
import { createVirtualClock } from '../../fixtures/clocks/virtual-clock.ts';
import { watchFailures } from './failures.ts';
import { createRandom } from './random.ts';
import { createSession } from './session.ts';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';
import { DRIVEN } from '../service/driving.ts';

const contract = await loadContract();
const VALID = { kind: 'valid' } as const;

/** Sends zap requests to paths, asks again, and gives what was sent by asking again. */
async function askedAgain(
  statusOf: (path: string, time: number) => number,
  paths: readonly string[],
  purpose: { kind: 'valid' } | { kind: 'invalid'; defect: string } = VALID,
  {
    mostRequests = 150,
    of = () => ({}),
    ...more
  }: Partial<ClientRequest> & {
    mostRequests?: number;
    of?: (path: string) => Partial<ClientRequest>;
  } = {},
): Promise<string[]> {
  const clock = createVirtualClock(0);
  const sent: string[] = [];
  const times = new Map<string, number>();
  const client = createClient({
    isThrottled: TYPED_ERRORS.isThrottled,
    config: { zapUrl: 'http://zap.invalid', timeoutMs: 1_000, maxBodyBytes: 100_000 },
    transport: fromFetch(({ url }) => {
      const { pathname, search } = new URL(url);
      const path = pathname + search;
      const time = (times.get(path) ?? 0) + 1;
      times.set(path, time);
      sent.push(path);
      return Promise.resolve(Response.json({}, { status: statusOf(path, time) }));
    }),
    redactor: createRedactor({}),
    governor: createGovernor({
      waitIn: TYPED_ERRORS.waitIn,
      budget: { maxRequests: 500, maxSeconds: 60, maxRejects: 10 },
      clock,
    }),
    clock,
  });
  const session = createSession({
    service: DRIVEN,
    ...{ client, contract, random: createRandom(1), known: [], depth: PROFILES.gate },
    apis: new Set(['zap'] as const),
    keyedCredential: 'none',
    progress: () => undefined,
  });
  const watch = watchFailures(session, mostRequests);
  for (const path of paths)
    await client.send({ api: 'zap', method: 'GET', path, purpose, ...more, ...of(path) });
  sent.length = 0;
  await watch.askAgain();
  await watch.askAgain();
  return sent;
}

const GOOD = '/v1/pools';
const BAD = '/v1/pools?limit=7';

test('what failed is sent until it failed three times, with what is served between', async () => {
  const sent = await askedAgain((path) => (path === BAD ? 500 : 200), [GOOD, BAD]);
  expect(sent).toEqual([GOOD, BAD, GOOD, BAD]);
});

test('what is served the second time was of the moment', async () => {
  const sent = await askedAgain(
    (path, time) => (path === BAD && time === 1 ? 500 : 200),
    [GOOD, BAD],
  );
  expect(sent).toEqual([GOOD, BAD]);
});

test('an outage is given eight chances to be over', async () => {
  const sent = await askedAgain((path) => (path === BAD ? 503 : 200), [GOOD, BAD]);
  expect(sent.filter((path) => path === BAD)).toHaveLength(7);
});

test('what an operation fails in that was never served is sent with another of its API', async () => {
  const statusOf = (path: string, time: number): number =>
    path === GOOD || (path !== BAD && time > 1) ? 200 : 500;
  const [chains, paths] = ['/v1/config/chains', [GOOD, '/v1/config/chains']];
  expect(await askedAgain(statusOf, paths)).toEqual([GOOD, chains]);
});

test('nothing is sent again if nothing was served', async () => {
  expect(await askedAgain(() => 500, [GOOD, BAD])).toEqual([]);
});

test('what is never served whatever the request is sent with others of its operation', async () => {
  const [plain, simulated] = ['/v1/buildTx', '/v1/buildTx?simulated'];
  const of = (path: string): Partial<ClientRequest> => ({
    ...{ method: 'POST', json: { estimateGas: path === simulated } },
  });
  const failing = (path: string): number => (path === simulated ? 500 : 200);
  const sent = await askedAgain(failing, [plain, simulated], VALID, { of });
  expect(sent).toEqual([plain, simulated, plain, simulated]);
});

test('outages take no turn of errors that are certain sooner', async () => {
  const out = [1, 2, 3].map((limit) => `/v1/pools?limit=${limit}`);
  const statusOf = (path: string): number => (path === BAD ? 500 : out.includes(path) ? 503 : 200);
  expect(await askedAgain(statusOf, [GOOD, ...out, BAD])).toContain(BAD);
});

test('three of a kind are sent again, not all', async () => {
  const bad = Array.from({ length: 9 }, (_, at) => `/v1/pools?limit=${at + 1}`);
  const sent = await askedAgain((path) => (path === GOOD ? 200 : 500), [GOOD, ...bad]);
  expect(new Set(sent)).toEqual(new Set([GOOD, ...bad.slice(0, 3)]));
});

test('wrong requests that are errors of the service are sent again, too', async () => {
  const invalid = { kind: 'invalid', defect: 'mistyped limit' } as const;
  expect(await askedAgain(() => 500, [BAD], invalid)).toEqual([BAD, BAD]);
  expect(await askedAgain(() => 400, [BAD], invalid)).toEqual([]);
  expect(await askedAgain(() => 501, [BAD], invalid)).toEqual([]);
});

test('an outage stays one, whatever fails after it', async () => {
  const sent = await askedAgain(
    (path, time) => (path !== BAD ? 200 : time === 1 ? 503 : 500),
    [GOOD, BAD],
  );
  expect(sent.filter((path) => path === BAD)).toHaveLength(4);
});

test('no more is spent on asking again than is allowed', async () => {
  const failing = (path: string): number => (path === BAD ? 503 : 200);
  const sent = await askedAgain(failing, [GOOD, BAD], VALID, { mostRequests: 3 });
  // What was begun with a request that is served ends with the one that failed.
  expect(sent).toEqual([GOOD, BAD, GOOD, BAD]);
});

test('what was sent with a key that is not the session’s own is not sent again', async () => {
  const credential = { bearer: 'a-key-that-was-made-up', public: true } as const;
  const sent = await askedAgain((path) => (path === BAD ? 500 : 200), [GOOD, BAD], VALID, {
    credential,
  });
  expect(sent).toEqual([]);
});
