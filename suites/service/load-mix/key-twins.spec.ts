import { describe, expect, test } from 'vitest';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { judge } from '../../../contracts/judging/judge.ts';
import { REGISTRY, RULES } from '../../../contracts/service/registry.ts';
import { exchangeOf, type ExchangeSketch } from '../../../contracts/judging/exchange.testkit.ts';
import type { LoadViolation } from '../../../contracts/run/load/load-run.ts';
import { type Exchange, headerOf } from '../../../contracts/wire/exchange.ts';
import type { ClientRequest } from '../../../target/transport/client.ts';
import { createEventClock } from '../../../fixtures/clocks/event-clock.ts';
import type { PreparedRequest } from '../../../load/engine.ts';
import { scenarioOf, steady } from '../../../load/samples/sample.testkit.ts';
import { scheduleOf } from '../../../load/scenarios/schedule.ts';
import { startKeyTwins } from './key-twins.ts';

const contract = await loadContract();
const rules = REGISTRY.underLoad(RULES);
const TWINS = 'zap.idempotency-key.twins-are-served';
const START_MS = Date.UTC(2026, 0, 1);

function prepared(own: Partial<ClientRequest> = {}, operation = 'zap.quote'): PreparedRequest {
  const request: ClientRequest = {
    ...{ api: 'zap', method: 'POST', path: '/v1/quote', json: {}, purpose: { kind: 'valid' } },
    ...own,
  };
  return { operation, request };
}

/** What is answered to a request with a key, in the order of its pair, or without. */
type Answers = (
  request: ClientRequest,
  keyed: { readonly isKeyed: boolean; readonly isFirst: boolean; readonly atMs: number },
) => Pick<ExchangeSketch, 'status' | 'failure'>;

interface Reported {
  readonly exchanges: readonly Exchange[];
  readonly keys: readonly string[];
  readonly violations: readonly LoadViolation[];
  readonly verdict: string | undefined;
  readonly together: boolean;
}

async function reported(
  answers: Answers,
  requests: readonly PreparedRequest[] = [prepared()],
  seconds = 20,
): Promise<Reported> {
  const clock = createEventClock(START_MS);
  const scenario = scenarioOf([
    steady(100, seconds / 2, 'calm'),
    steady(300, seconds / 2, 'crowd'),
  ]);
  const exchanges: Exchange[] = [];
  const keys: string[] = [];
  const seen = new Set<string>();
  let [number, inHand, together] = [0, 0, true];
  const twins = startKeyTwins({
    ...{ contract, rules, requests, scenario, clock, schedule: scheduleOf(scenario) },
    newKey: () => `key-${(keys.length >> 1) + 1}`,
    client: {
      send: async (request) => {
        number += 1;
        const id = `x${String(number).padStart(5, '0')}`;
        const key = headerOf(request.headers ?? [], 'Idempotency-Key');
        if (key !== undefined) keys.push(key);
        const isFirst = key !== undefined && !seen.has(key);
        if (key !== undefined) seen.add(key);
        inHand += 1;
        const sentAtMs = clock.nowMs();
        await clock.sleep(30);
        together &&= inHand === 2 || inHand === 1;
        inHand -= 1;
        const { api, method, path, purpose, relations = [] } = request;
        const answer = answers(request, {
          ...{ isKeyed: key !== undefined, isFirst, atMs: sentAtMs - START_MS },
        });
        const sketch = { id, api, method, path, purpose, sent: {}, ...answer };
        return { ...exchangeOf(sketch), relations, sentAtMs, latencyMs: 30 };
      },
    },
    keep: (exchange) => exchanges.push(exchange) > 0,
    signal: new AbortController().signal,
  });
  await clock.sleep(1000 * seconds);
  const violations = await twins.end();
  const result = judge(rules, contract, exchanges).find(({ rule }) => rule.id === TWINS);
  expect(twins.sent()).toBe(exchanges.length);
  return { exchanges, keys, violations, verdict: result?.verdict, together };
}

const SERVED = { status: 200 } as const;

