import { describe, expect, test } from 'vitest';
import { contractOf, success } from '../../contracts/document/contract-of.testkit.ts';
import type { ExchangeSketch } from '../../contracts/judging/exchange.testkit.ts';
import { CONTRACT_PROBE } from '../../contracts/judging/contract-probe.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import type { ClientRequest } from '../../target/transport/client.ts';
import { answered } from './answered.testkit.ts';
import { watchRefusals } from './refusals.ts';

const contract = await loadContract();
const VALID = { kind: 'valid' } as const;

/** Sends pool lists of limits, asks again twice, and gives the paths that were asked again. */
async function askedAgain(
  answer: (path: string, time: number) => number,
  limits: readonly number[],
  options: { readonly mostRequests?: number; readonly purpose?: ExchangeSketch['purpose'] } = {},
): Promise<string[]> {
  const times = new Map<string, number>();
  const { session, sent } = answered(contract, ({ path }) => {
    const time = (times.get(path) ?? 0) + 1;
    times.set(path, time);
    return { status: answer(path, time), answered: { code: 'BAD_REQUEST' } };
  });
  const watch = watchRefusals(session, options.mostRequests);
  const { purpose = VALID } = options;
  for (const limit of limits) {
    const path = `/v1/pools?limit=${limit}`;
    await session.client.send({ api: 'zap', method: 'GET', path, purpose });
  }
  const before = sent.length;
  await watch.askAgain();
  await watch.askAgain();
  return sent.slice(before).map(({ path }) => path);
}

test('what is refused is asked again twice, three of a kind', async () => {
  const sent = await askedAgain(() => 400, [1, 2, 3, 4, 5]);
  expect(sent).toEqual([1, 1, 2, 2, 3, 3].map((limit) => `/v1/pools?limit=${limit}`));
});

test('what is served the second time is sent until it was refused three times between', async () => {
  const sent = await askedAgain((_, time) => (time % 6 === 1 ? 400 : 200), [1, 2]);
  // The refusals are the 1st, 7th, 13th and 19th; after the last it is served once more.
  expect(sent).toHaveLength(19);
  expect(new Set(sent)).toEqual(new Set(['/v1/pools?limit=1']));
});

test('what is refused once in a run is sent 60 times more and no more', async () => {
  expect(await askedAgain((_, time) => (time === 1 ? 400 : 200), [1])).toHaveLength(61);
});

test('a list that is not there is asked for again, since nothing that it names can be gone', async () => {
  expect(await askedAgain(() => 404, [1])).toHaveLength(2);
});

test('what is asked again is sent as it was, also what a record keeps secret', async () => {
  const { session, sent } = answered(contract, () => ({
    ...{ status: 400, answered: { code: 'BAD_REQUEST' } },
    headers: {},
  }));
  const watch = watchRefusals(session);
  const headers = [['X-API-Key', 'one']] as const;
  await session.client.send({
    ...{ api: 'zap', method: 'GET', path: '/v1/pools', purpose: VALID, headers },
  });
  await watch.askAgain();
  expect(sent.slice(1).map((request) => request.headers)).toEqual([headers, headers]);
});

test('no more is spent on it than is allowed', async () => {
  const sent = await askedAgain((_, time) => (time === 1 ? 400 : 200), [1], { mostRequests: 7 });
  expect(sent).toHaveLength(7);
});

test('what is not there now, and wrong requests, are not asked again', async () => {
  expect(await askedAgain(() => 423, [1])).toEqual([]);
  const purpose = { kind: 'invalid', defect: 'limit beyond the maximum' } as const;
  expect(await askedAgain(() => 400, [1], { purpose })).toEqual([]);
});

test('of an operation of a contract twenty are sent in all, as far as one is served', async () => {
  const { session, sent } = answered(contract, ({ path }) => ({
    status: path === '/v1/config/chains' ? 500 : 200,
  }));
  const watch = watchRefusals(session);
  const purpose = { kind: 'probe', about: CONTRACT_PROBE } as const;
  for (const path of ['/v1/pools', '/v1/config/chains', '/v1/pools?limit=1']) {
    await session.client.send({ api: 'zap', method: 'GET', path, purpose });
  }
  await session.client.send({
    ...{ api: 'zap', method: 'GET', path: '/v1/config/providers', purpose: VALID },
  });
  await watch.sendMore('all');
  expect(sent.slice(4).map(({ path }) => path)).toEqual(
    Array.from({ length: 18 }, () => '/v1/pools'),
  );
});

describe('a thing of a contract', async () => {
  const responses = success({ type: 'object' });
  const parameters = [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }];
  const things = await contractOf({
    '/runs': { get: { operationId: 'runs', responses } },
    '/runs/{id}': {
      parameters,
      get: { operationId: 'run', responses },
      delete: { operationId: 'endRun', responses },
    },
  });
  const purpose = { kind: 'probe', about: CONTRACT_PROBE } as const;
  const asked = (method: string, path: string): ClientRequest => ({
    ...{ api: 'ai', method, path, purpose },
  });

  async function sentAfter(
    first: readonly ClientRequest[],
    statusOf: (number: number) => number = () => 200,
  ): Promise<(which: 'all' | 'things') => Promise<string[]>> {
    const { session, sent } = answered(things, ({ path }, number) => ({
      status: path === '/runs' ? 200 : statusOf(number),
    }));
    const watch = watchRefusals(session);
    for (const request of first) await session.client.send(request);
    return async (which) => {
      const before = sent.length;
      await watch.sendMore(which);
      await watch.askAgain();
      return sent.slice(before).map(({ method, path }) => `${method} ${path}`);
    };
  }

  test('is asked for more often before it may be deleted, and what names none is not', async () => {
    const more = await sentAfter([asked('GET', '/runs'), asked('GET', '/runs/1')]);
    expect(new Set(await more('things'))).toEqual(new Set(['GET /runs/1']));
    expect(new Set(await more('all'))).toEqual(new Set(['GET /runs']));
  });

  test('that was deleted is not asked for any more', async () => {
    const more = await sentAfter([asked('GET', '/runs/1'), asked('DELETE', '/runs/1')]);
    expect(await more('all')).toEqual([]);
  });

  test('that is there at times is asked for until it was gone three times between', async () => {
    const more = await sentAfter([asked('GET', '/runs/1')], (number) =>
      number % 4 === 0 ? 404 : 200,
    );
    const sent = await more('things');
    expect(new Set(sent)).toEqual(new Set(['GET /runs/1']));
    expect(sent.length).toBeGreaterThanOrEqual(12);
  });

  test('that was never there is not asked for again', async () => {
    const more = await sentAfter([asked('GET', '/runs/1')], () => 404);
    expect(await more('all')).toEqual([]);
  });
});
