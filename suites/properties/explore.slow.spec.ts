/** Long because each promise of exploring is tried on the reference service with one fault. */

import { beforeAll, describe, expect, test } from 'vitest';
import { Judge } from '../../contracts/judging/judge.ts';
import { loadContract } from '../../contracts/service/load-contract.ts';
import { RULES } from '../../contracts/service/registry.ts';
import type { Counterexample } from '../../contracts/run/run.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { Decorator } from '../../fixtures/service/faults/fault.ts';
import type { Json } from '../../fixtures/service/faults/rewrite.ts';
import {
  rewriteJson,
  ZAP_POOLS,
  ZAP_QUOTE,
  ZAP_ROUTED,
} from '../../fixtures/service/faults/rewrite.ts';
import {
  createReferenceService,
  defaultReferenceOptions,
} from '../../fixtures/service/reference/index.ts';
import { createVirtualClock } from '../../fixtures/clocks/virtual-clock.ts';
import { createRandom } from '../drive/random.ts';
import type { DriveReport } from '../drive/index.ts';
import type { Reproducer } from './reproducer.ts';
import { exploreInProcess } from './in-process.ts';
import { IN_PROCESS_URLS } from '../service/in-process-urls.ts';
import { parseReplay } from './replay/replay.ts';
import { wordOf } from './replay/replay-word.ts';
import { DRIVEN } from '../service/driving.ts';

let contract: Contract;

beforeAll(async () => {
  contract = await loadContract();
});

interface Run {
  readonly sent: readonly string[];
  readonly found: readonly Counterexample[];
  readonly reproducers: readonly Reproducer[];
  readonly broken: readonly string[];
  readonly exchanges: readonly Exchange[];
  readonly report: DriveReport;
}

interface Wish {
  readonly seed?: number;
  readonly maxRequests?: number;
  readonly replay?: string;
  readonly rules?: readonly string[];
  /** Ctrl-C comes when so many requests have been answered. */
  readonly interruptAt?: number;
  /** Of the run, once the drive is through. */
  readonly secondsLeft?: number;
}

async function run(apply: Decorator, wish: Wish = {}): Promise<Run> {
  const { seed = 5, maxRequests = 800, replay, rules, interruptAt, secondsLeft = Infinity } = wish;
  const ending = new AbortController();
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const chance = createRandom(9);
  const plain = createReferenceService(
    defaultReferenceOptions({
      seed: 1,
      environment: {
        now: () => clock.nowMs(),
        randomUint32: () => chance.integer(0, 0xffffffff),
        sleep: (ms: number) => clock.sleep(ms),
      },
      baseUrls: IN_PROCESS_URLS,
    }),
  );
  const judge = new Judge(
    RULES.filter(({ id }) => rules?.includes(id) ?? true),
    contract,
  );
  const exchanges: Exchange[] = [];
  const found: Counterexample[] = [];
  const reproducers: Reproducer[] = [];
  const wanted = replay === undefined ? undefined : parseReplay(replay);
  const service = apply(plain, seed);
  const report = await exploreInProcess({
    driven: DRIVEN,
    service,
    contract,
    seed,
    clock,
    profile: 'gate',
    maxRequests,
    judge,
    signal: ending.signal,
    secondsLeft: () => secondsLeft,
    ...(wanted === undefined ? {} : { replay: wanted }),
    onFound: (one, reproducer) => {
      found.push(one);
      reproducers.push(reproducer);
    },
    listener: (exchange) => {
      exchanges.push(exchange);
      if (exchanges.length === interruptAt) ending.abort(new Error('Ctrl-C'));
    },
  });
  await service.close();
  return {
    found,
    reproducers,
    exchanges,
    report,
    sent: exchanges.map(({ request }) => JSON.stringify(request)),
    broken: judge
      .results()
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
      .map(({ rule }) => rule.id),
  };
}

const clean: Decorator = (service) => service;
const RULE = 'zap.path.min-return-within-amount';

/** What the last step of a route produces. */
function outputsOf(json: Json): { amount: string; minReturn: string }[] {
  const { data } = json as {
    data: { path: { output: { amount: string; minReturn: string }[] }[] };
  };
  return data.path.at(-1)?.output ?? [];
}

/** Breaks the rule if a request is of a kind. */
function brokenWhere(isMeant: (request: Record<string, unknown>) => boolean): Decorator {
  return rewriteJson(ZAP_ROUTED, (json, { request }) => {
    if (!isMeant(request as Record<string, unknown>)) return;
    const [entry] = outputsOf(json);
    if (entry !== undefined) entry.minReturn = String(BigInt(entry.amount) + 1n);
  });
}