describe('two requests with one key at once', () => {
  test('are sent again and again, each time with a key of their own, as few beside the load', async () => {
    const { exchanges, keys, violations, verdict, together } = await reported(() => SERVED);
    // 4,000 requests of the load, and one in a hundred.
    expect(exchanges.length).toBeGreaterThanOrEqual(30);
    expect(exchanges.length).toBeLessThanOrEqual(40);
    expect(new Set(keys).size).toBe(keys.length / 2);
    expect(together).toBe(true);
    expect(exchanges.every(({ id }) => id.startsWith('t'))).toBe(true);
    expect([violations, verdict]).toEqual([[], 'pass']);
  });

  test.each<[string, Answers]>([
    [
      'the later is refused',
      (_, { isKeyed, isFirst }) => ({ status: isKeyed && !isFirst ? 409 : 200 }),
    ],
    ['nobody is served, with a key or without', () => ({ status: 409 })],
    [
      'without a key some are refused, too',
      (() => {
        let bare = 0;
        return (_: ClientRequest, { isKeyed }: { readonly isKeyed: boolean }) => {
          if (isKeyed) return { status: 409 };
          bare += 1;
          return { status: bare % 6 === 0 ? 400 : 200 };
        };
      })(),
    ],
    [
      'one of them fails for lack of capacity',
      (_, { isKeyed, isFirst }) => ({ status: isKeyed && isFirst ? 500 : 200 }),
    ],
    ['both fail for lack of capacity', (_, { isKeyed }) => ({ status: isKeyed ? 503 : 200 })],
    [
      'one is throttled, the other has to wait for it',
      (_, { isKeyed, isFirst }) => ({ status: isKeyed ? (isFirst ? 429 : 409) : 200 }),
    ],
    [
      'one is never answered',
      (_, { isKeyed, isFirst }) =>
        isKeyed && isFirst ? { failure: 'timeout' } : { status: isKeyed ? 409 : 200 },
    ],
    [
      'all but the first two rounds are served',
      (() => {
        let sent = 0;
        return (_: ClientRequest, { isKeyed }: { readonly isKeyed: boolean }) => {
          if (isKeyed) sent += 1;
          return { status: isKeyed && sent <= 4 ? 409 : 200 };
        };
      })(),
    ],
  ])('are no finding if %s', async (what, answers) => {
    const { violations, verdict, exchanges } = await reported(answers);
    // Who has no room is not asked for more.
    if (what.includes('room')) expect(exchanges.length).toBeLessThanOrEqual(40);
    expect(violations).toEqual([]);
    expect(['pass', 'not-reached']).toContain(verdict);
  });

  test('are one if neither is served in a crowd, and all are without a key', async () => {
    const { violations, verdict } = await reported((_, { isKeyed, atMs }) => ({
      status: isKeyed && atMs >= 10_000 ? 409 : 200,
    }));
    expect(verdict).toBe('warn');
    expect(violations).toMatchObject([{ rule: TWINS, firstStep: 1 }]);
    expect(violations[0]?.bySteps[0]).toMatchObject({ broken: 0 });
  });
});

test('nothing is sent if no request may carry a key, or the load is too small', async () => {
  const get = prepared({ method: 'GET', path: '/v1/pools' }, 'zap.pools');
  const keyed = prepared({ headers: [['idempotency-key', 'mine']] });
  const probe = prepared({ purpose: { kind: 'probe', about: 'x' } });
  const other = prepared({}, 'zap.other');
  expect((await reported(() => SERVED, [get, keyed, probe, other])).exchanges).toEqual([]);
  expect((await reported(() => SERVED, [prepared()], 0.5)).exchanges).toEqual([]);
});

test('each operation has its turn', async () => {
  const build = prepared({ path: '/v1/buildTx' }, 'zap.build-tx');
  const { exchanges } = await reported(() => SERVED, [prepared(), prepared(), prepared(), build]);
  const paths = exchanges.map(({ request }) => request.path);
  expect(paths.slice(0, 8)).toEqual([
    ...['/v1/quote', '/v1/quote', '/v1/buildTx', '/v1/buildTx'],
    ...['/v1/quote', '/v1/quote', '/v1/quote', '/v1/quote'],
  ]);
});

test('a pair that hangs is waited for no longer than two seconds after an interruption', async () => {
  const clock = createEventClock(START_MS);
  const scenario = scenarioOf([steady(100, 20)]);
  const exchanges: Exchange[] = [];
  const interruption = new AbortController();
  let [served, hung] = [0, 0];
  const twins = startKeyTwins({
    ...{ contract, rules, requests: [prepared()], scenario, clock },
    schedule: scheduleOf(scenario),
    newKey: () => 'key',
    client: {
      send: async ({ api, method, path, purpose, relations = [] }) => {
        const isHung = clock.nowMs() > START_MS + 3_000;
        if (isHung) hung += 1;
        else served += 1;
        await clock.sleep(isHung ? 10_000 : 30);
        const sketch = { id: `x0000${served}`, api, method, path, purpose, sent: {}, status: 200 };
        return { ...exchangeOf(sketch), relations };
      },
    },
    keep: (exchange) => exchanges.push(exchange) > 0,
    signal: interruption.signal,
  });
  await clock.sleep(6_000);
  interruption.abort();
  expect(await twins.end()).toEqual([]);
  expect(clock.nowMs()).toBe(START_MS + 8_000);
  expect([served, hung]).toEqual([4, 2]);
  await clock.sleep(20_000);
  // What comes in later finds the record closed.
  expect(exchanges).toHaveLength(4);
});
