import { describe, expect, test } from 'vitest';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import {
  createCache,
  createReferenceService,
  defaultReferenceOptions,
  type ReferenceService,
} from '../../../fixtures/service/reference/index.ts';
import { stillMeant } from '../../../fixtures/arbitraries/still-meant.ts';
import { createClient } from '../../../target/transport/client.ts';
import { fromFetch } from '../../../target/transport/fetch-transport.ts';
import { createGovernor } from '../../../target/budget/governor.ts';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import { createVirtualClock } from '../../../fixtures/clocks/virtual-clock.ts';
import { API_NAMES } from '../../../contracts/service/wire/apis.ts';
import type { ApiName } from '../../../contracts/wire/exchange.ts';
import { SERVICE_MIXES } from '../../../load/service/mixes.ts';
import { createRandom } from '../../drive/random.ts';
import { createSession } from '../../drive/session.ts';
import { IN_PROCESS_URLS } from '../in-process-urls.ts';
import { type PreparedMix, prepareMix } from './prepare-mix.ts';
import { TYPED_ERRORS } from '../../../contracts/service/wire/error-body.ts';
import { DRIVEN } from '../driving.ts';

const contract = await loadContract();
const cache = createCache();

interface Wish {
  readonly seed?: number;
  readonly mix?: Readonly<Record<string, number>>;
  readonly apis?: readonly ApiName[];
  readonly maxRequests?: number;
  readonly refuse?: (path: string, body: string) => boolean;
  /** Whether nothing answers. */
  readonly isDown?: (path: string) => boolean;
  /** Whether a web page is given in place of an answer. */
  readonly isSite?: boolean;
}

async function prepared(wish: Wish = {}): Promise<PreparedMix & { readonly sent: Exchange[] }> {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const random = createRandom(1);
  const environment = {
    now: () => clock.nowMs(),
    randomUint32: () => random.integer(0, 0xffffffff),
  };
  const options = defaultReferenceOptions({ seed: 1, environment, baseUrls: IN_PROCESS_URLS });
  const service: ReferenceService = createReferenceService({ ...options, cache });
  const { zap: zapUrl, trade: tradeUrl, docs: docsUrl } = IN_PROCESS_URLS;
  const sent: Exchange[] = [];
  const governor = createGovernor({
    waitIn: TYPED_ERRORS.waitIn,
    budget: { maxRequests: wish.maxRequests ?? 1_000, maxSeconds: 600, maxRejects: 10 },
    clock,
  });
  const client = createClient({
    isThrottled: TYPED_ERRORS.isThrottled,
    config: { zapUrl, tradeUrl, docsUrl, timeoutMs: 10_000, maxBodyBytes: 4_194_304 },
    transport: fromFetch(async (request, { sourceAddress }) => {
      const { pathname } = new URL(request.url);
      if (wish.isDown?.(pathname) === true) throw new TypeError('fetch failed');
      if (wish.isSite === true) return new Response('<!doctype html><title>Hello</title>');
      const body = wish.refuse === undefined ? '' : await request.clone().text();
      if (wish.refuse?.(pathname, body) === true) {
        const error = { status: 503, code: 'BUSY', message: 'busy', requestId: 'r' };
        return Response.json(error, { status: 503 });
      }
      const api = API_NAMES.find((name) => request.url.startsWith(IN_PROCESS_URLS[name])) ?? 'docs';
      return service.fetch(api, request, sourceAddress);
    }),
    redactor: createRedactor({}),
    governor,
    clock,
    listeners: [(exchange) => sent.push(exchange)],
  });
  const session = createSession({
    service: DRIVEN,
    ...{ client, contract, random: createRandom(wish.seed ?? 5), known: [] },
    apis: new Set(wish.apis ?? ['zap', 'trade', 'docs']),
    keyedCredential: 'none',
    depth: {
      chainsAsked: 4,
      lifeCycles: 1,
      contractDepth: { requestsPerOperation: 1, mostRequests: 1 },
    },
    clock: governor,
    progress: () => undefined,
  });
  const mix = wish.mix ?? SERVICE_MIXES.usual;
  const made = await prepareMix(session, { seed: wish.seed ?? 5, mix, requestsEach: 6 });
  await service.close();
  return { ...made, sent };
}

function textsOf({ requests }: Pick<PreparedMix, 'requests'>): string[] {
  return requests.map(
    ({ operation, request: { path, headers = [], rawBody = '' } }) =>
      `${operation} ${path} ${JSON.stringify(headers)} ${typeof rawBody === 'string' ? rawBody : ''}`,
  );
}