/** Runs that several tests look at. */
const looseFault = brokenWhere(({ slippage }) => Number(slippage) > 2);
const runs = new Map<Decorator, Promise<Run>>();
function whole(apply: Decorator): Promise<Run> {
  const known = runs.get(apply) ?? run(apply);
  runs.set(apply, known);
  return known;
}

test('one seed sends the same bytes in the same order, another sends others', async () => {
  const [first, second, third] = [
    await whole(clean),
    await run(clean),
    await run(clean, { seed: 6 }),
  ];
  expect(first.sent.length).toBeGreaterThan(350);
  expect(first.sent.length).toBeLessThanOrEqual(800);
  expect(second.sent).toEqual(first.sent);
  expect(third.sent).not.toEqual(first.sent);
});

test('what any request shows is shown by a plain one', async () => {
  const { found, broken, exchanges } = await run(brokenWhere(() => true));
  expect(broken).toEqual([RULE]);
  expect(found).toMatchObject([
    { rule: RULE, differsIn: [], reproduced: { times: 3, of: 3 }, response: { status: 200 } },
  ]);
  expect(found[0]?.curl).toHaveLength(1);
  // What is shown stands in the record.
  const shown = exchanges.find(({ id }) => id === found[0]?.exchanges[0]);
  expect(shown?.request.path).toMatch(/^\/v1\/(quote|buildTx)$/);
});

test('what one field shows is shown by a request that differs from a plain one in it alone', async () => {
  const { found, reproducers } = await whole(looseFault);
  expect(found.find(({ rule }) => rule === RULE)).toMatchObject({
    differsIn: ['body/slippage'],
    reproduced: { times: 3, of: 3 },
  });
  expect(reproducers[0]?.[0]?.request.purpose).toEqual({ kind: 'valid' });
});

test('a relation is shown by two requests that differ in one field', async () => {
  const worse = rewriteJson(ZAP_QUOTE, (json, { request }) => {
    if (Number((request as { slippage: unknown }).slippage) <= 1.5) return;
    for (const entry of outputsOf(json)) entry.minReturn = entry.amount;
  });
  const { found } = await run(worse);
  const pair = found.find(({ rule }) => rule === 'zap.slippage.more-guarantees-no-more');
  expect(pair).toMatchObject({ differsIn: ['body/slippage'], reproduced: { times: 3, of: 3 } });
  expect(pair?.curl).toHaveLength(2);
});

test('what does not show again is reported as such, and stays as it was seen', async () => {
  let answers = 0;
  const once = brokenWhere(() => {
    answers += 1;
    return answers === 10;
  });
  const { found } = await run(once);
  expect(found).toMatchObject([{ rule: RULE, reproduced: { times: 0, of: 3 } }]);
  expect(found[0]?.exchanges).toHaveLength(1);
  expect(found[0]).not.toHaveProperty('response');
});

test('a finding is replayed by its requests alone, whatever the seed', async () => {
  const name = (await whole(looseFault)).found[0]?.replay ?? '';
  expect(name).toMatch(/^zap\.path\.min-return-within-amount@requests:[\w-]+$/);
  const again = await run(looseFault, { replay: name, rules: [RULE], seed: 77 });
  expect(again.broken).toEqual([RULE]);
  expect(again.sent).toHaveLength(1);
  expect(again.report).toMatchObject({
    cutShort: false,
    replayed: { then: { pointer: expect.stringContaining('minReturn') as string } },
  });
  // On a service that was mended nothing is found, though it is asked three times.
  const mended = await run(clean, { replay: name, rules: [RULE] });
  expect(mended.broken).toEqual([]);
  expect(mended.sent).toHaveLength(3);
  expect(mended.report.cutShort).toBe(false);
});

test('a finding is replayed by its place in a run and its seed as well', async () => {
  const first = (await whole(looseFault)).exchanges.findIndex(
    ({ request: { path, body } }) =>
      /quote|buildTx/.test(path) && /"slippage":(?:[3-9]|[1-9]\d)/.test(body?.text ?? ''),
  );
  const again = await run(looseFault, { replay: `${RULE}@drive:${first + 1}`, rules: [RULE] });
  expect(again.broken).toEqual([RULE]);
  expect(again.found).toMatchObject([{ differsIn: ['body/slippage'] }]);
  expect(again.sent.length).toBeLessThan(400);
});

describe('an error of the service', () => {
  const ID = 'zap.errors.none-of-the-service';
  const failing = (isMeant: (body: string) => boolean): Decorator =>
    function apply(service) {
      return {
        ...service,
        fetch: async (api, request, ...rest) => {
          const body = await request.clone().text();
          return api === 'zap' && new URL(request.url).pathname === '/v1/quote' && isMeant(body)
            ? Response.json({ status: 'failed' }, { status: 500 })
            : service.fetch(api, request, ...rest);
        },
      };
    };
  const fault = failing((body) => /"slippage":(?:[2-9]|[1-9]\d)/.test(body));

  test('is shown by the one request that fails, shrunk on that it does', async () => {
    const found = (await run(fault)).found.find(({ rule }) => rule === ID);
    expect(found).toMatchObject({
      differsIn: ['body/slippage'],
      reproduced: { times: 3, of: 3 },
      response: { status: 500 },
    });
    expect(found?.curl).toHaveLength(1);
    const again = await run(fault, { replay: found?.replay ?? '', rules: [ID] });
    expect(again.broken).toEqual([ID]);
    expect(again.sent.length).toBeLessThanOrEqual(6);
    // Once it is served, nothing more needs to be asked.
    const mended = await run(clean, { replay: found?.replay ?? '', rules: [ID] });
    expect(mended.broken).toEqual([]);
    expect(mended.sent).toHaveLength(2);
  });
});

test('a replay of what a target has no API for, or no rule, is reported and no verdict', async () => {
  const reproducer: Reproducer = [
    { request: { api: 'ai', method: 'GET', path: '/', purpose: { kind: 'valid' } } },
  ];
  const word = wordOf({ reproducer }, () => true) ?? '';
  const { report, sent } = await run(clean, { replay: `no.such.rule@${word}` });
  expect(report).toMatchObject({ cutShort: true });
  expect(report.notices).toEqual([expect.stringContaining('there is no rule no.such.rule')]);
  expect(sent).toEqual([]);
});

test('a target that lists no pool is not passed for one that conforms', async () => {
  const lone = rewriteJson(ZAP_POOLS, (body) => {
    (body as { data: { pools: unknown[] } }).data.pools.length = 0;
  });
  const { report } = await run(lone);
  expect(report.cutShort).toBe(true);
  expect(report.notices).toContainEqual(expect.stringContaining('no route could be asked for'));
});

test('a budget that leaves nothing for shrinking is kept to, and said', async () => {
  const { sent, found } = await run(looseFault, { maxRequests: 200 });
  expect(sent).toHaveLength(200);
  expect(found[0]?.stopped).toContain('the budget of 200 requests is used up');
});

test.each([
  [undefined, false],
  [`${RULE}@zap.quote:1`, true],
])('without time nothing is generated, which is said: replay %s', async (replay, cutShort) => {
  const wish = replay === undefined ? {} : { replay, rules: [RULE] };
  const { report, sent } = await run(clean, { ...wish, secondsLeft: 0 });
  expect(report).toMatchObject({ cutShort });
  expect(report.notices).toContainEqual(expect.stringContaining('before requests were generated'));
  const timely = replay === undefined ? await whole(clean) : await run(clean, wish);
  expect(sent.length).toBeLessThan(timely.sent.length);
});

describe('an interruption', () => {
  const NOTICE = 'The run was interrupted; what it had recorded was judged.';

  const beforeBurst = async (): Promise<number> =>
    (await whole(looseFault)).exchanges.filter(
      ({ purpose }) => purpose.kind !== 'probe' || purpose.about !== 'equal requests at once',
    ).length;

  test('of equal requests at once lets those come in that are on their way', async () => {
    const interruptAt = (await beforeBurst()) + 2;
    const { exchanges, report } = await run(looseFault, { interruptAt });
    expect(exchanges.length - interruptAt).toBeLessThan(16);
    expect(report).toMatchObject({ cutShort: true });
    expect(report.notices.filter((notice) => notice === NOTICE)).toHaveLength(1);
  });

  // In the first stage, in the midst of the drive, and while the finding is shown once more.
  test.each([1, 150, -2])('after %d exchanges is followed by none', async (at) => {
    const interruptAt = at > 0 ? at : at + (await beforeBurst());
    const { exchanges, report } = await run(looseFault, { interruptAt });
    // Of twins that go out together one more may be on its way.
    expect(exchanges.length - interruptAt).toBeLessThanOrEqual(1);
    expect(report.cutShort).toBe(true);
    expect(report.notices.filter((notice) => notice === NOTICE)).toHaveLength(1);
  });

  test('stops a request that is throttled from being sent again', async () => {
    const throttled: Decorator = () => ({
      fetch: () => Promise.resolve(Response.json({ retryAfter: 1 }, { status: 429 })),
      close: () => Promise.resolve(),
    });
    expect((await run(throttled, { interruptAt: 2 })).exchanges).toHaveLength(2);
  });
});