describe('a mix', () => {
  test('has requests to each operation that were served before, all different', async () => {
    const { requests, notices, sent } = await prepared();
    expect(notices).toEqual([]);
    const counts = Object.fromEntries(
      Object.keys(SERVICE_MIXES.usual).map((id) => [
        id,
        requests.filter(({ operation }) => operation === id).length,
      ]),
    );
    expect(counts).toEqual({
      'zap.quote': 6,
      'zap.build-tx': 6,
      'zap.pools': 6,
      'zap.pool-details': 6,
      'zap.chains': 1,
      'zap.providers': 1,
      'trade.build-tx': 6,
    });
    expect(new Set(textsOf({ requests })).size).toBe(requests.length);
    const served = new Set(
      sent.flatMap(({ request, outcome }) =>
        outcome.kind === 'response' && outcome.response.status === 200
          ? [`${request.path} ${request.body?.text ?? ''}`]
          : [],
      ),
    );
    for (const { operation, request } of requests) {
      const { api, method, path, headers, rawBody, purpose } = request;
      expect(served).toContain(`${path} ${typeof rawBody === 'string' ? rawBody : ''}`);
      expect(purpose).toEqual({ kind: 'valid' });
      expect(contract.find(api, method, path)?.id).toBe(operation);
      const body = typeof rawBody === 'string' ? { body: rawBody } : {};
      const fields = headers === undefined ? {} : { headers };
      expect(stillMeant(contract, { api, method, path, purpose, ...fields, ...body })).toBe(true);
    }
  });

  test('is the same for a seed, and another for another', async () => {
    const mix = { 'zap.quote': 1, 'trade.build-tx': 1 };
    const [one, same, other] = await Promise.all([
      prepared({ mix }),
      prepared({ mix }),
      prepared({ mix, seed: 6 }),
    ]);
    expect(textsOf(one)).toEqual(textsOf(same));
    expect(textsOf(one)).not.toEqual(textsOf(other));
  });

  test('has nothing that was refused, and says what it lacks', async () => {
    const { requests, unserved, notices } = await prepared({
      mix: { 'zap.quote': 1, 'zap.pool-details': 1 },
      refuse: (path, body) => path === '/v1/pool/details' || body.includes('"slippage":1,'),
    });
    expect(unserved).toEqual(['zap.pool-details']);
    expect(notices).toEqual([
      'zap.pool-details was left out of the mix: none of 18 requests tried for it was served.',
    ]);
    expect(requests.length).toBeGreaterThan(0);
    expect(
      requests.every(({ request }) => !String(request.rawBody).includes('"slippage":1,')),
    ).toBe(true);
  });

  test('takes a web page for no answer', async () => {
    const { requests, unserved } = await prepared({ mix: { 'zap.chains': 1 }, isSite: true });
    expect([requests, unserved]).toEqual([[], ['zap.chains']]);
  });

  test('tries no more of an operation of which several requests were not answered', async () => {
    const unanswered = '/buildTx';
    const mix = { 'zap.build-tx': 1 };
    let asked = 0;
    const isDown = (path: string): boolean => path.endsWith(unanswered) && (asked += 1) % 2 === 1;
    const { requests, sent } = await prepared({ isDown, mix });
    const builds = sent.filter(({ request }) => new URL(request.url).pathname.endsWith(unanswered));
    const failed = builds.filter(({ outcome }) => outcome.kind === 'failure');
    expect([requests.length, builds.length, failed.length]).toEqual([2, 5, 3]);
  });

  test('leaves out an API without a URL', async () => {
    const mix = { 'zap.chains': 1, 'trade.build-tx': 1 };
    const { requests, unserved, notices } = await prepared({ mix, apis: ['zap'] });
    expect(unserved).toEqual([]);
    expect(requests.map(({ operation }) => operation)).toEqual(['zap.chains']);
    expect(notices).toEqual(['trade.build-tx was left out of the mix: its API has no URL.']);
  });

  test('keeps what it has when the budget ends, and says so', async () => {
    const { requests, notices, sent } = await prepared({ maxRequests: 50 });
    expect(sent.length).toBe(50);
    expect(requests.length).toBeLessThan(32);
    // An option for it there is none.
    expect(notices).toEqual([
      'Of preparing the mix the budget of 50 requests is used up, and no option allows it more: no more requests are prepared.',
    ]);
  });

  test('does not say that an API is asked no more, as the load asks it', async () => {
    let calls = 0;
    const { requests, notices } = await prepared({
      mix: { 'zap.quote': 1, 'zap.build-tx': 1 },
      isDown: (path) => /^\/v1\/(?:quote|buildTx)$/.test(path) && (calls += 1) > 2,
    });
    expect(requests.length).toBeGreaterThan(0);
    expect(notices[0]).toMatch(
      /^the zap API did not answer 3 times .*; the client that prepares the load sends it no more requests, .*\. It answered/,
    );
  });
});
